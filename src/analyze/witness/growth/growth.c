#include "analyze/witness/growth/growth.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/exact/utilization.h"
#include "analyze/witness/growth/steady.h"
#include "base/checked.h"
#include "base/minmax.h"
#include "base/text/units.h"

#define MAX_HYPERPERIODS 64
#define MIN_HYPERPERIODS 4   /* that growth is seen over */
#define MAX_OPERATIONS 60000 /* of the run */
#define MAX_BLOCKS 1000000   /* that are recorded, for the proof */
#define PARTS 4              /* of the run that are compared */

typedef struct finder {
    const gcast_workload *w; /* what is simulated */
    growth *g;               /* to be filled in */
    int64_t hyperperiod_ns;  /* of all tasks */
    int64_t first_ns;        /* from here on all releases repeat */
    int64_t horizon_ns;      /* of the run */
    bool records_blocks;     /* there are few enough of them */
} finder;

/* Are there too many operations before all releases repeat? */
static bool begins_too_late(const finder *f)
{
    uint64_t operations = 0;
    for (size_t i = f->w->once_count; i < f->w->op_count; i++) {
        const gcast_task *t = &f->w->tasks[f->w->ops[i].task];
        int64_t jobs = max_i64(f->first_ns - t->offset_ns, 0) / t->period_ns;
        if (jobs > MAX_OPERATIONS || (operations += (uint64_t)jobs) > MAX_OPERATIONS)
            return true;
    }
    return false;
}

/* How far the run goes; false: there is no hyperperiod, or too much in it or before it. */
static bool choose_horizon(finder *f)
{
    uint64_t operations = 0, blocks = 0;
    if (!f->w->task_count || !gcast_workload_hyperperiod(f->w, &f->hyperperiod_ns))
        return false;
    for (size_t i = f->w->once_count; i < f->w->op_count; i++) {
        const gcast_op *op = &f->w->ops[i];
        const gcast_task *t = &f->w->tasks[op->task];
        uint64_t jobs = (uint64_t)(f->hyperperiod_ns / t->period_ns), all;
        f->first_ns = max_i64(f->first_ns, t->offset_ns + op->release_ns);
        if (jobs > MAX_OPERATIONS || (operations += jobs) > MAX_OPERATIONS)
            return false;
        if (op->kind == GCAST_KIND_KERNEL &&
            (!checked_mul(jobs, op->blocks, &all) || !checked_add(blocks, all, &blocks)))
            blocks = UINT64_MAX / MAX_HYPERPERIODS;
    }
    f->g->hyperperiods = min_u64(MAX_HYPERPERIODS, MAX_OPERATIONS / max_u64(operations, 1));
    f->records_blocks = blocks * f->g->hyperperiods <= MAX_BLOCKS;
    return f->g->hyperperiods >= MIN_HYPERPERIODS && !begins_too_late(f) &&
           checked_mul(f->hyperperiod_ns, (int64_t)f->g->hyperperiods, &f->horizon_ns) &&
           checked_add(f->horizon_ns, f->first_ns, &f->horizon_ns) && f->horizon_ns < INT64_MAX / 4;
}

/* Two times at which all is the same but for longer queues: a proof. */
static gcast_status prove(finder *f, const gcast_run *run, gcast_error *err)
{
    const gcast_workload *w = f->w;
    int64_t *backlog = calloc(w->stream_count + 1, sizeof *backlog),
            *calls = calloc(w->stream_count + 1, sizeof *calls);
    steady_growth found = {.backlog = backlog};
    bool ok = backlog && calls && steady_find(run, f->first_ns, f->hyperperiod_ns, &found);
    if (ok && found.later_ns >= 0) {
        int64_t hyperperiods = (found.later_ns - found.earlier_ns) / f->hyperperiod_ns;
        char earlier[40], later[40];
        for (size_t i = w->once_count; i < w->op_count; i++)
            calls[w->ops[i].stream] += f->hyperperiod_ns / w->tasks[w->ops[i].task].period_ns;
        for (size_t i = w->once_count; i < w->op_count; i++) {
            int s = w->ops[i].stream;
            int64_t done = calls[s] * hyperperiods - backlog[s]; /* in this time; 0: nothing ever is */
            f->g->per_hyperperiod_ns[i] =
                (int64_t)((__int128)backlog[s] * f->hyperperiod_ns / (done ? done : backlog[s]));
        }
        units_format_time(found.earlier_ns, earlier, sizeof earlier);
        units_format_time(found.later_ns, later, sizeof later);
        f->g->kind = GCAST_BACKLOG_PILES_UP;
        snprintf(f->g->why, sizeof f->g->why,
                 "with all durations longest, everything is at %s as it is at %s, but more operations wait", later,
                 earlier);
    }
    free(backlog);
    free(calls);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

/* Up to this time everything that is released ends before the horizon. */
static int64_t settled_ns(const gcast_run *run)
{
    int64_t settled = run->horizon_ns;
    for (size_t i = 0; i < run->op_count; i++)
        if (!run->ops[i].skipped && run->ops[i].end_ns > run->horizon_ns)
            settled = min_i64(settled, run->ops[i].release_ns);
    return settled;
}

/* The least response of each op in each part of the run. An op grows where that grows from part to part, and in the end
 * is twice that of the first part and a period more. */
static gcast_status see(finder *f, const gcast_run *run, gcast_error *err)
{
    const gcast_workload *w = f->w;
    int64_t end_ns = settled_ns(run), length_ns = (end_ns - f->first_ns) / PARTS;
    if (length_ns < f->hyperperiod_ns)
        return GCAST_OK;
    int64_t(*least)[PARTS] = malloc((w->op_count + 1) * sizeof *least);
    if (!least)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < w->op_count; i++)
        for (int part = 0; part < PARTS; part++)
            least[i][part] = INT64_MAX;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        int64_t part = (r->release_ns - f->first_ns) / length_ns;
        if (!r->skipped && r->release_ns >= f->first_ns && part < PARTS)
            least[r->op][part] = min_i64(least[r->op][part], gcast_response_ns(r));
    }
    for (size_t i = w->once_count; i < w->op_count; i++) {
        int64_t *by_part = least[i], first_ns = by_part[0], last_ns = by_part[PARTS - 1];
        bool grows =
            last_ns != INT64_MAX && last_ns / 2 > first_ns && last_ns - first_ns > w->tasks[w->ops[i].task].period_ns;
        for (int part = 1; part < PARTS; part++)
            grows = grows && by_part[part] > by_part[part - 1];
        if (!grows)
            continue;
        if (f->g->kind == GCAST_BACKLOG_UNKNOWN)
            f->g->kind = GCAST_BACKLOG_GROWS;
        f->g->per_hyperperiod_ns[i] =
            (int64_t)((__int128)(last_ns - first_ns) * f->hyperperiod_ns / ((PARTS - 1) * length_ns));
    }
    free(least);
    return GCAST_OK;
}

/* How many hyperperiods, after the first releases, it takes until each growing op has missed its deadline once. */
static void find_miss(finder *f, const gcast_run *run)
{
    int64_t last_ns = 0;
    for (size_t i = f->w->once_count; i < f->w->op_count; i++) {
        const gcast_op *op = &f->w->ops[i];
        int64_t deadline_ns = f->w->tasks[op->task].deadline_ns, miss_ns = INT64_MAX;
        for (size_t k = 0; f->g->per_hyperperiod_ns[i] && deadline_ns && k < run->op_count; k++) {
            const gcast_run_op *r = &run->ops[k];
            if (r->op == i && r->end_ns <= run->horizon_ns && op->release_ns + gcast_response_ns(r) > deadline_ns)
                miss_ns = min_i64(miss_ns, r->end_ns);
        }
        last_ns = miss_ns == INT64_MAX ? last_ns : max_i64(last_ns, miss_ns);
    }
    if (last_ns)
        f->g->to_miss = (uint32_t)(max_i64(last_ns - f->first_ns, 0) / f->hyperperiod_ns + 2);
}

gcast_status growth_find(const gcast_workload *w, const gcast_gpu *gpu, const gcast_simulate_options *given, growth *g,
                         gcast_error *err)
{
    finder f = {.w = w, .g = g};
    gcast_simulate_options options = *given;
    gcast_run *run;
    g->kind = exact_overload(w, gpu, true, g->why, sizeof g->why) ? GCAST_BACKLOG_PILES_UP : GCAST_BACKLOG_UNKNOWN;
    if (!choose_horizon(&f))
        return GCAST_OK;
    options.horizon_ns = f.horizon_ns;
    options.record_blocks = f.records_blocks;
    options.durations = GCAST_DURATIONS_MAX;
    gcast_status status = gcast_workload_simulate(w, gpu, &options, &run, err);
    if (status != GCAST_OK)
        return status;
    bool is_overload = g->kind == GCAST_BACKLOG_PILES_UP; /* which does not say which ops grow */
    if (!is_overload)
        status = prove(&f, run, err);
    if (status == GCAST_OK && (is_overload || g->kind == GCAST_BACKLOG_UNKNOWN))
        status = see(&f, run, err);
    if (status == GCAST_OK)
        find_miss(&f, run);
    gcast_run_free(run);
    return status;
}
