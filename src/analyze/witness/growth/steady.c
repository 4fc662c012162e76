#include "analyze/witness/growth/steady.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/exact/sweep.h"
#include "base/arena.h"
#include "model/workload/dependencies/dependencies.h"

#define MAX_STATE_BYTES ((size_t)1 << 26)

/* What is known of a run at the start of a hyperperiod. */
typedef struct snapshot {
    int64_t time_ns;      /* when */
    const int64_t *state; /* that of the sweep, then by stream the place of its head in the pattern of its calls */
    size_t count;         /* how many numbers that are */
    const int64_t *heads; /* by stream: operations that were at its head before */
} snapshot;

typedef struct finder {
    const gcast_run *run;   /* that is looked at */
    exact_sweep sweep;      /* states of the run */
    arena memory;           /* of the snapshots */
    VEC(snapshot) list;     /* all so far */
    size_t bytes;           /* of them */
    int64_t *calls;         /* by stream: calls in a hyperperiod */
    int64_t *heads;         /* by stream: operations that were at its head so far */
    int64_t first_ns;       /* from here on all releases repeat */
    int64_t hyperperiod_ns; /* of all tasks */
} finder;

static const gcast_op *op_of(const gcast_run *run, size_t i)
{
    return &run->workload->ops[run->ops[i].op];
}

/* Is a stream alone in a queue of each kind that it joins at its calls? `owner`: by queue, 1 more than its stream. */
static bool is_alone(size_t *owner, int queue, int stream)
{
    if (queue < 0)
        return true;
    if (!owner[queue])
        owner[queue] = (size_t)stream + 1;
    return owner[queue] == (size_t)stream + 1;
}

/* Does an operation that waits behind another of its stream change nothing for others? So it is without the NULL
 * stream, without dependencies, and where streams share neither connections nor channels of copy engines. False also
 * without memory. */
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

/* Was no stream whose backlog grows ever without an operation that had arrived, and is all that came to a head one of
 * those whose calls repeat? */
static bool is_backlogged(const finder *f, const snapshot *a, const snapshot *b, const int64_t *backlog)
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
static bool has_grown(const finder *f, const snapshot *a, const snapshot *b, int64_t *backlog)
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

/* Keeps the state at a time; false without memory. */
static bool take_snapshot(finder *f, int64_t time_ns)
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
    int stream;      /* which */
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

static bool search(finder *f, const head_time *heads, size_t head_count, steady_growth *found)
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

bool steady_find(const gcast_run *run, int64_t first_ns, int64_t hyperperiod_ns, steady_growth *found)
{
    const gcast_workload *w = run->workload;
    finder f = {.run = run, .first_ns = first_ns, .hyperperiod_ns = hyperperiod_ns};
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
