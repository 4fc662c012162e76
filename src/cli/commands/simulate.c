/* gridcast simulate: predict the schedule of a workload. */
#include <stdlib.h>

#include "base/units.h"
#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/run_outputs.h"
#include "cli/say.h"
#include "cli/simulated.h"
#include "cli/system/model_args.h"
#include "cli/system/system_outputs.h"
#include "cli/workload_args.h"
#include "gridcast/names.h"
#include "gridcast/run.h"
#include "report/format_names.h"
#include "report/system/system_execution.h"
#include "simulate/system/system_simulate.h"

/* --queues shows the queues at one time or several, in place of the run. */

#define QUEUES_OPTION                                                                                                  \
    {                                                                                                                  \
        "queues", 0, "TIME", "only the queues at TIME; may repeat"                                                     \
    }

static gcast_status check_file(const char *path)
{
    gcast_format format;
    if (!gcast_format_from_name(path, &format) || (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_SVG &&
                                                   format != GCAST_FORMAT_PNG && format != GCAST_FORMAT_PDF))
        return say(GCAST_USAGE, "-o %s: with --queues its ending is .txt .svg .png or .pdf", path);
    if (!gcast_format_available(format))
        return say(GCAST_RESOURCE, "-o %s: this build cannot write %s (it was made without cairo)", path,
                   gcast_name(GCAST_NAMES_FORMAT, format));
    return GCAST_OK;
}

/* Do the options go with --queues? Errors are printed. */
static gcast_status queues_check(const args *a)
{
    static const char *const others[] = {"json",     "csv",        "blocks",  "no-blocks", "examiner-logs",
                                         "sm-range", "time-range", "no-fold", "width"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (args_has(a, others[i]))
            return say(GCAST_USAGE, "give one of --queues and --%s", others[i]);
    for (size_t i = 0; i < a->given_count; i++) {
        const char *value = a->given[i].value;
        int64_t ns;
        if (args_is(a, i, "queues") && (!units_parse_time(value, &ns) || ns < 0))
            return say(GCAST_USAGE, "--queues needs a time such as 10us, 1.5ms or 2s, not %s", value);
        gcast_status status = args_is(a, i, "output") ? check_file(value) : GCAST_OK;
        if (status != GCAST_OK)
            return status;
    }
    return GCAST_OK;
}

static gcast_status write_one(const args *a, const gcast_run *run, const char *path, gcast_format format,
                              const int64_t *times_ns, size_t count)
{
    output out;
    gcast_error err;
    gcast_status status = output_open(&out, path, args_has(a, "force"));
    if (status != GCAST_OK)
        return status;
    bool color = want_color(a) && out.file == stdout;
    return output_finish(&out, gcast_run_report_queues(run, times_ns, count, format, color, output_write, &out, &err),
                         &err);
}

/* Jobs released at the horizon or later are not in the run. */
static gcast_status check_horizon(const gcast_run *run, int64_t at_ns)
{
    char at[40], horizon[40];
    if (!run->horizon_ns || at_ns < run->horizon_ns)
        return GCAST_OK;
    units_format_time(at_ns, at, sizeof at);
    units_format_time(run->horizon_ns, horizon, sizeof horizon);
    return say(GCAST_USAGE, "--queues %s: only jobs released before %s are simulated; --horizon TIME adds later ones",
               at, horizon);
}

/* Writes every -o and prints the queues. All blocks of the run must be recorded. */
static gcast_status queues_write(const args *a, const gcast_run *run)
{
    int64_t *times_ns = calloc(a->given_count + 1, sizeof *times_ns);
    size_t count = 0;
    bool quiet = args_has(a, "quiet");
    gcast_status status = times_ns ? GCAST_OK : say_no_memory();
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "queues") && units_parse_time(a->given[i].value, &times_ns[count]))
            status = check_horizon(run, times_ns[count++]);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        gcast_format format;
        if (!args_is(a, i, "output") || !gcast_format_from_name(a->given[i].value, &format))
            continue;
        quiet = quiet || output_is_standard(a->given[i].value);
        status = write_one(a, run, a->given[i].value, format, times_ns, count);
    }
    if (status == GCAST_OK && !quiet)
        status = write_one(a, run, "-", GCAST_FORMAT_TABLE, times_ns, count);
    free(times_ns);
    return status;
}

/* AMALTHEA models are simulated as systems. */

#define SIMULATE_SYSTEM_OPTIONS                                                                                        \
    SYSTEM_OPTIONS, CONTEXTS_OPTION,                                                                                   \
    {                                                                                                                  \
        "ignore-offsets", 0, NULL, "tasks begin at random times; jitter is random too"                                 \
    }

/* These options of workloads are options for models, too. */
static const option_spec simulate_system_shared[] = {
    {"gpu", 0, NULL, NULL},
    {"sms", 0, NULL, NULL},
    {"horizon", 0, NULL, NULL},
    {"durations", 0, NULL, NULL},
    {"output", 0, NULL, "also to .txt .json .html, or as a picture .svg .png .pdf"},
    {"force", 0, NULL, NULL},
    {"json", 0, NULL, "print gridcast.system-run/1 instead of the table"},
    {"no-blocks", 0, NULL, "pictures: no rows of SMs"},
    {"sm-range", 0, NULL, NULL},
    {"time-range", 0, NULL, NULL},
    {"no-fold", 0, NULL, NULL},
    {"width", 0, NULL, "of pictures (default 1200)"},
    {"quiet", 0, NULL, NULL},
    {NULL, 0, NULL, NULL},
};

static gcast_status options_from_args(const args *a, sys_simulate_options *o)
{
    gcast_simulate_options durations = gcast_simulate_options_default();
    const char *value = args_value(a, "durations");
    *o = (sys_simulate_options){.durations = durations.durations};
    gcast_status status = value ? durations_from_text(value, &durations) : GCAST_OK;
    o->durations = durations.durations;
    o->seed = durations.seed;
    o->random_offsets = args_has(a, "ignore-offsets");
    o->random_jitter = o->random_offsets || o->durations == GCAST_DURATIONS_RANDOM;
    o->record = args_has(a, "json") || args_has(a, "output");
    return status == GCAST_OK ? args_span(a, "horizon", &o->horizon_ns) : status;
}

static bool is_in_time(const sys_run *run)
{
    for (size_t i = 0; i < run->job_count; i++)
        if (job_missed(run, &run->jobs[i]))
            return false;
    return true;
}

static gcast_status simulate_opened(const args *a, const sys_system *s, const sys_simulate_options *o,
                                    const sys_report_options *report)
{
    gcast_error err;
    progress shown;
    sys_run *run;
    progress_start(&shown, "simulating");
    gcast_status status = system_simulate(s, NULL, o, &run, &err);
    progress_end(&shown);
    if (status != GCAST_OK)
        return say_system_error(s, &err);
    system_output w = {.run = run, .options = *report};
    status = system_files_write(a, &w);
    if (status == GCAST_OK && !is_in_time(run))
        status = GCAST_NO;
    system_run_free(run);
    return status;
}

/* Notes that things of the model are doubtful, left out or assumed. */
static void say_findings(const sys_system *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->finding_count; i++)
        count += s->findings[i].doubtful || s->findings[i].effects;
    if (count)
        say(GCAST_OK, "note: %zu thing%s of the model %s doubtful, left out or assumed; gridcast analyze lists them",
            count, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}

static gcast_status simulate_system(const args *a)
{
    opened_system opened;
    sys_simulate_options o;
    sys_report_options report;
    gcast_status status = options_from_args(a, &o);
    if (status == GCAST_OK)
        status = system_report_options_from_args(a, &report);
    if (status == GCAST_OK)
        status = system_files_check(a);
    if (status == GCAST_OK)
        status = opened_system_from_args(a, &opened);
    if (status != GCAST_OK)
        return status;
    say_findings(opened.s);
    status = simulate_opened(a, opened.s, &o, &report);
    opened_system_free(&opened);
    return status;
}

static gcast_status run_command(const args *a)
{
    simulated s;
    run_outputs outputs;
    bool queues = args_has(a, "queues");
    gcast_status status = system_options_check(a);
    if (status != GCAST_OK)
        return status;
    if (system_wanted(a))
        return simulate_system(a);
    status = queues ? queues_check(a) : GCAST_OK;
    if (status == GCAST_OK)
        status = run_outputs_from_args(a, &outputs);
    if (status == GCAST_OK)
        status = simulated_from_args(a, queues ? BLOCKS_ALL : outputs.needs_blocks, true, &s);
    if (status != GCAST_OK)
        return status;
    outputs.report.each_block = simulated_each_block;
    outputs.report.each_block_data = &s;
    status = queues ? queues_write(a, s.run) : run_outputs_write(a, &outputs, s.run);
    if (status == GCAST_OK)
        status = run_deadlines_status(s.run);
    simulated_free(&s);
    return status;
}

static const option_spec options[] = {
    WORKLOAD_OPTIONS, SIMULATE_OPTIONS, RACES_OPTION, REPORT_OPTIONS, QUEUES_OPTION, {NULL, 0, NULL, NULL},
};

static const option_spec system_options[] = {SIMULATE_SYSTEM_OPTIONS, {NULL, 0, NULL, NULL}};

const command cmd_simulate = {
    .name = "simulate",
    .operands = "WORKLOAD|MODEL.amxmi...",
    .min_operands = 1,
    .max_operands = -1,
    .summary = "predict the schedule of a workload",
    .options = options,
    .system_options = system_options,
    .shared_options = simulate_system_shared,
    .system_example = "gridcast simulate examples/12-car.amxmi --gpu tx2 -o car.svg",
    .examples = {"gridcast simulate examples/thesis.json -o timeline.svg",
                 "gridcast simulate examples/thesis.json --gpu h200 --sms 2 --json --blocks"},
    .run = run_command,
};
