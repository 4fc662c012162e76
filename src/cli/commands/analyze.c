/* gridcast analyze: response times and bounds, and whether deadlines are met. */
#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"
#include "cli/analyze/advice.h"
#include "cli/analyze/answer.h"
#include "cli/analyze/answer_files.h"
#include "cli/analyze/conditions/conditions.h"
#include "cli/analyze/conditions/gpu_notes.h"
#include "cli/analyze/latency_args.h"
#include "cli/analyze/method_args.h"
#include "cli/analyze/thesis/periods.h"
#include "cli/analyze/thesis/thesis_trace.h"
#include "cli/analyze/witness/witness_file.h"
#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/residency/residency_tell.h"
#include "cli/run/workload_args.h"
#include "cli/say.h"
#include "cli/system/analyze_system.h"
#include "cli/system/model_workload.h"

/* A gcast_write_fn whose data is a text. */
static bool append(void *t, const char *bytes, size_t size)
{
    text_bytes(t, bytes, size);
    return true;
}

/* Is there anything to show in a table? */
static bool has_table(const gcast_answer *r)
{
    return r->complete || r->searched || gcast_answer_thesis(r);
}

static gcast_status print(const args *a, const gcast_answer *r)
{
    output out;
    gcast_error err;
    gcast_report_options options = gcast_report_options_default();
    options.color = want_color(a);
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    if (args_has(a, "json")) {
        status = gcast_answer_report(r, GCAST_FORMAT_JSON, &options, append, &out.words, &err);
    } else if (has_table(r)) {
        if (gcast_answer_thesis(r) && args_has(a, "trace"))
            status = thesis_trace(r->workload, gcast_answer_thesis(r), options.color, &out.words);
        if (status != GCAST_OK)
            return output_finish(&out, status, NULL);
        status = gcast_answer_report(r, GCAST_FORMAT_TABLE, &options, append, &out.words, &err);
    }
    return output_finish(&out, status, &err);
}

/* Says for each method that gave no answer why; a note where another method gave one. */
static void say_why_not(const gcast_answer *r)
{
    for (size_t i = 0; i < r->analysis_count; i++)
        if (r->analyses[i]->thesis && !r->analyses[i]->complete)
            say(GCAST_NO, "note: thesis looks at one release only: %s", r->analyses[i]->why_not);
        else if (!r->analyses[i]->complete)
            say(GCAST_NO, "%s%s gives no answer: %s", r->complete ? "note: " : "",
                gcast_method_name(r->analyses[i]->method), r->analyses[i]->why_not);
    if (r->duration_percent && !has_table(r))
        say(GCAST_NO, "bound shows every deadline to be met where kernels take at most %d %% of their time%s",
            r->duration_percent, r->percent_may_be_larger ? " (perhaps more)" : "");
}

static size_t deadlines_met(const gcast_answer *r, const gcast_analysis *part)
{
    size_t met_count = 0;
    for (size_t i = 0; i < part->response_count; i++)
        met_count += answer_shows_met(r, &part->responses[i]);
    return met_count;
}

/* Prints advice by the method that shows most deadlines to be met, of several the first. The status is that of the
 * answer unless the advice fails: whoever asks for advice may have deadlines that are missed. */
static gcast_status advise(const args *a, const gcast_answer *r, const gcast_analyze_options *options)
{
    const gcast_analysis *by = NULL;
    size_t complete_count = 0;
    for (size_t i = 0; i < r->analysis_count; i++) {
        const gcast_analysis *part = r->analyses[i];
        complete_count += part->complete;
        if (part->complete && (!by || deadlines_met(r, part) > deadlines_met(r, by)))
            by = part;
    }
    gcast_status answered = answer_status(r);
    gcast_method method = (by ? by : r->analyses[0])->method;
    gcast_status status = advice_from_args(a, r, method, complete_count < 2, options);
    return status == GCAST_OK ? answered : status;
}

/* Options that go with one method, and files that can be written. */
static gcast_status check_args(const args *a, bool by_thesis)
{
    static const char *const thesis_options[] = {"trace", "period"};
    for (size_t i = 0; i < 2; i++)
        if (args_has(a, thesis_options[i]) && !by_thesis)
            return say(GCAST_USAGE, "--%s goes with --method thesis", thesis_options[i]);
    if (args_has(a, "period") && advice_wanted(a))
        return say(GCAST_USAGE, "--sensitivity, --order, --priorities and --what-if do not go with --period");
    return answer_files_check(a);
}

/* Prints the answer, then what it lacks, then advice and the witness. */
static gcast_status tell(const args *a, const gcast_answer *r, const gcast_witness *witness,
                         const gcast_analyze_options *options)
{
    gcast_status status = answer_files_use_stdout(a) || args_has(a, "quiet") ? GCAST_OK : print(a, r);
    if (status == GCAST_OK)
        status = answer_files_write(a, r);
    say_why_not(r);
    if (status == GCAST_OK)
        status = advise(a, r, options);
    bool is_answered = status <= GCAST_NO || status == GCAST_CONDITION;
    gcast_status told = is_answered ? witness_tell(a, r, witness) : GCAST_OK;
    return told == GCAST_OK ? status : told;
}

static gcast_status analyze_by(const args *a, const gcast_workload *w, const gcast_gpu *gpu,
                               const gcast_method *methods, size_t count, const gcast_analyze_options *options)
{
    gcast_answer *r;
    gcast_witness *witness;
    progress shown;
    progress_start(&shown, "analysing");
    gcast_status status = answer_make(&r, w, gpu, methods, count, options, &shown);
    if (status == GCAST_OK)
        status = conditions_find(&r, options);
    if (status != GCAST_OK) {
        progress_end(&shown);
        return status;
    }
    status = witness_search(a, r, count > 1, options, &shown, &witness);
    if (status == GCAST_OK)
        status = conditions_find_durations(r, options, &shown);
    progress_end(&shown);
    if (status == GCAST_OK)
        status = tell(a, r, witness, options);
    gcast_witness_free(witness);
    gcast_answer_free(r);
    return status;
}

/* `known` are periods of ops that run once; NULL: none is known. */
static gcast_status analyze(const args *a, const gcast_workload *w, const gcast_gpu *gpu, const int64_t *known)
{
    const gcast_method *methods;
    size_t count;
    int64_t *periods = NULL;
    gcast_analyze_options options;
    gcast_status status = methods_from_args(a, &methods, &count);
    if (status == GCAST_OK)
        status = check_args(a, count == 1 && *methods == GCAST_METHOD_THESIS);
    if (status == GCAST_OK)
        status = advice_check(a, gpu);
    if (status == GCAST_OK)
        status = witness_check(a, w);
    if (status == GCAST_OK)
        status = analyze_options_from_args(a, &options);
    if (status == GCAST_OK)
        status = periods_from_args(a, w, known, &periods);
    if (status == GCAST_OK) {
        options.periods_ns = periods;
        status = analyze_by(a, w, gpu, methods, count, &options);
    }
    free(periods);
    return status;
}

/* Method thesis of a model is that of its kernels. */
static bool is_thesis(const args *a)
{
    const char *method = args_value(a, "method");
    return method && strcmp(method, gcast_method_name(GCAST_METHOD_THESIS)) == 0;
}

static gcast_status run_command(const args *a)
{
    gcast_workload *w = NULL;
    gcast_gpu *gpu = NULL;
    int64_t *periods = NULL;
    bool of_model = system_wanted(a);
    gcast_status status = system_options_check(a);
    if (status == GCAST_OK && args_has(a, "json") && args_has(a, "quiet"))
        status = say(GCAST_USAGE, "give one of --quiet and --json");
    if (status == GCAST_OK && of_model)
        status = analyze_system_check(a);
    if (status == GCAST_OK && args_has(a, "residency"))
        status = residency_check_args(a);
    if (status != GCAST_OK)
        return status;
    if (of_model && !is_thesis(a))
        return analyze_system(a);
    status = of_model ? model_thesis_from_args(a, &w, &gpu, &periods) : workload_from_args(a, a->operands[0], &w, &gpu);
    if (status == GCAST_OK)
        gpu_notes_say(w, gpu);
    if (status == GCAST_OK)
        status = args_has(a, "residency") ? residency_tell(a, w, gpu) : analyze(a, w, gpu, periods);
    gcast_gpu_free(gpu);
    gcast_workload_free(w);
    free(periods);
    return status;
}

static const option_spec options[] = {
    {"method", 0, "METHOD", "auto (default), exact, bound, explore or thesis"},
    {"any-order", 0, NULL, "calls of one time, without a host, in any order"},
    {"horizon", 0, "TIME", "only jobs released before TIME (default: all)"},
    {"limit", 0, "TIME", "give up a method after TIME (default: 1min)"},
    RESIDENCY_OPTION,
    LATENCY_OPTIONS,
    {"trace", 0, NULL, "method thesis: its steps, and its closed form"},
    PERIOD_OPTION,
    {"json", 0, NULL, "print gridcast.analysis/1"},
    {"quiet", 'q', NULL, "print no table"},
    ANSWER_FILE_OPTION,
    WITNESS_OPTIONS,
    ADVICE_OPTIONS,
    WORKLOAD_OPTIONS,
    {NULL, 0, NULL, NULL},
};

static const option_spec system_options[] = {ANALYZE_SYSTEM_OPTIONS, {NULL, 0, NULL, NULL}};

static const legend_entry legend[] = {
    {"best", "the shortest response time, from release to end"},
    {"seen", "the longest of the executions that were tried"},
    {"worst", "the longest; by exact and thesis it occurs, else it is an upper bound"},
    {"verdict", "met, met if (launches are not late), missed, or open"},
    {NULL, NULL},
};

const command cmd_analyze = {
    .name = "analyze",
    .operands = "WORKLOAD|MODEL.amxmi...",
    .min_operands = 1,
    .max_operands = -1,
    .summary = "response times and bounds: are deadlines met?",
    .options = options,
    .system_options = system_options,
    .shared_options = analyze_system_shared,
    .system_example = "gridcast analyze examples/12-car.amxmi --gpu tx2 -o car.html",
    .legend = legend,
    .examples = {"gridcast analyze examples/07-deadlines.json"},
    .run = run_command,
};
