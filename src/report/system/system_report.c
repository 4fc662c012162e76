#include "report/system/system_report.h"

#include "report/canvas/canvas.h"
#include "report/system/execution/run_grid.h"
#include "report/system/execution/run_json.h"
#include "report/system/gantt/gantt_draw.h"
#include "report/system/system_html.h"
#include "report/system/system_json.h"
#include "report/system/system_text.h"

static bool is_picture(gcast_format f)
{
    return f == GCAST_FORMAT_SVG || f == GCAST_FORMAT_PNG || f == GCAST_FORMAT_PDF;
}

static gcast_status refuse(gcast_format format, const char *what, gcast_error *err)
{
    return gcast_error_set(err, GCAST_USAGE, NULL, "%s cannot be written as %s", what, gcast_format_ending(format));
}

static gcast_status write_picture(const sys_run *run, gcast_format format, const sys_report_options *options,
                                  gcast_write_fn write, void *data, gcast_error *err)
{
    canvas *c;
    if (!gcast_format_available(format))
        return gcast_error_set(err, GCAST_USAGE, NULL, "this build cannot write %s: it was made without cairo",
                               gcast_format_ending(format));
    gcast_status status = system_draw(run, options, &c, err);
    if (status != GCAST_OK)
        return status;
    status = canvas_write(c, format, write, data, err);
    canvas_free(c);
    return status;
}

/* The status of making the text, or of writing it. */
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
    if (is_picture(format) && run)
        return write_picture(run, format, options, write, data, err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON && format != GCAST_FORMAT_HTML)
        return refuse(format, "an analysis of a system", err);
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
    if (is_picture(format))
        return write_picture(run, format, options, write, data, err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON && format != GCAST_FORMAT_HTML)
        return refuse(format, "an execution of a system", err);
    text_open(&t, write, data);
    if (format == GCAST_FORMAT_TABLE)
        system_run_text(run, options->report.color, &t);
    else if (format == GCAST_FORMAT_HTML)
        status = system_run_html(run, options, &t, err);
    else if (!system_run_json(run, &t))
        status = gcast_error_set_memory(err);
    return finish(&t, status, err);
}
