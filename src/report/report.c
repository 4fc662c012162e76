/* gcast_run_report: chooses the writer of a format. */
#include <stdlib.h>

#include "base/api/argument_missing.h"
#include "report/gzip.h"
#include "report/hang/shown_run.h"
#include "report/picture/draw.h"
#include "report/report_options.h"
#include "report/report_progress.h"
#include "report/tables/csv.h"
#include "report/tables/json.h"
#include "report/tables/table.h"
#include "report/trace/chrome.h"
#include "report/web/run_page.h"

/* Writes the formats that are text. out->failed: the sink refused bytes. */
typedef gcast_status (*text_writer)(const gcast_run *run, const gcast_report_options *options, text *out,
                                    gcast_error *err);

static const text_writer text_writers[GCAST_FORMATS] = {
    [GCAST_FORMAT_TABLE] = table_write,   [GCAST_FORMAT_CSV] = csv_write,      [GCAST_FORMAT_JSON] = json_write,
    [GCAST_FORMAT_HTML] = run_page_write, [GCAST_FORMAT_TRACE] = chrome_write,
};

static gcast_status write_picture(const gcast_run *run, gcast_format format, const gcast_report_options *options,
                                  gcast_write_fn write, void *data, gcast_error *err)
{
    canvas *c;
    gcast_status status = run_draw(run, options, &c, err);
    if (status)
        return status;
    status = canvas_write(c, format, write, data, err);
    canvas_free(c);
    return status;
}

static gcast_status write_text(const gcast_run *run, gcast_format format, const gcast_report_options *options,
                               gcast_write_fn write, void *data, gcast_error *err)
{
    text out;
    text_open(&out, write, data);
    gcast_status status = text_writers[format](run, options, &out, err);
    if (status == GCAST_OK)
        return text_finish(&out, err);
    text_drop(&out);
    return status;
}

static gcast_status write_gzip(const gcast_run *run, gcast_format format, const gcast_report_options *options,
                               gcast_write_fn write, void *data, gcast_error *err)
{
    gzip *g = malloc(sizeof *g);
    if (!g || !gzip_open(g, write, data)) {
        free(g);
        return gcast_error_set_memory(err);
    }
    gcast_status status = write_text(run, format, options, gzip_write, g, err);
    if (!gzip_close(g, status == GCAST_OK) && !status)
        status = gcast_error_set(err, GCAST_RESOURCE, NULL, "the output could not be written");
    free(g);
    return status;
}

/* How many steps a report takes, for its progress. */
static uint64_t count_steps(const gcast_run *run, gcast_format format, const gcast_report_options *options)
{
    if (format == GCAST_FORMAT_TABLE)
        return run->op_count;
    if (format == GCAST_FORMAT_JSON || format == GCAST_FORMAT_CSV)
        return run->op_count + (options->blocks ? run->child_count + report_progress_blocks(run) : 0);
    uint64_t steps = (2 * STEPS_TO_SORT + STEPS_TO_SHOW) * report_progress_blocks(run);
    return format == GCAST_FORMAT_HTML ? 2 * steps : steps; /* a page also has the picture */
}

static gcast_status write_report(const gcast_run *run, gcast_format format, const gcast_report_options *options,
                                 gcast_write_fn write, void *data, gcast_error *err)
{
    report_progress w;
    report_progress_begin(&w, options, count_steps(run, format, options), write, data);
    if (!text_writers[format])
        return report_progress_end(&w, write_picture(run, format, &w.options, report_progress_write, &w, err), err);
    bool gzipped =
        options->gzip && (format == GCAST_FORMAT_CSV || format == GCAST_FORMAT_JSON || format == GCAST_FORMAT_TRACE);
    return report_progress_end(
        &w, (gzipped ? write_gzip : write_text)(run, format, &w.options, report_progress_write, &w, err), err);
}

gcast_status gcast_run_report(const gcast_run *run, gcast_format format, const gcast_report_options *given,
                              gcast_write_fn write, void *data, gcast_error *err)
{
    if (!run || !write)
        return argument_missing(err);
    gcast_report_options own = gcast_report_options_default();
    const gcast_report_options *options = &own;
    gcast_status status = report_options_take(&own, given, run, err);
    if (status != GCAST_OK)
        return status;
    if ((unsigned)format >= GCAST_FORMATS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no format %d", (int)format);
    if (!gcast_format_available(format))
        return gcast_error_set(err, GCAST_USAGE, NULL, "this build cannot write %s: it was made without cairo",
                               gcast_format_ending(format));
    gcast_run shown;
    bool listed = format == GCAST_FORMAT_JSON || format == GCAST_FORMAT_CSV, drawn = !listed;
    if (!run->hang || format == GCAST_FORMAT_TABLE || format == GCAST_FORMAT_HTML || (listed && !options->blocks))
        return write_report(run, format, options, write, data, err);
    if (!shown_run_make(run, drawn, &shown))
        return gcast_error_set_memory(err);
    status = write_report(&shown, format, options, write, data, err);
    shown_run_free(&shown);
    return status;
}
