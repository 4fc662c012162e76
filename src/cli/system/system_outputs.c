#include "cli/system/system_outputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "cli/simulated.h"
#include "report/format_names.h"

#define FORMATS_DRAWN (FORMATS_PICTURE | FORMAT_BIT(HTML))

static gcast_status check_file(const args *a, const char *path)
{
    if (path_ends_with(path, ".amxmi")) /* the model, with another mapping */
        return args_has(a, "map") ? GCAST_OK : say(GCAST_USAGE, "%s: only --map writes a model", path);
    return output_check_format(path, FORMATS_DRAWN | FORMAT_BIT(TABLE) | FORMAT_BIT(JSON),
                               "an analysis of a model is written as .txt .json .html .svg .png .pdf");
}

gcast_status system_files_check(const args *a)
{
    gcast_status status = GCAST_OK;
    if (args_has(a, "json") && args_has(a, "quiet"))
        return say(GCAST_USAGE, "give one of --quiet and --json");
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "output"))
            status = check_file(a, a->given[i].value);
    return status == GCAST_OK ? outputs_check(a, args_has(a, "json") ? "--json" : NULL) : status;
}

gcast_status system_report_options_from_args(const args *a, gcast_report_options *o)
{
    int64_t width = 0;
    *o = gcast_report_options_default();
    gcast_status status = ranges_from_args(a, o);
    if (status == GCAST_OK)
        status = args_int(a, "width", GCAST_MIN_WIDTH, GCAST_MAX_WIDTH, &width);
    o->width = (int)width;
    o->fold = !args_has(a, "no-fold");
    o->no_blocks = args_has(a, "no-blocks");
    o->color = want_color(a);
    return status;
}

static gcast_status write_one(const args *a, const system_output *w, const char *path, gcast_format format)
{
    output out;
    gcast_error err;
    gcast_status status = output_open(&out, path, args_has(a, "force"));
    if (status != GCAST_OK)
        return status;
    gcast_report_options options = w->options;
    options.color = options.color && out.file == stdout;
    if (w->answer)
        status = gcast_system_answer_report(w->answer, format, &options, args_has(a, "all"), w->command, output_write,
                                            &out, &err);
    else
        status = gcast_system_run_report(w->run, format, &options, output_write, &out, &err);
    return output_finish(&out, status, &err);
}

gcast_status system_files_write(const args *a, const system_output *w)
{
    gcast_status status = GCAST_OK;
    bool quiet = args_has(a, "quiet");
    for (size_t i = 0; i < a->given_count; i++)
        quiet = quiet || (args_is(a, i, "output") && output_is_standard(a->given[i].value));
    if (!quiet)
        status = write_one(a, w, "-", args_has(a, "json") ? GCAST_FORMAT_JSON : GCAST_FORMAT_TABLE);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        gcast_format format;
        if (args_is(a, i, "output") && gcast_format_from_name(a->given[i].value, &format))
            status = write_one(a, w, a->given[i].value, format);
    }
    return status;
}

/* The command line for a shell; NULL without memory. */
static char *typed_command(const args *a)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_";
    text t;
    text_open(&t, NULL, NULL);
    text_str(&t, "gridcast");
    for (int i = 0; i < a->argc; i++) {
        bool quote = !*a->argv[i] || a->argv[i][strspn(a->argv[i], plain)];
        text_str(&t, quote ? " '" : " ");
        for (const char *c = a->argv[i]; *c; c++)
            if (*c == '\'')
                text_str(&t, "'\\''");
            else
                text_char(&t, *c);
        text_str(&t, quote ? "'" : "");
    }
    return text_take(&t, NULL);
}

gcast_status system_tell(const args *a, const gcast_system_answer *answer)
{
    system_output w = {.answer = answer};
    const char *why;
    gcast_deadline_verdict verdict = gcast_system_answer_verdict(answer, &why);
    gcast_status status = system_report_options_from_args(a, &w.options);
    char *typed = typed_command(a);
    w.command = typed;
    if (status == GCAST_OK && !typed)
        status = say_no_memory();
    if (status == GCAST_OK)
        status = system_files_write(a, &w);
    free(typed);
    if (status != GCAST_OK || verdict == GCAST_DEADLINE_MET)
        return status;
    return say(verdict == GCAST_DEADLINE_MET_IF ? GCAST_CONDITION : GCAST_NO, "%s", why);
}
