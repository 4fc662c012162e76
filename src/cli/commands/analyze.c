/* gridcast analyze: response times and bounds, and whether deadlines are met. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/analyze/advice.h"
#include "cli/analyze/analyze_args.h"
#include "cli/analyze/answer.h"
#include "cli/analyze/hangs.h"
#include "cli/analyze/thesis_trace.h"
#include "cli/analyze/witness_file.h"
#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/system/map_system.h"
#include "cli/system/model_args.h"
#include "cli/system/system_outputs.h"
#include "cli/workload_args.h"
#include "gridcast/analyze.h"
#include "gridcast/names.h"
#include "model/research/thesis_analysis.h"
#include "report/format_names.h"

/* The files of -o have an answer as a table, as JSON or as a picture. */

#define ANSWER_FILE_OPTION                                                                                             \
    {                                                                                                                  \
        "output", 'o', "FILE", "as .txt .json, or as a picture .svg .png .pdf"                                         \
    }

/* Can all files be written? Errors are printed. */
static gcast_status answer_files_check(const args *a)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "output"))
            status = output_check_format(a->given[i].value, FORMATS_PICTURE | FORMAT_BIT(TABLE) | FORMAT_BIT(JSON),
                                         "an analysis is written as .txt .json .svg .png .pdf");
    const char *stdout_user = args_has(a, "json") ? "--json" : advice_wanted(a) ? "advice" : NULL;
    return status == GCAST_OK ? outputs_check(a, stdout_user) : status;
}

/* Does a -o write to standard output? */
static bool answer_files_use_stdout(const args *a)
{
    for (size_t i = 0; i < a->given_count; i++)
        if (args_is(a, i, "output") && output_is_standard(a->given[i].value))
            return true;
    return false;
}

static gcast_status write_file(const args *a, const gcast_answer *answer, const char *path)
{
    output out;
    gcast_error err;
    gcast_format format;
    bool has_times = answer->analyses[0]->method != GCAST_METHOD_THESIS || gcast_answer_thesis(answer);
    if (!gcast_format_from_name(path, &format) || (!has_times && FORMATS_PICTURE >> format & 1))
        return GCAST_OK;
    gcast_status status = output_open(&out, path, args_has(a, "force"));
    if (status != GCAST_OK)
        return status;
    return output_finish(&out, gcast_answer_report(answer, format, NULL, output_write, &out, &err), &err);
}

/* Pictures are not written if method thesis has no times. */
static gcast_status answer_files_write(const args *a, const gcast_answer *answer)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "output"))
            status = write_file(a, answer, a->given[i].value);
    return status;
}

/* AMALTHEA models are analyzed as systems, unless by method thesis. */

#define ANALYZE_SYSTEM_OPTIONS                                                                                         \
    SYSTEM_OPTIONS, CONTEXTS_OPTION, {"chain", 0, "A,B,C", "a chain of tasks, first to last; may repeat"},             \
        {"communication", 0, "DATA", "data of chains: direct, implicit (default) or let"},                             \
        {"reaction", 0, "FROM", "reactions from the stimulus (auto) or the change"},                                   \
        {"ignore-offsets", 0, NULL, "tasks may have any phase to each other"}, MAP_OPTIONS,                            \
    {                                                                                                                  \
        "all", 0, NULL, "also list the parts of worst times, and all steps"                                            \
    }

/* These options of workloads are options for models, too. */
static const option_spec analyze_system_shared[] = {
    {"method", 0, NULL, "of the GPU: bound (auto), exact, explore, thesis"},
    {"limit", 0, NULL, NULL},
    {"launch-latency", 0, NULL, NULL},
    {"quantile", 0, NULL, NULL},
    {"trace", 0, NULL, NULL},
    {"period", 0, NULL, NULL},
    {"json", 0, NULL, "print gridcast.system/1"},
    {"quiet", 0, NULL, NULL},
    {"output", 0, NULL, ".txt .json .html .svg .png .pdf; --map: .amxmi"},
    {"force", 0, NULL, NULL},
    {"gpu", 0, NULL, NULL},
    {"sms", 0, NULL, NULL},
    {NULL, 0, NULL, NULL},
};

static bool is_by_thesis(const args *a)
{
    const char *method = args_value(a, "method");
    return method && strcmp(method, gcast_name(GCAST_NAMES_METHOD, GCAST_METHOD_THESIS)) == 0;
}

/* Without --map. */
static gcast_status analyze_mapped(const args *a, const gcast_system_analyze_options *given)
{
    gcast_error err;
    progress shown;
    gcast_system *system;
    gcast_system_answer *answer;
    gcast_system_analyze_options o = *given;
    gcast_analyze_options gpu = *given->gpu;
    gcast_status status = system_from_args(a, &system);
    if (status != GCAST_OK)
        return status;
    progress_start(&shown, "analysing");
    gpu.progress = progress_show;
    gpu.progress_data = &shown;
    o.gpu = &gpu;
    status = gcast_system_analyze(system, &o, &answer, &err);
    progress_end(&shown);
    status = status == GCAST_OK ? system_tell(a, answer) : say_error(&err);
    gcast_system_answer_free(answer);
    gcast_system_free(system);
    return status;
}

/* Do the options fit the method? Errors are printed. */
static gcast_status analyze_system_check(const args *a)
{
    static const char *const of_thesis[] = {"trace", "period"};
    static const char *const of_others[] = {"chain", "communication", "reaction", "ignore-offsets",
                                            "all",   "contexts",      "map"};
    bool by_thesis = is_by_thesis(a);
    for (size_t i = 0; i < sizeof of_thesis / sizeof of_thesis[0]; i++)
        if (!by_thesis && args_has(a, of_thesis[i]))
            return say(GCAST_USAGE, "--%s needs --method thesis", of_thesis[i]);
    for (size_t i = 0; i < sizeof of_others / sizeof of_others[0]; i++)
        if (by_thesis && args_has(a, of_others[i]))
            return say(GCAST_USAGE, "--%s cannot be used with --method thesis, which analyzes only the GPU",
                       of_others[i]);
    return args_has(a, "map") ? GCAST_OK : map_args_refuse(a);
}

static gcast_status analyze_system(const args *a)
{
    gcast_system_analyze_options o = gcast_system_analyze_options_default();
    gcast_analyze_options gpu = gcast_analyze_options_default();
    int method = 0, communication = GCAST_COMMUNICATION_IMPLICIT, reaction = GCAST_REACTION_STIMULUS;
    gcast_status status = args_choice(a, "method", method_choices, &method);
    if (status == GCAST_OK)
        status = args_choice(a, "communication", communication_choices, &communication);
    if (status == GCAST_OK)
        status = args_choice(a, "reaction", reaction_choices, &reaction);
    if (status == GCAST_OK)
        status = analyze_options_from_args(a, &gpu);
    if (status == GCAST_OK)
        status = system_files_check(a);
    if (status != GCAST_OK)
        return status;
    if (method) /* 0: auto, which is the default */
        o.method = (gcast_method)(method - 1);
    o.communication = (gcast_communication)communication;
    o.reaction = (gcast_reaction)reaction;
    o.ignore_offsets = args_has(a, "ignore-offsets");
    o.gpu = &gpu;
    return args_has(a, "map") ? map_system(a, &o) : analyze_mapped(a, &o);
}

/* Workloads are analyzed by one method or several. */

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

/* Says why a method gave no answer; as a note if another method gave one. */
static void say_why_not(const gcast_answer *r)
{
    for (size_t i = 0; i < r->analysis_count; i++)
        if (r->analyses[i]->thesis && !r->analyses[i]->complete)
            say(GCAST_NO, "note: method thesis covers one release only: %s", r->analyses[i]->why_not);
        else if (!r->analyses[i]->complete)
            say(GCAST_NO, "%smethod %s gives no answer: %s", r->complete ? "note: " : "",
                gcast_name(GCAST_NAMES_METHOD, r->analyses[i]->method), r->analyses[i]->why_not);
    if (r->duration_percent && !has_table(r))
        say(GCAST_NO, "method bound shows that all deadlines are met if kernels take at most %d %% of their time%s",
            r->duration_percent, r->percent_may_be_larger ? " (perhaps more)" : "");
}

static size_t deadlines_met(const gcast_answer *r, const gcast_analysis *part)
{
    size_t met_count = 0;
    for (size_t i = 0; i < part->response_count; i++)
        met_count += answer_shows_met(r, &part->responses[i]);
    return met_count;
}

/* Prints advice by the method that shows the most deadlines to be met. The status is that of the answer unless the
 * advice fails: whoever asks for advice may miss deadlines. */
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

/* Do the options fit the method and each other, and can all files be written? */
static gcast_status check_args(const args *a, bool by_thesis)
{
    static const char *const thesis_options[] = {"trace", "period"};
    for (size_t i = 0; i < 2; i++)
        if (args_has(a, thesis_options[i]) && !by_thesis)
            return say(GCAST_USAGE, "--%s needs --method thesis", thesis_options[i]);
    if (args_has(a, "period") && advice_wanted(a))
        return say(GCAST_USAGE, "--sensitivity, --order, --priorities and --what-if cannot be used with --period");
    return answer_files_check(a);
}

/* Prints the answer, then what it lacks, then advice and the witness. */
static gcast_status tell(const args *a, const gcast_answer *r, const gcast_analyze_options *options)
{
    gcast_status status = answer_files_use_stdout(a) || args_has(a, "quiet") ? GCAST_OK : print(a, r);
    if (status == GCAST_OK)
        status = answer_files_write(a, r);
    say_why_not(r);
    if (status == GCAST_OK)
        status = advise(a, r, options);
    bool is_answered = status <= GCAST_NO || status == GCAST_CONDITION;
    gcast_status told = is_answered ? witness_tell(a, r) : GCAST_OK;
    return told == GCAST_OK ? status : told;
}

static gcast_status analyze_by(const args *a, const gcast_workload *w, const gcast_gpu *gpu,
                               const gcast_method *methods, size_t count, const gcast_analyze_options *options)
{
    gcast_answer *r;
    gcast_search_options search;
    bool is_searched;
    gcast_analyze_options own = *options;
    gcast_status status = witness_search(a, w, count != 1, &search, &is_searched);
    own.search = is_searched ? &search : NULL;
    if (status == GCAST_OK)
        status = answer_make(&r, w, gpu, methods, count, &own);
    if (status != GCAST_OK)
        return status;
    status = tell(a, r, options);
    gcast_answer_free(r);
    return status;
}

/* `known` has periods of ops that run once; NULL: none is known. */
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
    if (of_model && !is_by_thesis(a)) /* method thesis takes only the kernels of a model */
        return analyze_system(a);
    status = of_model ? model_thesis_from_args(a, &w, &gpu, &periods) : workload_from_args(a, &w, &gpu);
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
    {"any-order", 0, NULL, "any order of calls released at one time (no host)"},
    {"horizon", 0, "TIME", "only jobs released before TIME (default: all)"},
    {"limit", 0, "TIME", "stop each method after TIME (default: 1min)"},
    RESIDENCY_OPTION,
    LATENCY_OPTIONS,
    {"trace", 0, NULL, "method thesis: show its steps and its closed form"},
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
    {"best", "the shortest response time (from release to end)"},
    {"seen", "the longest response time in the executions that were tried"},
    {"worst", "the longest (exact, thesis: it occurs), else an upper bound"},
    {"verdict", "met; met if: met on the printed condition; missed; open: not known"},
    {NULL, NULL},
};

const command cmd_analyze = {
    .name = "analyze",
    .operands = "WORKLOAD|MODEL.amxmi...",
    .min_operands = 1,
    .max_operands = -1,
    .summary = "compute response times and bounds: are deadlines met?",
    .options = options,
    .system_options = system_options,
    .shared_options = analyze_system_shared,
    .system_example = "gridcast analyze examples/12-car.amxmi --gpu tx2 -o car.html",
    .legend = legend,
    .examples = {"gridcast analyze examples/07-deadlines.json"},
    .run = run_command,
};
