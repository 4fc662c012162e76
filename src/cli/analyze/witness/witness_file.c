#include "cli/analyze/witness/witness_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "base/text/text.h"
#include "base/text/units.h"
#include "cli/analyze/witness/witness_picture.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "cli/suggest.h"

#define NO_OP SIZE_MAX
#define MS 1000000 /* in nanoseconds */

/* Options that an analysis depends on, for a command that repeats it. */
static const char *const repeated[] = {"method", "any-order", "horizon",  "limit",       "launch-latency", "quantile",
                                       "gpu",    "sms",       "duration", "calibration", "iterations",     "search"};

static bool has_deadline_at_risk(const gcast_answer *answer)
{
    for (size_t i = 0; i < answer->response_count; i++) {
        gcast_deadline_verdict v = gcast_answer_verdict(answer, &answer->responses[i]);
        if (v == GCAST_DEADLINE_MISSED || v == GCAST_DEADLINE_OPEN)
            return true;
    }
    return false;
}

/* The op of --op; NO_OP: it is not given, or there is none. */
static size_t find_op(const args *a, const gcast_workload *w)
{
    const char *label = args_value(a, "op");
    for (size_t i = 0; label && i < w->op_count; i++)
        if (strcmp(w->ops[i].label, label) == 0 && gcast_kind_on_gpu(w->ops[i].kind))
            return i;
    return NO_OP;
}

static gcast_status check_op(const args *a, const gcast_workload *w)
{
    const char *label = args_value(a, "op");
    if (!label || find_op(a, w) != NO_OP)
        return GCAST_OK;
    suggestion s = suggest_for(label);
    for (size_t i = 0; i < w->op_count; i++)
        if (gcast_kind_on_gpu(w->ops[i].kind))
            suggest_consider(&s, w->ops[i].label);
    return s.nearest ? say(GCAST_USAGE, "%s: no operation is called %s; did you mean %s?", w->source, label, s.nearest)
                     : say(GCAST_USAGE, "%s: no operation is called %s", w->source, label);
}

/* An error where -o writes to this file, too. */
static gcast_status outputs_differ(const args *a, const char *path)
{
    for (size_t i = 0; i < a->given_count; i++)
        if (args_is(a, i, "output") && atomic_file_same(a->given[i].value, path))
            return say(GCAST_USAGE, "--witness %s: is the file of -o, too", path);
    return GCAST_OK;
}

gcast_status witness_check(const args *a, const gcast_workload *w)
{
    const char *path = args_value(a, "witness");
    int64_t search_ns = -1;
    gcast_status status = args_time(a, "search", &search_ns);
    if (status != GCAST_OK)
        return status;
    if (!path)
        return args_has(a, "op") ? say(GCAST_USAGE, "--op goes with --witness")
               : args_has(a, "force") && !args_has(a, "output")
                   ? say(GCAST_USAGE, "--force goes with --witness or --output")
                   : GCAST_OK;
    if (search_ns == 0)
        return say(GCAST_USAGE, "--witness needs the search, which --search 0 leaves out");
    if (output_is_standard(path))
        return say(GCAST_USAGE, "--witness %s: standard output is taken by the answer", path);
    if (atomic_file_same(path, a->operands[0]))
        return say(GCAST_USAGE, "--witness %s: is the file that is read", path);
    gcast_format format;
    bool has_format = gcast_format_from_name(path, &format);
    if (has_format && format != GCAST_FORMAT_JSON && !witness_is_picture(path, &format))
        return say(GCAST_USAGE, "--witness %s: a witness is written as .json .svg .png .pdf .html", path);
    if (!witness_is_picture(path, &format))
        status = output_check_workload("--witness", "analyze", path);
    else if (!gcast_format_available(format))
        status = say(GCAST_RESOURCE, "--witness %s: this build cannot write %s", path, gcast_format_ending(format));
    if (status == GCAST_OK)
        status = outputs_differ(a, path);
    if (status == GCAST_OK)
        status = output_check(path, args_has(a, "force"));
    return status == GCAST_OK ? check_op(a, w) : status;
}

/* Is a picture to be written? Then the latest execution is shown also where no deadline is missed. */
static bool is_picture(const args *a)
{
    gcast_format format;
    return args_has(a, "witness") && witness_is_picture(args_value(a, "witness"), &format);
}

/* How many hyperperiods show the worst response of method exact, which simulated so many. */
static uint32_t exact_hyperperiods(const gcast_answer *answer)
{
    const gcast_workload *w = answer->workload;
    int64_t hyperperiod, release = 0;
    uint64_t count = 0;
    for (size_t i = 0; i < answer->analysis_count; i++)
        if (answer->analyses[i]->complete && answer->analyses[i]->method == GCAST_METHOD_EXACT)
            count = answer->analyses[i]->states;
    if (!count || !gcast_workload_hyperperiod(w, &hyperperiod))
        return 0;
    for (size_t i = w->once_count; i < w->op_count; i++)
        release = max_i64(release, w->ops[i].release_ns);
    count += (uint64_t)div_up(release, hyperperiod) + 1;
    return (uint32_t)min_u64(count, UINT32_MAX);
}

/* For each op the response that ends the search for it: its bound, or 0 where it does not matter. */
static int64_t *enough_of(const args *a, const gcast_answer *answer)
{
    int64_t *enough_ns = calloc(answer->workload->op_count + 1, sizeof *enough_ns);
    size_t chosen = find_op(a, answer->workload);
    for (size_t i = 0; enough_ns && i < answer->response_count; i++) {
        const gcast_response *r = &answer->responses[i];
        gcast_deadline_verdict v = gcast_answer_verdict(answer, r);
        if (args_has(a, "search") || (chosen == NO_OP && is_picture(a)) || r->op == chosen ||
            v == GCAST_DEADLINE_MISSED || v == GCAST_DEADLINE_OPEN)
            enough_ns[r->op] = r->never_called ? 0 : r->worst_ns;
    }
    return enough_ns;
}

/* Has some op of a task no bound, although all its jobs count? */
static bool may_grow(const gcast_answer *answer, const gcast_analyze_options *options)
{
    bool unbounded = false;
    for (size_t i = 0; i < answer->response_count; i++)
        unbounded =
            unbounded || (!answer->responses[i].never_called && answer->responses[i].worst_ns == GCAST_NO_BOUND);
    return unbounded && answer->workload->task_count && !options->horizon_ns;
}

gcast_status witness_search(const args *a, gcast_answer *answer, bool is_auto, const gcast_analyze_options *options,
                            progress *shown, gcast_witness **witness)
{
    gcast_witness_options own = gcast_witness_options_default();
    int64_t search_ns = is_auto ? own.max_ms * MS : 0; /* a safeguard: its limit is one of operations */
    bool is_given = args_has(a, "search"), is_written = args_has(a, "witness");
    *witness = NULL;
    gcast_status status = args_time(a, "search", &search_ns);
    if (status != GCAST_OK)
        return status;
    if (is_written && !search_ns)
        search_ns = own.max_ms * MS;
    bool at_risk = has_deadline_at_risk(answer) || args_has(a, "op") || is_picture(a);
    if (!search_ns || (answer->attained && !is_written) || (!at_risk && (!is_given || is_written)))
        return GCAST_OK;
    own.any_order = options->any_order;
    own.horizon_ns = options->horizon_ns;
    own.max_ms = div_up(search_ns, MS);
    own.launch_min_ns = options->launch_min_ns;
    own.launch_max_ns = options->launch_max_ns;
    own.copy_min_ns = options->copy_min_ns;
    own.copy_max_ns = options->copy_max_ns;
    own.quantile = options->quantile;
    own.growth = may_grow(answer, options);
    if (is_given)
        own.max_executions = own.max_operations = 0;
    if (answer->attained) { /* one execution shows it, and it is to be found */
        own.without_noise = true;
        own.hyperperiods = exact_hyperperiods(answer);
        own.max_ms = options->max_ms;
    }
    own.progress = progress_show;
    own.progress_data = shown;
    int64_t *enough_ns = enough_of(a, answer);
    if (!enough_ns)
        return say_no_memory();
    own.enough_ns = enough_ns;
    progress_next(shown, "trying executions", own.max_ms);
    gcast_error err;
    status = gcast_workload_witness(answer->workload, answer->gpu, &own, witness, &err);
    free(enough_ns);
    if (status == GCAST_OK && !answer->attained && !(*witness)->why_not)
        status = gcast_answer_add_witness(answer, *witness, &err);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

/* The response that is told: that of --op, else the one that misses its deadline by most. In a picture it may be met,
 * and where there are no deadlines it is the longest. NULL: there is none. */
static const gcast_response *told_response(const args *a, const gcast_answer *answer, const gcast_witness *witness)
{
    const gcast_response *worst = NULL;
    size_t chosen = find_op(a, answer->workload);
    bool may_be_met = is_picture(a), has_deadlines = false;
    int64_t most_ns = may_be_met ? INT64_MIN : 0;
    for (size_t i = 0; i < answer->response_count; i++)
        has_deadlines = has_deadlines || answer->responses[i].deadline_ns;
    for (size_t i = 0; i < answer->response_count; i++) {
        const gcast_response *r = &answer->responses[i];
        int64_t seen_ns = witness->seen_ns[r->op];
        if (chosen != NO_OP ? r->op != chosen : !r->deadline_ns && (has_deadlines || !may_be_met))
            continue;
        int64_t late_ns = answer->workload->ops[r->op].release_ns + seen_ns - r->deadline_ns;
        if (!seen_ns || (chosen == NO_OP && late_ns <= most_ns))
            continue;
        most_ns = late_ns;
        worst = r;
    }
    return worst;
}

/* "detect ends 12ms after its deadline", "detect takes 3ms" */
static void put_lateness(text *t, const gcast_answer *answer, const gcast_response *r, int64_t seen_ns,
                         const char *label)
{
    char time[40];
    int64_t late_ns = answer->workload->ops[r->op].release_ns + seen_ns - r->deadline_ns;
    bool is_late = r->deadline_ns && late_ns > 0;
    units_format_time(is_late ? late_ns : seen_ns, time, sizeof time);
    text_str(t, label);
    text_printf(t, is_late ? " ends %s after its deadline" : " takes %s", time);
}

/* A word of a command, in quotes where a shell would not take it as it is. */
static void put_word(text *t, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,=:+#";
    if (*word && *word != '#' && word[strspn(word, plain)] == '\0') {
        text_str(t, word);
        return;
    }
    text_char(t, '\'');
    for (; *word; word++)
        if (*word == '\'')
            text_str(t, "'\\''");
        else
            text_char(t, *word);
    text_char(t, '\'');
}

static void put_command(text *t, const args *a)
{
    text_str(t, ": gridcast analyze ");
    put_word(t, a->operands[0]);
    for (size_t i = 0; i < a->given_count; i++)
        for (size_t k = 0; k < sizeof repeated / sizeof repeated[0]; k++) {
            if (!args_is(a, i, repeated[k]))
                continue;
            text_printf(t, " --%s", repeated[k]);
            if (a->given[i].value) {
                text_char(t, ' ');
                put_word(t, a->given[i].value);
            }
        }
    text_str(t, " --witness late.json; gridcast simulate late.json");
}

static gcast_status say_text(text *t)
{
    char *line = text_take(t, NULL);
    gcast_status status = line ? say(GCAST_OK, "%s", line) : say_no_memory();
    free(line);
    return status;
}

static gcast_status write_workload(const char *path, bool force, const gcast_workload *w)
{
    gcast_error err;
    size_t size;
    char *bytes;
    if (gcast_workload_write_native(w, &bytes, &size, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = output_bytes(path, force, bytes, size);
    free(bytes);
    return status;
}

static gcast_status write_witness(const args *a, const gcast_answer *answer, const gcast_witness *witness,
                                  const gcast_response *r)
{
    const char *path = args_value(a, "witness");
    gcast_error err;
    gcast_workload *w;
    gcast_format format;
    size_t late;
    if (gcast_witness_workload(witness, r->op, &w, &late, &err) != GCAST_OK)
        return say_error(&err);
    text t;
    text_open(&t, NULL, NULL);
    put_lateness(&t, answer, r, witness->seen_ns[r->op], w->ops[late].label);
    char *lateness = text_take(&t, NULL);
    bool drawn = witness_is_picture(path, &format), force = args_has(a, "force");
    gcast_status status = !lateness ? say_no_memory()
                          : drawn   ? witness_draw(path, format, force, answer->workload, w, late, lateness)
                                    : write_workload(path, force, w);
    if (status == GCAST_OK) {
        text_open(&t, NULL, NULL);
        text_str(&t, path);
        text_str(&t, ": ");
        text_str(&t, lateness);
        if (!drawn) {
            text_str(&t, ", as gridcast simulate ");
            put_word(&t, path);
            text_str(&t, " shows");
        }
        status = say_text(&t);
    }
    free(lateness);
    gcast_workload_free(w);
    return status;
}

gcast_status witness_tell(const args *a, const gcast_answer *answer, const gcast_witness *witness)
{
    const char *path = args_value(a, "witness");
    if (witness && witness->why_not)
        say(GCAST_OK, "note: no execution was tried: %s", witness->why_not);
    const gcast_response *r = witness ? told_response(a, answer, witness) : NULL;
    if (r && path)
        return write_witness(a, answer, witness, r);
    if (path)
        return say(GCAST_OK, "note: %s is not written: no execution is known%s", path,
                   is_picture(a) ? "" : " that misses a deadline");
    if (!r || answer->attained)
        return GCAST_OK;
    text t;
    text_open(&t, NULL, NULL);
    put_lateness(&t, answer, r, witness->seen_ns[r->op], answer->workload->ops[r->op].label);
    put_command(&t, a);
    return say_text(&t);
}
