#include "report/report_progress.h"

#include "model/run_children.h"
#include "report/run/shown_blocks.h"

#define STEPS 100000 /* between two calls of the callback */

/* The progress callback of the copy of the options: calls the caller's. report_progress_of recognizes the copy by it.
 */
static bool notify(void *data, double fraction)
{
    const report_progress *w = data;
    return !w->caller_options->progress || w->caller_options->progress(w->caller_options->progress_data, fraction);
}

void report_progress_begin(report_progress *w, const gcast_report_options *options, uint64_t total,
                           gcast_write_fn write, void *data)
{
    *w = (report_progress){
        .caller_options = options, .options = *options, .write = write, .data = data, .total = total, .next = STEPS};
    w->options.progress = notify;
    w->options.progress_data = w;
}

report_progress *report_progress_of(const gcast_report_options *options)
{
    return options->progress == notify ? options->progress_data : NULL;
}

void report_progress_notify(report_progress *w)
{
    double fraction = w->total ? (double)w->done / (double)w->total : 1;
    w->next = w->done + STEPS;
    if (!w->stopped && !notify(w, fraction < 1 ? fraction : 1))
        w->stopped = true;
}

bool report_progress_write(void *data, const char *bytes, size_t size)
{
    report_progress *w = data;
    report_progress_notify(w);
    return !w->stopped && w->write(w->data, bytes, size);
}

uint64_t report_progress_blocks(const gcast_run *run)
{
    uint64_t n = 0;
    for (size_t i = 0; i < run_total(run); i++)
        n += shown_blocks_of(&run->ops[i]).count;
    return n;
}

gcast_status report_progress_end(const report_progress *w, gcast_status status, gcast_error *err)
{
    return w->stopped ? gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped") : status;
}
