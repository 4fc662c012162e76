/* What a program hands in besides its models: options of reports, responses, analyses that it gives twice, buffers and
 * arguments of launches, and calls of its own that answer oddly. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "misuse.h"
#include "model/exec.h"

static const char *const no_text;

/* A picture of the run of a workload, with a job and a wait of which `change` makes something wrong. */
#define WITH_REPORT(name, change)                                                                                      \
    static gcast_status name(gcast_error *err)                                                                         \
    {                                                                                                                  \
        gcast_report_options options = gcast_report_options_default();                                                 \
        gcast_report_job job = {"task", 0, 0, 0, 0, 10, 5};                                                            \
        gcast_report_wait wait = {0, 5, false, "op", "X1", "reason", ""};                                              \
        uint64_t bytes;                                                                                                \
        options.jobs = &job, options.job_count = 1;                                                                    \
        options.waits = &wait, options.wait_count = 1;                                                                 \
        change;                                                                                                        \
        gcast_status status = gcast_run_report(own.run, GCAST_FORMAT_SVG, &options, world_write, NULL, err);           \
        gcast_run_report(own.run, GCAST_FORMAT_HTML, &options, world_write, NULL, NULL);                               \
        gcast_run_report_pair(own.run, own.run, GCAST_FORMAT_SVG, &options, world_write, NULL, NULL);                  \
        gcast_run_report_size(own.run, GCAST_FORMAT_TRACE, &options, &bytes, NULL);                                    \
        gcast_answer_report(own.answer, GCAST_FORMAT_SVG, &options, world_write, NULL, NULL);                          \
        return status;                                                                                                 \
    }

WITH_REPORT(report_right, (void)0)
WITH_REPORT(job_no_task, job.task = NULL)
WITH_REPORT(job_task_invalid, job.task = text_invalid)
WITH_REPORT(job_row, job.row = INT_MAX)
WITH_REPORT(job_row_negative, job.row = INT_MIN)
WITH_REPORT(job_stream, job.stream = INT_MAX)
WITH_REPORT(job_times, (job.release_ns = INT64_MIN, job.deadline_ns = INT64_MAX))
WITH_REPORT(job_end, job.end_ns = INT64_MIN)
WITH_REPORT(no_jobs, options.jobs = NULL)
WITH_REPORT(wait_no_op, wait.op = NULL)
WITH_REPORT(wait_no_rule, wait.rule = NULL)
WITH_REPORT(wait_no_reason, wait.reason = NULL)
WITH_REPORT(wait_no_holders, wait.holders = NULL)
WITH_REPORT(wait_long, (wait.op = wait.rule = wait.reason = wait.holders = text_long))
WITH_REPORT(wait_times, (wait.from_ns = INT64_MIN, wait.to_ns = INT64_MAX))
WITH_REPORT(wait_backwards, (wait.from_ns = 5, wait.to_ns = 0))
WITH_REPORT(no_waits, options.waits = NULL)
WITH_REPORT(titles_invalid, (options.waits_label = text_invalid, options.waits_title = text_long))
WITH_REPORT(from_least, options.from_ns = INT64_MIN)
WITH_REPORT(from_to, (options.from_ns = INT64_MIN, options.to_ns = INT64_MAX))
WITH_REPORT(sms_all, (options.first_sm = INT_MIN, options.last_sm = INT_MAX))

static gcast_status explain_nothing(const gcast_run *run, size_t run_op, gcast_explanation **out, gcast_error *err)
{
    (void)run, (void)run_op, (void)err;
    *out = NULL;
    return GCAST_OK;
}

static gcast_status explain_other(const gcast_run *run, size_t run_op, gcast_explanation **out, gcast_error *err)
{
    (void)run, (void)run_op;
    return gcast_run_explain(other.run, 0, out, err);
}

static gcast_status page(gcast_status (*explain)(const gcast_run *, size_t, gcast_explanation **, gcast_error *),
                         gcast_error *err)
{
    gcast_report_options options = gcast_report_options_default();
    options.explain = explain;
    return gcast_run_report(own.run, GCAST_FORMAT_HTML, &options, world_write, NULL, err);
}

static gcast_status page_nothing(gcast_error *err)
{
    return page(explain_nothing, err);
}

static gcast_status page_other(gcast_error *err)
{
    return page(explain_other, err);
}

static gcast_status give_odd_blocks(void *data,
                                    bool (*take)(void *taker, const gcast_started_block *blocks, size_t count),
                                    void *taker, gcast_error *err)
{
    gcast_started_block blocks[2];
    (void)data, (void)err;
    memset(blocks, 0xff, sizeof blocks);
    take(taker, blocks, 2);
    take(taker, NULL, 0);
    return GCAST_OK;
}

static gcast_status page_odd_blocks(gcast_error *err)
{
    gcast_report_options options = gcast_report_options_default();
    gcast_run *run;
    gcast_status status = gcast_workload_simulate(own.workload, NULL, NULL, &run, err);
    options.each_block = give_odd_blocks;
    return status == GCAST_OK ? gcast_run_report(run, GCAST_FORMAT_HTML, &options, world_write, NULL, err) : status;
}

/* Responses that are none of the answer's. */
static gcast_status response_op(gcast_error *err)
{
    gcast_response r = {.op = SIZE_MAX, .worst_ns = 5, .deadline_ns = 3};
    (void)err;
    return gcast_answer_verdict(own.answer, &r) == GCAST_DEADLINE_NONE ? GCAST_USAGE : GCAST_OK;
}

static gcast_status response_times(gcast_error *err)
{
    gcast_response r = own.answer->responses[0];
    (void)err;
    r.worst_ns = INT64_MIN, r.deadline_ns = INT64_MAX;
    gcast_answer_verdict(own.answer, &r);
    return GCAST_OK;
}

/* Searches that cannot be. */
#define WITH_SEARCH(name, change)                                                                                      \
    static gcast_status name(gcast_error *err)                                                                         \
    {                                                                                                                  \
        gcast_analyze_options options = gcast_analyze_options_default();                                               \
        gcast_search_options search = gcast_search_options_default();                                                  \
        gcast_answer *answer;                                                                                          \
        options.search = &search;                                                                                      \
        change;                                                                                                        \
        gcast_status status = gcast_workload_answer(own.workload, NULL, &a_method, 1, &options, &answer, err);         \
        gcast_answer_free(answer);                                                                                     \
        return status;                                                                                                 \
    }

WITH_SEARCH(search_right, search.op = 0)
WITH_SEARCH(search_op, search.op = SIZE_MAX - 1)
WITH_SEARCH(search_time, search.max_ms = -1)
WITH_SEARCH(search_size, search.size = 0)

/* What a search did not look for. */
static gcast_status not_searched(gcast_error *err)
{
    gcast_answer *answer;
    gcast_workload *execution;
    gcast_late late;
    gcast_status status = gcast_workload_answer(own.workload, NULL, &a_method, 1, NULL, &answer, err);
    if (status != GCAST_OK || gcast_answer_find_late(answer, GCAST_NO_OP, &late))
        return GCAST_OK;
    status = gcast_answer_late_execution(answer, 0, &execution, NULL, err);
    gcast_answer_free(answer);
    return status;
}

/* A launch of a small kernel. */
#define WITH_LAUNCH(name, change)                                                                                      \
    static gcast_status name(gcast_error *err)                                                                         \
    {                                                                                                                  \
        static float x[256], y[256];                                                                                   \
        static uint32_t n = 256;                                                                                       \
        static float a = 2;                                                                                            \
        gcast_buffer buffer[3] = {{"x", x, sizeof x}, {"y", y, sizeof y}, {"z", NULL, 0}};                             \
        gcast_argument argument[4] = {{-1, &n, 4}, {-1, &a, 4}, {0, NULL, 8}, {1, NULL, 8}};                           \
        gcast_variable variable[1] = {{no_text, x, 4, true}};                                                          \
        gcast_launch launch = a_launch;                                                                                \
        gcast_simt_options options = gcast_simt_options_default();                                                     \
        gcast_simt_report *report = NULL;                                                                              \
        gcast_block_times *timed = NULL;                                                                               \
        gcast_gpu_exec_options driver = gcast_gpu_exec_options_default();                                              \
        gcast_block_shape block;                                                                                       \
        launch.argument = argument, launch.buffer = buffer, launch.variable = variable;                                \
        driver.library = STUB_CUDA;                                                                                    \
        change;                                                                                                        \
        gcast_status status = gcast_simt_run(own.ptx, &launch, NULL, &report, err);                                    \
        gcast_exec exec = {                                                                                            \
            .source = "s", .kernel = "saxpy", .launch = &launch, .report = own.simt_report, .options = &options};      \
        for (gcast_format f = 0; f < GCAST_FORMATS; f++)                                                               \
            gcast_exec_report(&exec, f, world_write, NULL, NULL);                                                      \
        gcast_simt_block_shape(own.ptx, &launch, NULL, &block, NULL);                                                  \
        gcast_gpu_exec(text_ptx, &launch, &driver, NULL);                                                              \
        gcast_gpu_exec_timed(own.ptx, &launch, 2, &driver, &timed, NULL);                                              \
        return status;                                                                                                 \
    }

WITH_LAUNCH(launch_right, (void)0)
WITH_LAUNCH(argument_no_value, argument[0].value = NULL)
WITH_LAUNCH(argument_bytes, argument[0].bytes = SIZE_MAX)
WITH_LAUNCH(argument_buffer, argument[2].buffer = INT_MAX)
WITH_LAUNCH(argument_buffer_negative, argument[2].buffer = INT_MIN)
WITH_LAUNCH(buffer_no_data, buffer[0].data = NULL)
WITH_LAUNCH(buffer_no_name, buffer[0].name = NULL)
WITH_LAUNCH(buffer_name_invalid, buffer[0].name = text_invalid)
WITH_LAUNCH(buffer_name_long, buffer[0].name = text_long)
WITH_LAUNCH(buffer_empty, launch.buffers = 3)
WITH_LAUNCH(variable_no_name, launch.variables = 1)
WITH_LAUNCH(variable_no_data, (variable[0].name = "x", variable[0].data = NULL, launch.variables = 1))
WITH_LAUNCH(variable_unknown, (variable[0].name = "x", launch.variables = 1))
WITH_LAUNCH(kernel_invalid, launch.kernel = text_invalid)
WITH_LAUNCH(arguments_none, launch.argument = NULL)
WITH_LAUNCH(buffers_none, launch.buffer = NULL)
WITH_LAUNCH(variables_none, (launch.variable = NULL, launch.variables = 5))
WITH_LAUNCH(grid_large, (launch.grid[0] = launch.grid[1] = launch.grid[2] = UINT32_MAX))

/* A workload that goes before what was made of it, in the order that a garbage collector may choose. */
static gcast_status workload_first(gcast_error *err)
{
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_search_options search = gcast_search_options_default();
    gcast_answer *answer;
    search.all = true;
    options.search = &search;
    gcast_status status = gcast_workload_answer(own.workload, NULL, &a_method, 1, &options, &answer, err);
    gcast_workload_free(own.workload);
    void *taken[200];
    for (int i = 0; i < 200; i++)
        if ((taken[i] = malloc(900 + (size_t)i * 7)))
            memset(taken[i], 0x41, 900);
    gcast_answer_free(answer);
    return status;
}

static const misuse_case cases[] = {
    {"a report", FINE, report_right},
    {"a job without a task", REFUSED, job_no_task},
    {"a job whose task is no UTF-8", ANY, job_task_invalid},
    {"a job of the last row", REFUSED, job_row},
    {"a job of a row below 0", REFUSED, job_row_negative},
    {"a job of an unknown stream", REFUSED, job_stream},
    {"a job with endless times", REFUSED, job_times},
    {"a job that ends before all time", REFUSED, job_end},
    {"no jobs, but their number", REFUSED, no_jobs},
    {"a wait without an op", REFUSED, wait_no_op},
    {"a wait without a rule", REFUSED, wait_no_rule},
    {"a wait without a reason", REFUSED, wait_no_reason},
    {"a wait without holders", REFUSED, wait_no_holders},
    {"a wait with long texts", ANY, wait_long},
    {"a wait with endless times", REFUSED, wait_times},
    {"a wait that ends before it begins", REFUSED, wait_backwards},
    {"no waits, but their number", REFUSED, no_waits},
    {"titles that are no UTF-8", ANY, titles_invalid},
    {"a report from before all time", REFUSED, from_least},
    {"a report of all time", REFUSED, from_to},
    {"a report of all SMs", ANY, sms_all},
    {"an explanation NULL", REFUSED, page_nothing},
    {"an explanation of another run", ANY, page_other},
    {"odd blocks", ANY, page_odd_blocks},
    {"a response of an unknown op", REFUSED, response_op},
    {"a response with endless times", ANY, response_times},
    {"a search", FINE, search_right},
    {"a search for an op that is not there", REFUSED, search_op},
    {"a search in less than no time", REFUSED, search_time},
    {"a search without a size", REFUSED, search_size},
    {"a late execution without a search", REFUSED, not_searched},
    {"a launch", FINE, launch_right},
    {"an argument without a value", REFUSED, argument_no_value},
    {"an argument with too many bytes", REFUSED, argument_bytes},
    {"an argument of an unknown buffer", REFUSED, argument_buffer},
    {"an argument of a buffer below -1", REFUSED, argument_buffer_negative},
    {"a buffer without data", REFUSED, buffer_no_data},
    {"a buffer without a name", FINE, buffer_no_name},
    {"a buffer whose name is no UTF-8", FINE, buffer_name_invalid},
    {"a buffer with a long name", FINE, buffer_name_long},
    {"an empty buffer", FINE, buffer_empty},
    {"a variable without a name", REFUSED, variable_no_name},
    {"a variable without data", REFUSED, variable_no_data},
    {"an unknown variable", REFUSED, variable_unknown},
    {"a kernel whose name is no UTF-8", REFUSED, kernel_invalid},
    {"arguments NULL", REFUSED, arguments_none},
    {"buffers NULL", REFUSED, buffers_none},
    {"variables NULL", REFUSED, variables_none},
    {"a large grid", REFUSED, grid_large},
    {"a workload that is freed first", FINE, workload_first},
};

bool misuse_call_results(int variant, int second, bool dry, misuse_outcome *out)
{
    (void)second;
    return misuse_call_case(cases, (int)(sizeof cases / sizeof *cases), variant, dry, out);
}
