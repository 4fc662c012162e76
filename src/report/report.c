/* gcast_run_report and gcast_run_report_pair: a run, or two runs of one workload, in any format. They choose the writer
 * of the format, compress its output where asked to, and report progress. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/api.h"
#include "base/integers.h"
#include "gridcast/report.h"
#include "model/run_op.h"
#include "report/formats/chrome_trace.h"
#include "report/formats/run_csv.h"
#include "report/formats/run_json.h"
#include "report/formats/run_tables.h"
#include "report/report_progress.h"
#include "report/run/hung_run.h"
#include "report/timeline/draw.h"
#include "report/view.h"
#include "report/web/run_page.h"

/* A sink that gzips what is written to it and hands it on. */
typedef struct gzip {
    z_stream z;                 /* the state of zlib */
    gcast_write_fn write;       /* where compressed bytes go */
    void *data;                 /* for write */
    bool open;                  /* z is to be ended */
    bool failed;                /* zlib or write failed */
    unsigned char out[1 << 16]; /* compressed bytes */
} gzip;

#define GZIP_WINDOW (15 + 16) /* the largest window, and the header of a gzip file */
#define MEMORY_LEVEL 8        /* zlib's default */

/* False without memory. The output depends on the input only: it has no time and no file name. */
static bool gzip_open(gzip *g, gcast_write_fn write, void *data)
{
    g->z = (z_stream){0};
    g->write = write;
    g->data = data;
    g->failed = false;
    g->open =
        deflateInit2(&g->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
    return g->open;
}

/* Compresses the input and writes what comes out. */
static bool deflate_all(gzip *g, int flush)
{
    int result = Z_OK;
    do {
        g->z.next_out = g->out;
        g->z.avail_out = sizeof g->out;
        result = deflate(&g->z, flush);
        size_t size = sizeof g->out - g->z.avail_out;
        g->failed = g->failed || result == Z_STREAM_ERROR || (size && !g->write(g->data, (const char *)g->out, size));
    } while (!g->failed && g->z.avail_out == 0);
    return !g->failed;
}

/* A gcast_write_fn whose data is a gzip. */
static bool gzip_write(void *data, const char *bytes, size_t size)
{
    gzip *g = data;
    while (size && !g->failed) {
        uInt n = size > 1 << 30 ? 1 << 30 : (uInt)size;
        g->z.next_in = (Bytef *)bytes;
        g->z.avail_in = n;
        deflate_all(g, Z_NO_FLUSH);
        bytes += n;
        size -= n;
    }
    return !g->failed;
}

/* Writes what is left, if `finish`, and frees all. False where something could not be written. */
static bool gzip_close(gzip *g, bool finish)
{
    if (!g->open)
        return false;
    if (finish && !g->failed)
        deflate_all(g, Z_FINISH);
    deflateEnd(&g->z);
    g->open = false;
    return !g->failed;
}

/* Writes a format that is text; where the sink refuses bytes, out->failed says so. */
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
    return canvas_end(c, format, write, data, err);
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
    report_progress progress;
    report_progress_begin(&progress, options, count_steps(run, format, options), write, data);
    if (!text_writers[format])
        return report_progress_end(
            &progress, write_picture(run, format, &progress.options, report_progress_write, &progress, err), err);
    bool gzipped =
        options->gzip && (format == GCAST_FORMAT_CSV || format == GCAST_FORMAT_JSON || format == GCAST_FORMAT_TRACE);
    return report_progress_end(
        &progress,
        (gzipped ? write_gzip : write_text)(run, format, &progress.options, report_progress_write, &progress, err),
        err);
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
    status = canvas_check_format(format, err);
    if (status != GCAST_OK)
        return status;
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

/* gcast_run_report_pair draws two runs of one workload, one below the other, each from its first start on. */

/* Finds the earliest start and the latest end of a run; false where nothing ran. */
static bool extent(const gcast_run *run, int64_t *start_ns, int64_t *end_ns)
{
    *start_ns = INT64_MAX;
    *end_ns = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        bool hung = o->start_ns >= 0 && never_ends(run, i);
        if (!run_op_ran(run, i) && !hung)
            continue;
        *start_ns = min_i64(*start_ns, o->start_ns);
        *end_ns = max_i64(*end_ns, o->end_ns);
    }
    if (run->hang && *start_ns < INT64_MAX)
        *end_ns = max_i64(run->hang->time_ns, *start_ns + 1);
    return *start_ns < *end_ns;
}

static canvas *draw_from_first_start(const gcast_run *run, gcast_report_options options, int64_t start_ns,
                                     int64_t length, gcast_error *err)
{
    canvas *c;
    gcast_run shown = *run;
    options.from_ns = start_ns;
    options.to_ns = start_ns + length;
    if (run->hang && !shown_run_make(run, true, &shown)) {
        gcast_error_set_memory(err);
        return NULL;
    }
    shown.end_ns = max_i64(shown.end_ns, start_ns + 1); /* it may hang at its first start */
    gcast_status status = run_draw(&shown, &options, &c, err);
    if (run->hang)
        shown_run_free(&shown);
    return status == GCAST_OK ? c : NULL;
}

static gcast_status write_pair_page(const gcast_run *above, const gcast_run *below, gcast_report_options options,
                                    gcast_write_fn write, void *data, gcast_error *err)
{
    text out;
    options.from_ns = 0;
    options.to_ns = -1;
    text_open(&out, write, data);
    gcast_status status = run_page_write_pair(above, below, &options, &out, err);
    if (status == GCAST_OK)
        return text_finish(&out, err);
    text_drop(&out);
    return status;
}

gcast_status gcast_run_report_pair(const gcast_run *above, const gcast_run *below, gcast_format format,
                                   const gcast_report_options *given, gcast_write_fn write, void *data,
                                   gcast_error *err)
{
    if (!above || !below || !write)
        return argument_missing(err);
    gcast_report_options own = gcast_report_options_default();
    int64_t start_ns[2], end_ns[2];
    gcast_status status = report_options_take(&own, given, above, err);
    if (status == GCAST_OK)
        status = report_options_take(&own, given, below, err);
    if (status != GCAST_OK)
        return status;
    if (format == GCAST_FORMAT_HTML)
        return write_pair_page(above, below, own, write, data, err);
    if (!canvas_writes(format))
        return gcast_error_set(err, GCAST_USAGE, NULL, "two runs are drawn as .svg, .png, .pdf or .html only");
    if (!extent(above, &start_ns[0], &end_ns[0]) || !extent(below, &start_ns[1], &end_ns[1]) || start_ns[0] < 0 ||
        start_ns[1] < 0)
        return gcast_error_set(err, GCAST_INPUT, NULL, "there is nothing to draw");
    int64_t length = max_i64(end_ns[0] - start_ns[0], end_ns[1] - start_ns[1]);
    canvas *first = draw_from_first_start(above, own, start_ns[0], length, err);
    canvas *second = first ? draw_from_first_start(below, own, start_ns[1], length, err) : NULL;
    canvas *both =
        second ? canvas_create(canvas_width(first), canvas_height(first) + canvas_height(second), above->workload->name)
               : NULL;
    status = GCAST_RESOURCE;
    if (both) {
        canvas_append(both, first, 0);
        canvas_append(both, second, canvas_height(first));
        status = canvas_write(both, format, write, data, err);
    } else if (second) {
        gcast_error_set_memory(err);
    }
    canvas_free(first);
    canvas_free(second);
    canvas_free(both);
    return status;
}
