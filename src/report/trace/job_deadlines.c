#include "report/trace/job_deadlines.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/text/units.h"
#include "report/run/deadlines.h"
#include "report/run/packing.h"

#define MAX_LANES 16 /* of a task: jobs overlap where deadlines are later than the next releases */

static void write_arguments(chrome *c, const deadline *d)
{
    text *out = c->events.out;
    text_str(out, "\"job\": ");
    text_uint(out, d->job);
    text_str(out, ", \"deadline_us\": ");
    text_milli(out, d->deadline_ns);
    if (d->end >= 0) {
        text_str(out, ", \"end_us\": ");
        text_milli(out, d->end);
        text_str(out, ", \"response_us\": ");
        text_milli(out, d->end - d->release);
    }
    text_str(out, deadline_never_ends(d) ? ", \"never_ends\": true"
                  : d->end < 0           ? "" /* not known */
                  : deadline_missed(d)   ? ", \"missed\": true"
                                         : ", \"missed\": false");
}

static bool write_job(chrome *c, const deadline *d, chrome_track at)
{
    char name[160], job[128];
    deadline_name(d, job, sizeof job);
    snprintf(name, sizeof name,
             deadline_missed(d)       ? "MISSED %s"
             : deadline_never_ends(d) ? "NEVER ENDS %s"
                                      : "%s",
             job);
    char *head = chrome_head(name, "deadline");
    if (!head)
        return false;
    chrome_slice(&c->events, head, at, d->release, d->deadline_ns);
    free(head);
    write_arguments(c, d);
    chrome_slice_end(&c->events);
    return true;
}

/* From the deadline to the end of a job that missed it. */
static bool write_lateness(chrome *c, const deadline *d, chrome_track at)
{
    char name[200], job[128], lateness[40];
    deadline_name(d, job, sizeof job);
    units_format_time(d->end - d->deadline_ns, lateness, sizeof lateness);
    snprintf(name, sizeof name, "%s late by %s", job, lateness);
    char *head = chrome_head(name, "deadline");
    if (!head)
        return false;
    chrome_slice(&c->events, head, at, d->deadline_ns, d->end);
    free(head);
    write_arguments(c, d);
    chrome_slice_end(&c->events);
    return true;
}

/* Slices of jobs in order of time, in as many threads as overlap; span.block is the index in `all`. */
static bool write_lanes(chrome *c, const deadline *all, span_list *spans, const char *name, chrome_track *at,
                        bool (*write)(chrome *, const deadline *, chrome_track))
{
    uint32_t lanes;
    char title[160];
    qsort(spans->at, spans->count, sizeof *spans->at, span_order);
    bool ok = lanes_colour(spans->at, spans->count, &lanes);
    for (uint32_t lane = 0; ok && lane < lanes && lane < MAX_LANES; lane++) {
        int used = snprintf(title, sizeof title, lane ? "%.100s (%u)" : "%.100s", name, lane + 1);
        if (lane + 1 == MAX_LANES && lanes > MAX_LANES)
            snprintf(title + used, sizeof title - (size_t)used, ", others not shown");
        chrome_thread(&c->events, (chrome_track){at->pid, at->tid + lane}, title);
    }
    for (size_t i = 0; ok && i < spans->count; i++)
        if (spans->at[i].place < MAX_LANES)
            ok = write(c, &all[spans->at[i].block], (chrome_track){at->pid, at->tid + spans->at[i].place});
    at->tid += ok ? min_u32(lanes, MAX_LANES) : 0;
    return ok;
}

static bool write_missed(chrome *c, const deadline_list *all, span_list *spans, chrome_track at)
{
    bool ok = true;
    spans->count = 0;
    for (size_t i = 0; ok && i < all->count; i++) {
        const deadline *d = &all->at[i];
        if (deadline_missed(d) && view_holds(&c->shown, d->deadline_ns, d->end))
            ok = vec_push(spans, ((span){.start = d->deadline_ns, .end = d->end, .block = i}));
    }
    return ok && (!spans->count || write_lanes(c, all->at, spans, "missed deadlines", &at, write_lateness));
}

bool chrome_deadlines(chrome *c)
{
    deadline_list all = {0};
    span_list spans = {0};
    chrome_track at = {chrome_pid(c, CHROME_DEADLINES), 1};
    bool ok = deadlines_find(c->run, &all), has_process = false;
    for (size_t i = 0, n; ok && i < all.count; i += n) {
        spans.count = 0;
        for (n = 0; ok && i + n < all.count && all.at[i + n].task == all.at[i].task; n++) {
            const deadline *d = &all.at[i + n];
            if (view_holds(&c->shown, d->release, d->deadline_ns))
                ok = vec_push(&spans, ((span){.start = d->release, .end = d->deadline_ns, .block = i + n}));
        }
        if (!ok || !spans.count)
            continue;
        if (!has_process)
            chrome_process(&c->events, at.pid, "Deadlines", CHROME_DEADLINES);
        has_process = true;
        ok = write_lanes(c, all.at, &spans, c->run->workload->tasks[all.at[i].task].name, &at, write_job);
    }
    ok = ok && (!has_process || write_missed(c, &all, &spans, at));
    vec_free(&spans);
    vec_free(&all);
    return ok;
}
