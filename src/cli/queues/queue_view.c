#include "cli/queues/queue_view.h"

#include <stdlib.h>

#include "base/text/units.h"
#include "cli/output/output.h"
#include "cli/say.h"

static gcast_status check_file(const char *path)
{
    gcast_format format;
    if (!gcast_format_from_name(path, &format) || (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_SVG &&
                                                   format != GCAST_FORMAT_PNG && format != GCAST_FORMAT_PDF))
        return say(GCAST_USAGE, "-o %s: with --queues its ending is .txt .svg .png or .pdf", path);
    if (!gcast_format_available(format))
        return say(GCAST_RESOURCE, "-o %s: this build cannot write %s (it was made without cairo)", path,
                   gcast_format_ending(format));
    return GCAST_OK;
}

gcast_status queues_check(const args *a)
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

/* Jobs that would be released at the horizon or later are not in the run. */
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

gcast_status queues_write(const args *a, const gcast_run *run)
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
