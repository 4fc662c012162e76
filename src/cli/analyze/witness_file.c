#include "cli/analyze/witness_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/text.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "cli/suggest.h"
#include "gridcast/names.h"
#include "model/workload/workload.h"
#include "report/format_names.h"
#include "report/phrases.h"

#define MS 1000000 /* in nanoseconds */

/* Does the ending of the name say that the witness is drawn? */
static bool witness_is_picture(const char *path, gcast_format *format)
{
    return gcast_format_from_name(path, format) && (*format == GCAST_FORMAT_SVG || *format == GCAST_FORMAT_PNG ||
                                                    *format == GCAST_FORMAT_PDF || *format == GCAST_FORMAT_HTML);
}

/* Options that an analysis depends on, for a command that repeats it. */
static const char *const repeated[] = {"method", "any-order", "horizon",  "limit",       "launch-latency", "quantile",
                                       "gpu",    "sms",       "duration", "calibration", "iterations",     "search"};

/* The op of --op; GCAST_NO_OP: --op is not given, or names none. */
static size_t find_op(const args *a, const gcast_workload *w)
{
    const char *label = args_value(a, "op");
    for (size_t i = 0; label && i < w->op_count; i++)
        if (strcmp(w->ops[i].label, label) == 0 && gcast_kind_on_gpu(w->ops[i].kind))
            return i;
    return GCAST_NO_OP;
}

static gcast_status check_op(const args *a, const gcast_workload *w)
{
    const char *label = args_value(a, "op");
    if (!label || find_op(a, w) != GCAST_NO_OP)
        return GCAST_OK;
    suggestion s = suggest_for(label);
    for (size_t i = 0; i < w->op_count; i++)
        if (gcast_kind_on_gpu(w->ops[i].kind))
            suggest_consider(&s, w->ops[i].label);
    return s.nearest ? say(GCAST_USAGE, "%s: no operation is called %s; did you mean %s?", w->source, label, s.nearest)
                     : say(GCAST_USAGE, "%s: no operation is called %s", w->source, label);
}

/* -o must not write to this file, too. */
static gcast_status check_outputs_differ(const args *a, const char *path)
{
    for (size_t i = 0; i < a->given_count; i++)
        if (args_is(a, i, "output") && atomic_file_same(a->given[i].value, path))
            return say(GCAST_USAGE, "--witness %s: -o names the same file", path);
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
        return args_has(a, "op") ? say(GCAST_USAGE, "--op needs --witness")
               : args_has(a, "force") && !args_has(a, "output")
                   ? say(GCAST_USAGE, "--force needs --witness or --output")
                   : GCAST_OK;
    if (search_ns == 0)
        return say(GCAST_USAGE, "--witness needs the search, which --search 0 leaves out");
    if (output_is_standard(path))
        return say(GCAST_USAGE, "--witness %s: standard output is already used by the answer", path);
    if (atomic_file_same(path, a->operands[0]))
        return say(GCAST_USAGE, "--witness %s: this file is the input", path);
    gcast_format format;
    bool has_format = gcast_format_from_name(path, &format);
    if (has_format && format != GCAST_FORMAT_JSON && !witness_is_picture(path, &format))
        return say(GCAST_USAGE, "--witness %s: a witness is written as .json .svg .png .pdf .html", path);
    if (!witness_is_picture(path, &format))
        status = output_check_workload("--witness", "analyze", path);
    else if (!gcast_format_available(format))
        status = say(GCAST_RESOURCE, "--witness %s: this build cannot write %s", path,
                     gcast_name(GCAST_NAMES_FORMAT, format));
    if (status == GCAST_OK)
        status = check_outputs_differ(a, path);
    if (status == GCAST_OK)
        status = output_check(path, args_has(a, "force"));
    return status == GCAST_OK ? check_op(a, w) : status;
}

/* Is a picture to be written? It shows the latest execution also if no deadline is missed. */
static bool is_picture(const args *a)
{
    gcast_format format;
    return args_has(a, "witness") && witness_is_picture(args_value(a, "witness"), &format);
}

gcast_status witness_search(const args *a, const gcast_workload *w, bool is_auto, gcast_search_options *search,
                            bool *is_wanted)
{
    int64_t search_ns = 0;
    bool is_given = args_has(a, "search"), is_written = args_has(a, "witness");
    *search = gcast_search_options_default();
    gcast_status status = args_time(a, "search", &search_ns);
    search->max_ms = div_up(search_ns, MS);
    search->op = find_op(a, w);
    search->all = is_given || (is_picture(a) && search->op == GCAST_NO_OP);
    search->attained = is_written;
    *is_wanted = is_given ? search_ns > 0 : is_auto || is_written;
    return status;
}

/* The response to report: that of --op, else the one that misses its deadline by most. In a picture the deadline may be
 * met; without deadlines it is the longest response. False: there is none. */
static bool choose_response(const args *a, const gcast_answer *answer, gcast_late *late)
{
    size_t chosen = find_op(a, answer->workload);
    return gcast_answer_find_late(answer, chosen, late) &&
           (chosen != GCAST_NO_OP || is_picture(a) || late->late_ns > 0);
}

/* A word of a command, in quotes if a shell needs them. */
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

static gcast_status draw(const gcast_answer *answer, size_t op, const char *path, gcast_format format, bool force)
{
    gcast_error err;
    output out;
    gcast_status status = output_open(&out, path, force);
    if (status != GCAST_OK)
        return status;
    return output_finish(&out, gcast_answer_report_late(answer, op, format, output_write, &out, &err), &err);
}

/* Says what the file shows. */
static gcast_status say_written(const char *path, const char *label, const gcast_late *late, bool is_drawn)
{
    text t;
    text_open(&t, NULL, NULL);
    text_str(&t, path);
    text_str(&t, ": ");
    phrase_late(&t, label, late);
    if (!is_drawn) {
        text_str(&t, ", as gridcast simulate ");
        put_word(&t, path);
        text_str(&t, " shows");
    }
    return say_text(&t);
}

static gcast_status write_witness(const args *a, const gcast_answer *answer, const gcast_late *late)
{
    const char *path = args_value(a, "witness");
    gcast_error err;
    gcast_workload *w;
    gcast_format format;
    size_t op;
    if (gcast_answer_late_execution(answer, late->op, &w, &op, &err) != GCAST_OK)
        return say_error(&err);
    bool is_drawn = witness_is_picture(path, &format), force = args_has(a, "force");
    gcast_status status = is_drawn ? draw(answer, late->op, path, format, force) : output_workload(path, force, w);
    if (status == GCAST_OK)
        status = say_written(path, w->ops[op].label, late, is_drawn);
    gcast_workload_free(w);
    return status;
}

gcast_status witness_tell(const args *a, const gcast_answer *answer)
{
    const char *path = args_value(a, "witness");
    gcast_late late;
    if (answer->search_why_not)
        say(GCAST_OK, "note: no execution was tried: %s", answer->search_why_not);
    bool is_found = choose_response(a, answer, &late);
    if (is_found && path)
        return write_witness(a, answer, &late);
    if (path)
        return say(GCAST_OK, "note: %s is not written: no execution was found%s", path,
                   is_picture(a) ? "" : " that misses a deadline");
    if (!is_found || answer->attained)
        return GCAST_OK;
    text t;
    text_open(&t, NULL, NULL);
    phrase_late(&t, answer->workload->ops[late.op].label, &late);
    put_command(&t, a);
    return say_text(&t);
}
