/* Explaining an operation from its call to its engine's queue (stream, NULL stream,
 * connection), and a copy from there to its start. Whoever was in front comes one after
 * the other, so that they are put in order once. */
#include "simulate/explain/queue_waits.h"

#include <stdlib.h>

#include "base/vec.h"
#include "model/workload/edit.h"
#include "simulate/explain/wait_list.h"
#include "simulate/run_ops.h"

typedef struct rival {
    uint64_t place; /* in the order in which they go */
    size_t run_op;
} rival;

typedef VEC(rival) rivals;

static int by_place(const void *a, const void *b)
{
    const rival *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

static bool sort(rivals *all, bool ok)
{
    if (ok && all->count)
        qsort(all->at, all->count, sizeof *all->at, by_place);
    return ok;
}

/* Older operations of a stream by launch. */
static bool older_of_stream(const gcast_run *run, size_t me, int stream, rivals *all)
{
    bool ok = true;
    for (size_t i = 0; i < run->op_count && ok; i++) {
        const gcast_run_op *r = &run->ops[i];
        const gcast_op *op = run_spec(run, i);
        if (!r->skipped && gcast_kind_on_gpu(op->kind) && op->stream == stream && r->launch < run->ops[me].launch)
            ok = vec_push(all, ((rival){r->launch, i}));
    }
    return sort(all, ok);
}

/* Those that joined my connection before me, by launch. */
static bool older_of_connection(const gcast_run *run, size_t me, rivals *all)
{
    bool ok = true;
    for (size_t i = 0; i < run->op_count && ok; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (!r->skipped && r->connection >= 0 && r->connection == run->ops[me].connection &&
            r->launch < run->ops[me].launch)
            ok = vec_push(all, ((rival){r->launch, i}));
    }
    return sort(all, ok);
}

/* Those that my copy engine took before me, by start. */
static bool earlier_copies(const gcast_run *run, size_t me, rivals *all)
{
    bool ok = true;
    for (size_t i = 0; i < run->op_count && ok; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (!r->skipped && r->engine == run->ops[me].engine && i != me && r->start_ns < run->ops[me].start_ns)
            ok = vec_push(all, ((rival){(uint64_t)r->start_ns, i}));
    }
    return sort(all, ok);
}

/* Until the operation `holder` is complete, and then until it is gone, but not
 * beyond `to`; returns how far that came. */
static int64_t wait_gone(explain *e, const gcast_run *run, gcast_reason reason, int64_t from, int64_t to, size_t holder)
{
    int64_t end = run->ops[holder].end_ns, gone = end + run->gpu->stream_gap_ns;
    end = end < to ? end : to;
    gone = gone < to ? gone : to;
    if (end > from) {
        explain_add_for(e, reason, from, end, holder);
        from = end;
    }
    if (gone > from) {
        explain_add_for(e, GCAST_WHY_GAP, from, gone, holder);
        from = gone;
    }
    return from;
}

/* Older operations of a stream that are not gone at `*from`, one after the other. */
static bool wait_stream(explain *e, const gcast_run *run, size_t me, gcast_reason reason, int64_t *from, int64_t to,
                        int stream)
{
    rivals all = {0};
    bool ok = *from >= to || older_of_stream(run, me, stream, &all);
    for (size_t i = 0; i < all.count && ok && *from < to; i++)
        if (run->ops[all.at[i].run_op].end_ns + run->gpu->stream_gap_ns > *from)
            *from = wait_gone(e, run, reason, *from, to, all.at[i].run_op);
    vec_free(&all);
    return ok;
}

/* N1: all older operations of blocking streams; the one that ends last stands for them. */
static int64_t wait_blocking(explain *e, const gcast_run *run, size_t me, int64_t from, int64_t to)
{
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        const gcast_op *op = run_spec(run, i);
        if (r->skipped || !gcast_kind_on_gpu(op->kind) || r->launch >= run->ops[me].launch)
            continue;
        const gcast_stream *stream = &run->workload->streams[op->stream];
        if (stream->id != 0 && stream->blocking && (last == SIZE_MAX || r->end_ns > run->ops[last].end_ns))
            last = i;
    }
    return last == SIZE_MAX ? from : wait_gone(e, run, GCAST_WHY_NULL_FIRST, from, to, last);
}

/* Whoever is the front of my connection, one after the other. */
static bool wait_connection(explain *e, const gcast_run *run, size_t me, int64_t from, int64_t to)
{
    rivals all = {0};
    bool ok = from >= to || older_of_connection(run, me, &all);
    for (size_t i = 0; i < all.count && ok && from < to; i++) {
        int64_t enter = run->ops[all.at[i].run_op].enter_ns;
        if (enter <= from)
            continue;
        enter = enter < to ? enter : to;
        explain_add_for(e, GCAST_WHY_CONNECTION, from, enter, all.at[i].run_op);
        from = enter;
    }
    explain_add(e, GCAST_WHY_TURN, from, to, 0, NULL, 0);
    vec_free(&all);
    return ok;
}

bool explain_queue(explain *e, const gcast_run *run, size_t me)
{
    const gcast_run_op *r = &run->ops[me];
    int mine = run_spec(run, me)->stream;
    const gcast_stream *stream = &run->workload->streams[mine];
    explain_add(e, GCAST_WHY_LATENCY, r->call_ns, r->arrive_ns, 0, NULL, 0);
    int64_t t = r->arrive_ns;
    bool ok = wait_stream(e, run, me, GCAST_WHY_STREAM, &t, r->head_ns, mine);
    if (stream->id == 0)
        t = wait_blocking(e, run, me, t, r->enter_ns);
    else if (stream->blocking)
        ok = ok &&
             wait_stream(e, run, me, GCAST_WHY_NULL_BEFORE, &t, r->enter_ns, workload_find_stream(run->workload, 0));
    return ok && wait_connection(e, run, me, t, r->enter_ns);
}

bool explain_copy(explain *e, const gcast_run *run, size_t me)
{
    const gcast_run_op *r = &run->ops[me];
    int64_t t = r->enter_ns;
    rivals all = {0};
    bool ok = t >= r->start_ns || earlier_copies(run, me, &all);
    for (size_t i = 0; i < all.count && ok && t < r->start_ns; i++) {
        int64_t free_at = run->ops[all.at[i].run_op].end_ns + run->gpu->copy_gap_ns;
        if (free_at <= t)
            continue;
        explain_add_for(e, GCAST_WHY_COPY_FIFO, t, free_at, all.at[i].run_op);
        t = free_at;
    }
    explain_add(e, GCAST_WHY_COPY_BESIDE, t, r->start_ns, 0, NULL, 0);
    vec_free(&all);
    return ok;
}
