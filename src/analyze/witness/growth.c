/* Simulates some hyperperiods with everything longest. Growth is proved by two times, a multiple of the hyperperiod
 * apart, with the same state except that more operations wait at the ends of some stream queues (docs/analysis.md,
 * "Piling up"). Without such a proof, growth is seen if responses keep growing from part to part of the run. */
#include "analyze/witness/growth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/exact/sweep.h"
#include "analyze/exact/utilization.h"
#include "base/arena.h"
#include "base/integers.h"
#include "base/units.h"
#include "gridcast/run.h"
#include "model/workload/dependencies.h"

#define MAX_STATE_BYTES ((size_t)1 << 26)
#define MAX_HYPERPERIODS 64
#define MIN_HYPERPERIODS 4   /* too few show no growth */
#define MAX_OPERATIONS 60000 /* of the run */
#define MAX_BLOCKS 1000000   /* recorded blocks, for the proof */
#define PARTS 4              /* parts of the run that are compared */

/* The two times of a proof. */
typedef struct steady_growth {
    int64_t earlier_ns; /* -1: no such times were found */
    int64_t later_ns;   /* a multiple of the hyperperiod after it */
    int64_t *backlog;   /* by stream: how many more operations wait at the later time; the caller's memory */
} steady_growth;

/* The state of a run at the start of a hyperperiod. */
typedef struct snapshot {
    int64_t time_ns;
    const int64_t *state; /* that of the sweep, then by stream the place of its head in the pattern of its calls */
    size_t count;         /* numbers in `state` */
    const int64_t *heads; /* by stream: operations that have been at its head */
} snapshot;

typedef struct steady_search {
    const gcast_run *run;   /* the run */
    exact_sweep sweep;      /* states of the run */
    arena memory;           /* of the snapshots */
    VEC(snapshot) list;     /* all snapshots so far */
    size_t bytes;           /* of the snapshots */
    int64_t *calls;         /* by stream: calls in a hyperperiod */
    int64_t *heads;         /* by stream: operations that have been at its head so far */
    int64_t first_ns;       /* from here on all releases repeat */
    int64_t hyperperiod_ns; /* of all tasks */
} steady_search;

static const gcast_op *op_of(const gcast_run *run, size_t i)
{
    return &run->workload->ops[run->ops[i].op];
}

/* Is the stream the only one that joins the queue? `owner`: by queue, its stream + 1; 0: none yet. */
static bool is_alone(size_t *owner, int queue, int stream)
{
    if (queue < 0)
        return true;
    if (!owner[queue])
        owner[queue] = (size_t)stream + 1;
    return owner[queue] == (size_t)stream + 1;
}

/* Does an operation that waits behind another of its stream never affect others? True without the NULL stream and
 * dependencies, if streams share neither connections nor channels. False also without memory. */
static bool waiting_is_without_effect(const gcast_run *run)
{
    const gcast_workload *w = run->workload;
    size_t channels = (size_t)run->gpu->copy_channels;
    size_t *owners = calloc((size_t)run->connections + COPY_ENGINES * channels + 2, sizeof *owners);
    bool ok = owners && !dependencies_exist(w);
    for (size_t i = 0; ok && i < w->op_count; i++)
        ok = w->ops[i].task == GCAST_ONCE || w->streams[w->ops[i].stream].id != 0;
    for (size_t i = 0; ok && i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (r->skipped || op_of(run, i)->task == GCAST_ONCE)
            continue;
        int channel = r->channel < 0 ? -1 : r->engine * run->gpu->copy_channels + r->channel;
        ok = is_alone(owners, r->connection, op_of(run, i)->stream) &&
             is_alone(owners + run->connections + 1, channel, op_of(run, i)->stream);
    }
    free(owners);
    return ok;
}

/* Did every stream with a growing backlog always have an arrived operation, and do the calls of all operations that
 * came to a head repeat? */
static bool is_backlogged(const steady_search *f, const snapshot *a, const snapshot *b, const int64_t *backlog)
{
    for (size_t i = 0; i < f->run->op_count; i++) {
        const gcast_run_op *r = &f->run->ops[i];
        if (r->skipped || r->head_ns < a->time_ns || r->head_ns >= b->time_ns)
            continue;
        if (r->call_ns < f->first_ns + f->hyperperiod_ns ||
            (backlog[op_of(f->run, i)->stream] && r->arrive_ns >= r->head_ns))
            return false;
    }
    return true;
}

/* Is the later state the earlier one with longer queues? */
static bool has_grown(const steady_search *f, const snapshot *a, const snapshot *b, int64_t *backlog)
{
    int64_t hyperperiods = (b->time_ns - a->time_ns) / f->hyperperiod_ns;
    bool grown = false;
    if (a->count != b->count || memcmp(a->state, b->state, a->count * sizeof *a->state) != 0)
        return false;
    for (size_t s = 0; s < f->run->workload->stream_count; s++) {
        backlog[s] = hyperperiods * f->calls[s] - (b->heads[s] - a->heads[s]);
        if (backlog[s] < 0)
            return false;
        grown = grown || backlog[s] > 0;
    }
    return grown && is_backlogged(f, a, b, backlog);
}

/* Adds a snapshot; false without memory. */
static bool take_snapshot(steady_search *f, int64_t time_ns)
{
    size_t streams = f->run->workload->stream_count, count = f->sweep.state.count + streams;
    int64_t *state = arena_alloc_array(&f->memory, count + streams, sizeof *state);
    if (!state || !vec_reserve(&f->list, f->list.count + 1))
        return false;
    memcpy(state, f->sweep.state.at, f->sweep.state.count * sizeof *state);
    for (size_t s = 0; s < streams; s++) {
        state[f->sweep.state.count + s] = f->calls[s] ? f->heads[s] % f->calls[s] : 0;
        state[count + s] = f->heads[s];
    }
    f->list.at[f->list.count++] = (snapshot){time_ns, state, count, state + count};
    f->bytes += (count + streams) * sizeof *state;
    return true;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* A time at which an operation of a stream came to its head. */
typedef struct head_time {
    int64_t time_ns; /* first, for by_time */
    int stream;
} head_time;

static size_t list_heads(const gcast_run *run, head_time *heads)
{
    size_t count = 0;
    for (size_t i = 0; i < run->op_count; i++)
        if (!run->ops[i].skipped && op_of(run, i)->task != GCAST_ONCE)
            heads[count++] = (head_time){run->ops[i].head_ns, op_of(run, i)->stream};
    qsort(heads, count, sizeof *heads, by_time);
    return count;
}

static bool search(steady_search *f, const head_time *heads, size_t head_count, steady_growth *found)
{
    size_t next = 0;
    for (int64_t t = f->first_ns; t <= f->run->horizon_ns && f->bytes < MAX_STATE_BYTES; t += f->hyperperiod_ns) {
        for (; next < head_count && heads[next].time_ns < t; next++)
            f->heads[heads[next].stream]++;
        exact_answer answer = exact_sweep_to(&f->sweep, t);
        if (answer == EXACT_NO_MEMORY)
            return false;
        if (answer != EXACT_STATE)
            continue;
        if (!take_snapshot(f, t))
            return false;
        const snapshot *b = &f->list.at[f->list.count - 1];
        for (const snapshot *a = f->list.at; a < b; a++)
            if (has_grown(f, a, b, found->backlog)) {
                found->earlier_ns = a->time_ns;
                found->later_ns = t;
                return true;
            }
    }
    return true;
}

/* Searches for a proof. All releases repeat from `first_ns` on. False without memory. */
static bool steady_find(const gcast_run *run, int64_t first_ns, int64_t hyperperiod_ns, steady_growth *found)
{
    const gcast_workload *w = run->workload;
    steady_search f = {.run = run, .first_ns = first_ns, .hyperperiod_ns = hyperperiod_ns};
    found->earlier_ns = found->later_ns = -1;
    if (!waiting_is_without_effect(run))
        return true;
    f.calls = calloc(w->stream_count + 1, sizeof *f.calls);
    f.heads = calloc(w->stream_count + 1, sizeof *f.heads);
    head_time *heads = malloc((run->op_count + 1) * sizeof *heads);
    bool ok = exact_sweep_init(&f.sweep, run) && f.calls && f.heads && heads;
    f.sweep.without_waiting = true;
    for (size_t i = w->once_count; ok && i < w->op_count; i++)
        f.calls[w->ops[i].stream] += hyperperiod_ns / w->tasks[w->ops[i].task].period_ns;
    ok = ok && search(&f, heads, list_heads(run, heads), found);
    free(f.calls);
    free(f.heads);
    free(heads);
    vec_free(&f.list);
    arena_free(&f.memory);
    exact_sweep_free(&f.sweep);
    return ok;
}

typedef struct growth_search {
    const gcast_workload *w; /* the workload */
    growth *g;               /* the result */
    int64_t hyperperiod_ns;  /* of all tasks */
    int64_t first_ns;        /* from here on all releases repeat */
    int64_t horizon_ns;      /* of the run */
    bool records_blocks;     /* they are few enough */
} growth_search;

/* Are there too many operations before all releases repeat? */
static bool begins_too_late(const growth_search *f)
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

/* Chooses the horizon of the run; false: there is no hyperperiod, or too much in it or before it. */
static bool choose_horizon(growth_search *f)
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

/* Sets the result if there is a proof. */
static gcast_status prove(growth_search *f, const gcast_run *run, gcast_error *err)
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
            int64_t done = calls[s] * hyperperiods - backlog[s]; /* operations in this time; 0: none ever is */
            f->g->per_hyperperiod_ns[i] =
                (int64_t)((__int128)backlog[s] * f->hyperperiod_ns / (done ? done : backlog[s]));
        }
        units_format_time(found.earlier_ns, earlier, sizeof earlier);
        units_format_time(found.later_ns, later, sizeof later);
        f->g->kind = GCAST_BACKLOG_PILES_UP;
        snprintf(f->g->why, sizeof f->g->why,
                 "with the longest durations, the state at %s is that at %s, but more operations wait", later, earlier);
    }
    free(backlog);
    free(calls);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

/* Everything released before this time ends within the horizon. */
static int64_t settled_ns(const gcast_run *run)
{
    int64_t settled = run->horizon_ns;
    for (size_t i = 0; i < run->op_count; i++)
        if (!run->ops[i].skipped && run->ops[i].end_ns > run->horizon_ns)
            settled = min_i64(settled, run->ops[i].release_ns);
    return settled;
}

/* Sets the result if growth is seen: an op grows if its shortest response grows from part to part of the run, and is in
 * the last part more than twice that of the first, and more than a period longer. */
static gcast_status observe_growth(growth_search *f, const gcast_run *run, gcast_error *err)
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

/* Sets to_miss: how many hyperperiods after the first releases each growing op has missed its deadline once. */
static void find_miss(growth_search *f, const gcast_run *run)
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
    growth_search f = {.w = w, .g = g};
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
    bool is_overload = g->kind == GCAST_BACKLOG_PILES_UP; /* this does not tell which ops grow */
    if (!is_overload)
        status = prove(&f, run, err);
    if (status == GCAST_OK && (is_overload || g->kind == GCAST_BACKLOG_UNKNOWN))
        status = observe_growth(&f, run, err);
    if (status == GCAST_OK)
        find_miss(&f, run);
    gcast_run_free(run);
    return status;
}
