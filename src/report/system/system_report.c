#include "report/system/system_report.h"

#include "report/canvas/canvas.h"
#include "report/format_names.h"
#include "report/system/gantt_draw.h"
#include "report/system/system_execution.h"
#include "report/system/system_html.h"
#include "report/system/system_json.h"
#include "report/system/system_text.h"

static gcast_status write_picture(const sys_run *run, gcast_format format, const sys_report_options *options,
                                  gcast_write_fn write, void *data, gcast_error *err)
{
    canvas *c;
    gcast_status status = canvas_check_format(format, err);
    if (status == GCAST_OK)
        status = system_draw(run, options, &c, err);
    if (status != GCAST_OK)
        return status;
    return canvas_end(c, format, write, data, err);
}

/* Ends a text that was made with this status. */
static gcast_status finish(text *t, gcast_status status, gcast_error *err)
{
    if (status == GCAST_OK)
        return text_finish(t, err);
    text_drop(t);
    return status;
}

gcast_status system_answer_report(const sys_answer *a, const sys_run *run, gcast_format format,
                                  const sys_report_options *options, gcast_write_fn write, void *data, gcast_error *err)
{
    text t;
    gcast_status status = GCAST_OK;
    if (canvas_writes(format) && run)
        return write_picture(run, format, options, write, data, err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON && format != GCAST_FORMAT_HTML)
        return format_refused("an analysis of a system", format, err);
    text_open(&t, write, data);
    if (format == GCAST_FORMAT_TABLE)
        system_text(a, options, &t);
    else if (format == GCAST_FORMAT_JSON)
        system_json(a, options, &t);
    else
        status = system_html(a, run, options, &t, err);
    return finish(&t, status, err);
}

gcast_status system_run_report(const sys_run *run, gcast_format format, const sys_report_options *options,
                               gcast_write_fn write, void *data, gcast_error *err)
{
    text t;
    gcast_status status = GCAST_OK;
    if (canvas_writes(format))
        return write_picture(run, format, options, write, data, err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON && format != GCAST_FORMAT_HTML)
        return format_refused("an execution of a system", format, err);
    text_open(&t, write, data);
    if (format == GCAST_FORMAT_TABLE)
        system_run_text(run, options->report.color, &t);
    else if (format == GCAST_FORMAT_HTML)
        status = system_run_html(run, options, &t, err);
    else if (!system_run_json(run, &t))
        status = gcast_error_set_memory(err);
    return finish(&t, status, err);
}
