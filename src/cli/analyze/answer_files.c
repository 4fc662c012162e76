#include "cli/analyze/answer_files.h"

#include "cli/analyze/advice.h"
#include "cli/output/output.h"
#include "cli/say.h"

static bool is_picture(gcast_format f)
{
    return f == GCAST_FORMAT_SVG || f == GCAST_FORMAT_PNG || f == GCAST_FORMAT_PDF;
}

static gcast_status check_file(const char *path)
{
    gcast_format format;
    if (!gcast_format_from_name(path, &format) ||
        (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON && !is_picture(format)))
        return say(GCAST_USAGE, "%s: an analysis is written as .txt .json .svg .png .pdf", path);
    if (!gcast_format_available(format))
        return say(GCAST_RESOURCE, "%s: this build cannot write %s", path, gcast_format_ending(format));
    return GCAST_OK;
}

gcast_status answer_files_check(const args *a)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "output"))
            status = check_file(a->given[i].value);
    const char *stdout_user = args_has(a, "json") ? "--json" : advice_wanted(a) ? "advice" : NULL;
    return status == GCAST_OK ? outputs_check(a, stdout_user) : status;
}

bool answer_files_use_stdout(const args *a)
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
    bool by_thesis = answer->analyses[0]->method == GCAST_METHOD_THESIS;
    if (!gcast_format_from_name(path, &format) || (is_picture(format) && by_thesis && !gcast_answer_thesis(answer)))
        return GCAST_OK;
    gcast_status status = output_open(&out, path, args_has(a, "force"));
    if (status != GCAST_OK)
        return status;
    return output_finish(&out, gcast_answer_report(answer, format, NULL, output_write, &out, &err), &err);
}

gcast_status answer_files_write(const args *a, const gcast_answer *answer)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "output"))
            status = write_file(a, answer, a->given[i].value);
    return status;
}
