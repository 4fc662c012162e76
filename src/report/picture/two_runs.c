/* gcast_run_report_pair: two runs of one workload in one picture, each from its first start on. */
#include "base/api/argument_missing.h"
#include "base/minmax.h"
#include "model/run_op.h"
#include "report/hang/never_ends.h"
#include "report/hang/shown_run.h"
#include "report/picture/draw.h"
#include "report/report_options.h"
#include "report/web/run_page.h"

/* From its earliest start to its latest end; false where nothing ran. */
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

static canvas *draw(const gcast_run *run, gcast_report_options options, int64_t start_ns, int64_t length,
                    gcast_error *err)
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

static gcast_status write_page(const gcast_run *above, const gcast_run *below, gcast_report_options options,
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
        return write_page(above, below, own, write, data, err);
    if (format != GCAST_FORMAT_SVG && format != GCAST_FORMAT_PNG && format != GCAST_FORMAT_PDF)
        return gcast_error_set(err, GCAST_USAGE, NULL, "two runs are drawn as .svg, .png, .pdf or .html only");
    if (!extent(above, &start_ns[0], &end_ns[0]) || !extent(below, &start_ns[1], &end_ns[1]) || start_ns[0] < 0 ||
        start_ns[1] < 0)
        return gcast_error_set(err, GCAST_INPUT, NULL, "there is nothing to draw");
    int64_t length = max_i64(end_ns[0] - start_ns[0], end_ns[1] - start_ns[1]);
    canvas *first = draw(above, own, start_ns[0], length, err);
    canvas *second = first ? draw(below, own, start_ns[1], length, err) : NULL;
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
