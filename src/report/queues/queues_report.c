/* gcast_run_report_queues: chooses the writer of a format. */
#include <stdlib.h>

#include "base/api/argument_missing.h"
#include "base/text/text.h"
#include "report/queues/queues_draw.h"
#include "report/queues/queues_text.h"

static gcast_status write_all(const queue_rows *all, size_t count, gcast_format format, bool color,
                              gcast_write_fn write, void *data, gcast_error *err)
{
    if (format != GCAST_FORMAT_TABLE)
        return queues_draw(all, count, format, write, data, err);
    text t;
    text_open(&t, write, data);
    for (size_t i = 0; i < count; i++) {
        text_str(&t, i ? "\n" : "");
        queues_text(&all[i], color, &t);
    }
    return text_finish(&t, err);
}

gcast_status gcast_run_report_queues(const gcast_run *run, const int64_t *times_ns, size_t count, gcast_format format,
                                     bool color, gcast_write_fn write, void *data, gcast_error *err)
{
    if (!run || !times_ns || !write)
        return argument_missing(err);
    bool is_picture = format == GCAST_FORMAT_SVG || format == GCAST_FORMAT_PNG || format == GCAST_FORMAT_PDF;
    if (!is_picture && format != GCAST_FORMAT_TABLE)
        return gcast_error_set(err, GCAST_USAGE, NULL, "queues cannot be written as %s", gcast_format_ending(format));
    if (run->workload->child_count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "queues are not shown where kernels launch kernels");
    if (!count || !run->blocks_recorded)
        return gcast_error_set(err, GCAST_USAGE, NULL,
                               "queues are shown at one time or more, of a run with all blocks");
    queue_rows *all = calloc(count, sizeof *all);
    bool ok = all;
    for (size_t i = 0; ok && i < count; i++)
        ok = queue_rows_make(run, times_ns[i], &all[i]);
    gcast_status status = ok ? write_all(all, count, format, color, write, data, err) : gcast_error_set_memory(err);
    for (size_t i = 0; all && i < count; i++)
        queue_rows_free(&all[i]);
    free(all);
    return status;
}
