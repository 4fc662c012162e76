/* Reports of the answer for a system, and of an execution of one. */
#include "base/api.h"
#include "gridcast/names.h"
#include "report/canvas/canvas.h"
#include "report/system/gantt.h"
#include "report/system/system_report.h"
#include "simulate/system/system_simulate.h"
#include "system/system_handle.h"

/* Copies what reports of systems read of the options over the defaults. */
static gcast_status take_options(const gcast_report_options *given, sys_report_options *out, gcast_error *err)
{
    gcast_report_options own = gcast_report_options_default();
    *out = system_report_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_report_options", err);
    out->report.first_sm = own.first_sm;
    out->report.last_sm = own.last_sm;
    out->report.from_ns = own.from_ns;
    out->report.to_ns = own.to_ns;
    out->report.max_rows = own.max_rows;
    out->report.width = own.width;
    out->report.fold = own.fold;
    out->report.color = own.color;
    out->report.no_blocks = own.no_blocks;
    return status;
}

/* Does the report need what runs when? */
static bool shows_execution(gcast_format format)
{
    return canvas_writes(format) || format == GCAST_FORMAT_HTML;
}

/* Simulates what pictures show: an execution with the longest times, over the time that a picture can show. */
static gcast_status simulate_window(const sys_answer *a, sys_run **run, gcast_error *err)
{
    sys_simulate_options o = {.durations = GCAST_DURATIONS_MAX, .record = true};
    o.horizon_ns = system_window_ns(a->of);
    return system_error_in(a->of, system_simulate(a->of, a->places, &o, run, err), err);
}

gcast_status gcast_system_answer_report(const gcast_system_answer *x, gcast_format format,
                                        const gcast_report_options *options, bool all, const char *command,
                                        gcast_write_fn write, void *data, gcast_error *err)
{
    sys_run *run = NULL;
    sys_report_options o;
    if (!x || !write)
        return argument_missing(err);
    gcast_status status = take_options(options, &o, err);
    if (status == GCAST_OK && shows_execution(format))
        status = simulate_window(x->answer, &run, err);
    o.all = all;
    o.command = command;
    o.communication = x->answer->communication;
    o.search = x->search;
    if (status == GCAST_OK)
        status = system_answer_report(x->answer, run, format, &o, write, data, err);
    if (run)
        system_run_free(run);
    return status;
}

gcast_status gcast_system_run_report(const gcast_system_run *x, gcast_format format,
                                     const gcast_report_options *options, gcast_write_fn write, void *data,
                                     gcast_error *err)
{
    sys_report_options o;
    if (!x || !write)
        return argument_missing(err);
    gcast_status status = take_options(options, &o, err);
    if (status == GCAST_OK && !x->run->is_recorded && (format == GCAST_FORMAT_JSON || shows_execution(format)))
        status = gcast_error_set(err, GCAST_USAGE, NULL, "the run was not recorded, so that only a table can be shown");
    return status == GCAST_OK ? system_run_report(x->run, format, &o, write, data, err) : status;
}
