#include "report/report_progress.h"

#include "model/run_op.h"
#include "report/run/shown_blocks.h"

#define STEPS 100000 /* between two calls of the callback */

/* The callback in the writers' copy of the options: calls the caller's. report_progress_of knows the copy by it. */
static bool notify(void *data, double fraction)
{
    const report_progress *progress = data;
    return !progress->caller_options->progress ||
           progress->caller_options->progress(progress->caller_options->progress_data, fraction);
}

void report_progress_begin(report_progress *progress, const gcast_report_options *options, uint64_t total,
                           gcast_write_fn write, void *data)
{
    *progress = (report_progress){
        .caller_options = options, .options = *options, .write = write, .data = data, .total = total, .next = STEPS};
    progress->options.progress = notify;
    progress->options.progress_data = progress;
}

report_progress *report_progress_of(const gcast_report_options *options)
{
    return options->progress == notify ? options->progress_data : NULL;
}

void report_progress_notify(report_progress *progress)
{
    double fraction = progress->total ? (double)progress->done / (double)progress->total : 1;
    progress->next = progress->done + STEPS;
    if (!progress->stopped && !notify(progress, fraction < 1 ? fraction : 1))
        progress->stopped = true;
}

bool report_progress_write(void *data, const char *bytes, size_t size)
{
    report_progress *progress = data;
    report_progress_notify(progress);
    return !progress->stopped && progress->write(progress->data, bytes, size);
}

uint64_t report_progress_blocks(const gcast_run *run)
{
    uint64_t n = 0;
    for (size_t i = 0; i < run_total(run); i++)
        n += shown_blocks_of(&run->ops[i]).count;
    return n;
}

gcast_status report_progress_end(const report_progress *progress, gcast_status status, gcast_error *err)
{
    return progress->stopped ? gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped") : status;
}
