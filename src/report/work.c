#include "report/work.h"

#include "report/run/shown_blocks.h"

#define STEPS 100000 /* between two calls of the callback */

/* The progress callback of options that carry a work, which marks them; it calls the caller's. */
static bool notify(void *data, double fraction)
{
    const work *w = data;
    return !w->caller_options->progress || w->caller_options->progress(w->caller_options->progress_data, fraction);
}

void work_begin(work *w, const gcast_report_options *options, uint64_t all, gcast_write_fn write, void *data)
{
    *w = (work){
        .caller_options = options, .options = *options, .write = write, .data = data, .total = all, .next = STEPS};
    w->options.progress = notify;
    w->options.progress_data = w;
}

work *work_of(const gcast_report_options *options)
{
    return options->progress == notify ? options->progress_data : NULL;
}

void work_notify(work *w)
{
    double fraction = w->total ? (double)w->done / (double)w->total : 1;
    w->next = w->done + STEPS;
    if (!w->stopped && !notify(w, fraction < 1 ? fraction : 1))
        w->stopped = true;
}

bool work_write(void *data, const char *bytes, size_t size)
{
    work *w = data;
    work_notify(w);
    return !w->stopped && w->write(w->data, bytes, size);
}

uint64_t work_blocks(const gcast_run *run)
{
    uint64_t n = 0;
    for (size_t i = 0; i < run->op_count; i++)
        n += shown_blocks_of(&run->ops[i]).count;
    return n;
}

gcast_status work_end(const work *w, gcast_status status, gcast_error *err)
{
    return w->stopped ? gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped") : status;
}
