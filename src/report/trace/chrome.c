#include "report/trace/chrome.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/run_children.h"
#include "report/trace/host_calls.h"
#include "report/trace/job_deadlines.h"
#include "report/trace/sms.h"
#include "report/trace/state.h"
#include "report/trace/streams.h"

static bool prepare(chrome *c)
{
    const gcast_workload *w = c->run->workload;
    size_t kernels = w->op_count + w->child_count, total = run_total(c->run);
    c->head = calloc(kernels + 1, sizeof *c->head);
    c->first_block = malloc((total + 1) * sizeof *c->first_block);
    c->first_start = malloc((total + 1) * sizeof *c->first_start);
    bool ok = waits_make(&c->waits, c->run) && c->head && c->first_block && c->first_start;
    for (size_t i = 0; ok && i < kernels; i++) {
        char stream[32] = "host";
        if (w->ops[i].stream >= 0)
            snprintf(stream, sizeof stream, "stream %d", w->streams[w->ops[i].stream].id);
        c->head[i] = chrome_head(w->ops[i].label, i < w->op_count ? stream : "child");
        ok = c->head[i] != NULL;
    }
    for (size_t i = 0; ok && i < total; i++)
        c->first_block[i] = CHROME_NO_BLOCK;
    return ok;
}

static void release(chrome *c)
{
    for (size_t i = 0; c->head && i < c->run->workload->op_count + c->run->workload->child_count; i++)
        free(c->head[i]);
    free(c->head);
    waits_free(&c->waits);
    free(c->first_block);
    free(c->first_start);
    vec_free(&c->launches);
}

/* Children over time, as means of the bins of the run's series. */
static void count_children(chrome *c)
{
    static const gcast_series shown[] = {GCAST_SERIES_OVERHEAD,    GCAST_SERIES_STREAM, GCAST_SERIES_POOL_WAIT,
                                         GCAST_SERIES_POOL,        GCAST_SERIES_QUEUED, GCAST_SERIES_CHILD_KERNELS,
                                         GCAST_SERIES_CHILD_BLOCKS};
    const gcast_launch_series *series = c->run->series;
    int pid = chrome_pid(c, CHROME_CHILDREN);
    chrome_process(&c->events, pid, "Children", CHROME_ENGINES + 1 + c->run->gpu->sms); /* below the SMs */
    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
        const double *sum = series->sum[shown[k]];
        int64_t last = 0;
        for (uint32_t i = 0; i <= series->count && i <= GCAST_SERIES_BINS; i++) {
            int64_t start = series->bin_ns * i;
            int64_t mean = i < series->count ? (int64_t)(sum[i] * 1000 / (double)series->bin_ns + 0.5) : 0;
            if (mean == last || !view_holds(&c->shown, start, start + series->bin_ns))
                continue;
            chrome_counter_milli(&c->events, pid, gcast_series_name(shown[k]), start, mean);
            last = mean;
        }
    }
}

gcast_status chrome_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    chrome c = {.run = run};
    gcast_status status = view_make(&c.shown, run, options, err);
    if (status)
        return status;
    if (!prepare(&c)) {
        release(&c);
        return gcast_error_set_memory(err);
    }
    chrome_open(&c.events, out);
    if (c.shown.blocks)
        status = chrome_sms(&c, err);
    if (!status && !(chrome_calls(&c) && chrome_deadlines(&c) && chrome_streams(&c) && chrome_engines(&c)))
        status = gcast_error_set_memory(err);
    if (!status && run->hang && run->hang->time_ns >= c.shown.start_ns && run->hang->time_ns <= c.shown.end_ns)
        chrome_moment(&c.events, "the run hangs: from here on nothing happens",
                      (chrome_track){chrome_pid(&c, CHROME_STREAMS), 1}, run->hang->time_ns);
    if (!status && run->series && run->launches->children)
        count_children(&c);
    chrome_close(&c.events);
    release(&c);
    return status;
}
