#include "cli/exec/exec_outputs.h"

#include <stdlib.h>

#include "cli/exec/arguments/buffers.h"
#include "cli/output/output.h"
#include "cli/say.h"

gcast_status exec_outputs_check(execution *x)
{
    for (size_t i = 0; i < x->a->given_count; i++) {
        const char *path = x->a->given[i].value;
        gcast_format f;
        if (!args_is(x->a, i, "output"))
            continue;
        if (!gcast_format_from_name(path, &f) || f == GCAST_FORMAT_HTML || f == GCAST_FORMAT_TRACE)
            return say(GCAST_USAGE, "%s: a launch is written as .txt .csv .json .svg .png or .pdf", path);
        if (!gcast_format_available(f))
            return say(GCAST_RESOURCE, "%s: this build cannot write %s", path, gcast_format_ending(f));
        if (f == GCAST_FORMAT_CSV && !x->options.profile)
            return say(GCAST_USAGE, "%s: lines are counted with --profile", path);
        if (f != GCAST_FORMAT_TABLE && f != GCAST_FORMAT_CSV && f != GCAST_FORMAT_JSON && !x->options.max_masks)
            return say(GCAST_USAGE, "%s: a picture shows the warp that --masks BLOCK,WARP names", path);
        x->stdout_is_used = x->stdout_is_used || output_is_standard(path);
    }
    x->stdout_is_used = x->stdout_is_used || args_has(x->a, "json");
    return outputs_check(x->a, args_has(x->a, "json") ? "--json" : NULL);
}

static gcast_status write_report(const execution *x, const gcast_exec *e, const char *path, gcast_format format)
{
    gcast_error err;
    output out;
    gcast_status status = output_open(&out, path, args_has(x->a, "force"));
    if (status != GCAST_OK)
        return status;
    return output_finish(&out, gcast_exec_report(e, format, output_write, &out, &err), &err);
}

/* Every -o, and on standard output what --json and --quiet say. */
static gcast_status write_reports(execution *x)
{
    const args *a = x->a;
    size_t size;
    bool out_of_memory = x->printed.failed;
    char *printed = x->stdout_is_used ? text_take(&x->printed, &size) : NULL;
    if (out_of_memory || (x->stdout_is_used && !printed))
        return say_no_memory();
    gcast_exec e = {.source = x->file,
                    .kernel = x->launch.launch.kernel,
                    .launch = &x->launch.launch,
                    .report = x->report,
                    .options = &x->options,
                    .printed = printed,
                    .times = x->times,
                    .cost = x->cost.figures ? &x->cost.summary : NULL,
                    .registers = x->cost.estimated ? 0 : (uint32_t)x->cost.registers};
    gcast_status status = GCAST_OK;
    if (args_has(a, "json"))
        status = write_report(x, &e, "-", GCAST_FORMAT_JSON);
    else if (!x->stdout_is_used && !args_has(a, "quiet"))
        status = write_report(x, &e, "-", GCAST_FORMAT_TABLE);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        gcast_format f;
        if (args_is(a, i, "output") && gcast_format_from_name(a->given[i].value, &f))
            status = write_report(x, &e, a->given[i].value, f);
    }
    free(printed);
    return status;
}

static gcast_status print_buffers(const execution *x)
{
    output out;
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    exec_buffers_print(&x->launch, x->a, &out.words);
    return output_finish(&out, GCAST_OK, NULL);
}

gcast_status exec_outputs_write(execution *x)
{
    gcast_status status = write_reports(x);
    if (status == GCAST_OK && !x->stdout_is_used)
        status = print_buffers(x);
    if (status == GCAST_OK)
        status = exec_cost_write(&x->cost, x->report, &x->launch.launch, x->a);
    if (status == GCAST_OK)
        status = exec_buffers_write(&x->launch, x->a);
    if (status == GCAST_OK && x->report && x->options.max_masks && x->report->masks == MAX_RECORDED_MASKS)
        say(GCAST_OK, "note: only the first %d instructions of the warp are in its masks", MAX_RECORDED_MASKS);
    if (status == GCAST_OK)
        status = exec_buffers_compare(&x->launch, x->a);
    if (status == GCAST_OK && x->report && x->options.check_races && x->report->races)
        status = GCAST_NO;
    return status;
}
