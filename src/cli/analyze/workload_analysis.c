#include "cli/analyze/workload_analysis.h"

#include "base/text.h"
#include "cli/analyze/advice.h"
#include "cli/analyze/analyze_args.h"
#include "cli/analyze/answer.h"
#include "cli/analyze/witness_file.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "cli/system/model_args.h"
#include "report/format_names.h"

/* The files of -o have an answer as a table, as JSON or as a picture. */

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
    bool has_times = answer->analyses[0]->method != GCAST_METHODS || answer_added(answer);
    if (!gcast_format_from_name(path, &format) || (!has_times && FORMATS_PICTURE >> format & 1))
        return GCAST_OK;
    gcast_status status = output_open(&out, path, args_has(a, "force"));
    if (status != GCAST_OK)
        return status;
    return output_finish(&out, gcast_answer_report(answer, format, NULL, output_write, &out, &err), &err);
}

/* Pictures are not written if the method of a component has no times. */
static gcast_status answer_files_write(const args *a, const gcast_answer *answer)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "output"))
            status = write_file(a, answer, a->given[i].value);
    return status;
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
    return r->complete || r->searched || answer_added(r);
}

static gcast_status print(const workload_analysis *x, const gcast_answer *r)
{
    const args *a = x->a;
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
        if (x->before_table)
            status = x->before_table(a, r, options.color, &out.words);
        if (status != GCAST_OK)
            return output_finish(&out, status, NULL);
        status = gcast_answer_report(r, GCAST_FORMAT_TABLE, &options, append, &out.words, &err);
    }
    return output_finish(&out, status, &err);
}

/* Says why a method gave no answer; as a note if another method gave one. */
static void say_why_not(const gcast_answer *r)
{
    const owned_analysis *added = answer_added(r);
    for (size_t i = 0; i < r->analysis_count; i++)
        if (added && added == r->analyses[i]->memory && !added->a.complete)
            say(GCAST_NO, "note: method %s %s: %s", added->by->name, added->by->part, added->a.why_not);
        else if (!r->analyses[i]->complete)
            say(GCAST_NO, "%smethod %s gives no answer: %s", r->complete ? "note: " : "",
                analysis_method_name(r->analyses[i]), r->analyses[i]->why_not);
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
    gcast_status status = advice_from_args(a, r, by ? by : r->analyses[0], complete_count < 2, options);
    return status == GCAST_OK ? answered : status;
}

/* Prints the answer, then what it lacks, then advice and the witness. */
static gcast_status tell(const workload_analysis *x, const gcast_answer *r)
{
    const args *a = x->a;
    gcast_status status = answer_files_use_stdout(a) || args_has(a, "quiet") ? GCAST_OK : print(x, r);
    if (status == GCAST_OK)
        status = answer_files_write(a, r);
    say_why_not(r);
    if (status == GCAST_OK)
        status = advise(a, r, &x->options);
    bool is_answered = status <= GCAST_NO || status == GCAST_CONDITION;
    gcast_status told = is_answered ? witness_tell(a, r) : GCAST_OK;
    return told == GCAST_OK ? status : told;
}

gcast_status workload_analysis_check_input(const args *a)
{
    gcast_status status = system_options_check(a);
    if (status == GCAST_OK && args_has(a, "json") && args_has(a, "quiet"))
        return say(GCAST_USAGE, "give one of --quiet and --json");
    return status;
}

gcast_status workload_analysis_check(workload_analysis *x)
{
    gcast_status status = answer_files_check(x->a);
    if (status == GCAST_OK)
        status = advice_check(x->a, x->gpu);
    if (status == GCAST_OK)
        status = witness_check(x->a, x->w);
    return status == GCAST_OK ? analyze_options_from_args(x->a, &x->options) : status;
}

gcast_status workload_analysis_run(const workload_analysis *x)
{
    gcast_answer *r;
    gcast_search_options search;
    bool is_searched, is_auto = !x->added && x->method_count != 1;
    gcast_analyze_options own = x->options;
    gcast_status status = witness_search(x->a, x->w, is_auto, &search, &is_searched);
    own.search = is_searched ? &search : NULL;
    if (status == GCAST_OK)
        status = answer_make(&r, x->w, x->gpu, x->added, x->methods, x->method_count, &own);
    if (status != GCAST_OK)
        return status;
    status = tell(x, r);
    gcast_answer_free(r);
    return status;
}
