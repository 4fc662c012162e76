#include "cli/system/system_files.h"

#include "cli/output/extension.h"
#include "cli/output/output.h"
#include "cli/run/ranges.h"
#include "cli/say.h"

static bool draws(gcast_format f)
{
    return f == GCAST_FORMAT_SVG || f == GCAST_FORMAT_PNG || f == GCAST_FORMAT_PDF || f == GCAST_FORMAT_HTML;
}

static gcast_status check_file(const args *a, const char *path)
{
    gcast_format format;
    if (path_ends_with(path, ".amxmi")) /* the model, with another mapping */
        return args_has(a, "map") ? GCAST_OK : say(GCAST_USAGE, "%s: a model is written with --map", path);
    if (!gcast_format_from_name(path, &format) ||
        (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON && !draws(format)))
        return say(GCAST_USAGE, "%s: of a model there are .txt .json .html .svg .png .pdf", path);
    if (!gcast_format_available(format))
        return say(GCAST_RESOURCE, "%s: this build cannot write %s", path, gcast_format_ending(format));
    return GCAST_OK;
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

bool system_files_draw(const args *a)
{
    gcast_format format;
    for (size_t i = 0; i < a->given_count; i++)
        if (args_is(a, i, "output") && gcast_format_from_name(a->given[i].value, &format) && draws(format))
            return true;
    return false;
}

gcast_status system_report_options_from_args(const args *a, sys_report_options *o)
{
    int64_t width = 0;
    int communication = SYS_IMPLICIT;
    *o = system_report_options_default();
    gcast_status status = ranges_from_args(a, &o->report);
    if (status == GCAST_OK)
        status = args_int(a, "width", GCAST_MIN_WIDTH, GCAST_MAX_WIDTH, &width);
    if (status == GCAST_OK)
        status = args_choice(a, "communication", communication_choices, &communication);
    o->report.width = (int)width;
    o->report.fold = !args_has(a, "no-fold");
    o->report.no_blocks = args_has(a, "no-blocks");
    o->report.color = want_color(a);
    o->communication = (sys_communication)communication;
    o->all = args_has(a, "all");
    return status;
}

static gcast_status write_one(const args *a, const system_output *w, const char *path, gcast_format format)
{
    output out;
    gcast_error err;
    gcast_status status = output_open(&out, path, args_has(a, "force"));
    if (status != GCAST_OK)
        return status;
    sys_report_options options = w->options;
    options.report.color = options.report.color && out.file == stdout;
    if (w->answer)
        status = system_answer_report(w->answer, w->run, format, &options, output_write, &out, &err);
    else
        status = system_run_report(w->run, format, &options, output_write, &out, &err);
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
