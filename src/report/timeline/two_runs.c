/* Two runs of one workload in one picture. */
#include "base/api/options_copy.h"
#include "report/timeline/timeline.h"

/* From its earliest start to its last end; false where nothing ran. */
static bool extent(const gcast_run *run, int64_t *from, int64_t *to)
{
    *from = INT64_MAX;
    *to = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        if (!run_op_ran(run, i))
            continue;
        *from = o->start_ns < *from ? o->start_ns : *from;
        *to = o->end_ns > *to ? o->end_ns : *to;
    }
    return *from < *to;
}

static canvas *draw(const gcast_run *run, gcast_report_options options, int64_t from, int64_t length, gcast_error *err)
{
    timeline t;
    options.from_ns = from;
    options.to_ns = from + length;
    if (timeline_make(&t, run, &options, err) != GCAST_OK)
        return NULL;
    canvas *c = timeline_draw(&t, err);
    timeline_free(&t);
    return c;
}

gcast_status gcast_run_report_pair(const gcast_run *above, const gcast_run *below, gcast_format format,
                                   const gcast_report_options *given, gcast_write_fn write, void *data,
                                   gcast_error *err)
{
    gcast_report_options own = gcast_report_options_default();
    int64_t from[2], to[2];
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_report_options", err);
    if (status != GCAST_OK)
        return status;
    if (format != GCAST_FORMAT_SVG && format != GCAST_FORMAT_PNG && format != GCAST_FORMAT_PDF)
        return gcast_error_set(err, GCAST_USAGE, NULL, "two runs are drawn as .svg, .png or .pdf only");
    if (!extent(above, &from[0], &to[0]) || !extent(below, &from[1], &to[1]) || from[0] < 0 || from[1] < 0)
        return gcast_error_set(err, GCAST_INPUT, NULL, "there is nothing to draw");
    int64_t length = to[0] - from[0] > to[1] - from[1] ? to[0] - from[0] : to[1] - from[1];
    canvas *first = draw(above, own, from[0], length, err);
    canvas *second = first ? draw(below, own, from[1], length, err) : NULL;
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
