/* Fills the tables of `waits` once for a run (waits_make), and looks up in them. */
#include "report/run/wait_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "model/run_op.h"
#include "report/run/hung_run.h"

/* A kernel and its place in its EE queue. */
typedef struct sort_entry {
    int level;
    uint64_t entry;
    uint32_t op;
} sort_entry;

static int by_level_and_entry(const void *a, const void *b)
{
    const sort_entry *x = a, *y = b;
    if (x->level != y->level)
        return x->level - y->level;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

static int by_time(const void *a, const void *b)
{
    const switch_start *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* Finds the first and the last node of each launch of a graph. */
static void find_launches(waits *w)
{
    const gcast_run *run = w->run;
    for (size_t i = 0, end; i < run->op_count; i = end) {
        size_t last = i;
        for (end = i + 1; end < run->op_count && same_launch(run, i, end); end++) {
            const gcast_run_op *r = &run->ops[end], *l = &run->ops[last];
            if (r->end_ns > l->end_ns || (r->end_ns == l->end_ns && r->entry > l->entry))
                last = end;
        }
        for (size_t k = i; k < end; k++) {
            w->launch_first[k] = (uint32_t)i;
            w->launch_last[k] = (uint32_t)last;
        }
    }
}

/* Adds operation i to the chains that it is in. */
static bool add_operation(waits *w, size_t i, size_t *connections, size_t *engines)
{
    const gcast_run *run = w->run;
    const gcast_run_op *o = &run->ops[i];
    const gcast_stream *stream = &run->workload->streams[run_op(run, i)->stream];
    uint32_t op = (uint32_t)i, last = w->launch_last[i];
    bool ok = true;
    if (w->launch_first[i] == i)
        ok = vec_push(&w->streams.items,
                      ((chain_item){o->launch, run->ops[last].end_ns, (uint32_t)run_op(run, i)->stream, last}));
    if (o->connection >= 0) {
        *connections = max_size(*connections, (size_t)o->connection + 1);
        ok = ok && vec_push(&w->connections.items, ((chain_item){o->launch, o->enter_ns, (uint32_t)o->connection, op}));
    }
    if (o->engine >= 0) {
        *engines = max_size(*engines, (size_t)o->engine + 1);
        ok = ok && vec_push(&w->engines.items, ((chain_item){(uint64_t)o->start_ns, o->end_ns + run->gpu->copy_gap_ns,
                                                             (uint32_t)o->engine, op}));
    }
    if (stream->id != 0 && stream->blocking)
        ok = ok && vec_push(&w->blocking.items, ((chain_item){o->launch, o->end_ns, 0, op}));
    return ok;
}

static bool make_chains(waits *w)
{
    const gcast_run *run = w->run;
    size_t connections = 0, engines = 0;
    bool ok = true;
    for (size_t i = 0; i < run->op_count && ok; i++)
        if (run_op_ran(run, i))
            ok = add_operation(w, i, &connections, &engines);
    return ok && chains_finish(&w->streams, run->workload->stream_count, run->gpu->stream_gap_ns) &&
           chains_finish(&w->connections, connections, 0) && chains_finish(&w->engines, engines, 0) &&
           chains_finish(&w->blocking, 1, 0);
}

static bool make_kernels(waits *w)
{
    const gcast_run *run = w->run;
    size_t count = 0;
    sort_entry *order = malloc((run_total(run) + 1) * sizeof *order);
    if (!order)
        return false;
    for (size_t i = 0; i < run_total(run); i++)
        if (run_op_ran(run, i) && run_op(run, i)->kind == GCAST_KIND_KERNEL)
            order[count++] = (sort_entry){run_level(run, i), run->ops[i].entry, (uint32_t)i};
    if (count)
        qsort(order, count, sizeof *order, by_level_and_entry);
    for (size_t k = 0; k < count; k++) {
        int64_t dispatched = run->ops[order[k].op].dispatched_ns;
        bool is_first = !k || order[k].level != order[k - 1].level;
        w->kernels[k] =
            (queued_kernel){order[k].op, is_first ? dispatched : max_i64(dispatched, w->kernels[k - 1].dispatched_max)};
        w->place[order[k].op] = (uint32_t)k;
        w->first[order[k].level + 1] = k + 1;
        w->switches[k] = (switch_start){dispatched, order[k].op};
    }
    w->kernel_count = count;
    if (count)
        qsort(w->switches, count, sizeof *w->switches, by_time);
    for (int l = 0; l < run->gpu->priority_levels; l++) /* levels without kernels */
        w->first[l + 1] = max_size(w->first[l + 1], w->first[l]);
    free(order);
    return true;
}

static size_t find_null_stream(const gcast_run *run)
{
    for (size_t i = 0; i < run->workload->stream_count; i++)
        if (run->workload->streams[i].id == 0)
            return i;
    return SIZE_MAX;
}

bool waits_make(waits *w, const gcast_run *run)
{
    size_t n = run_total(run) + 1;
    *w =
        (waits){.run = run, .known = strcmp(run->source, "simulated") == 0 && (!run->launches || run->blocks_recorded)};
    w->null_stream = find_null_stream(run);
    w->kernels = malloc(n * sizeof *w->kernels);
    w->place = malloc(n * sizeof *w->place);
    w->first = calloc((size_t)run->gpu->priority_levels + 1, sizeof *w->first);
    w->switches = malloc(n * sizeof *w->switches);
    w->launch_first = malloc(n * sizeof *w->launch_first);
    w->launch_last = malloc(n * sizeof *w->launch_last);
    bool ok = w->kernels && w->place && w->first && w->switches && w->launch_first && w->launch_last;
    for (size_t i = 0; ok && i < run_total(run); i++) {
        const gcast_run_op *o = &run->ops[i];
        w->place[i] = WAIT_NO_HOLDER;
        if (i < run->op_count && run_op_ran(run, i) &&
            (o->call_ns < 0 || o->arrive_ns < 0 || o->head_ns < 0 || o->enter_ns < 0))
            w->known = false;
    }
    if (ok && w->known) {
        find_launches(w);
        ok = make_chains(w) && make_kernels(w);
    }
    if (!ok)
        waits_free(w);
    return ok;
}

void waits_free(waits *w)
{
    chains_free(&w->streams);
    chains_free(&w->connections);
    chains_free(&w->engines);
    chains_free(&w->blocking);
    free(w->kernels);
    free(w->place);
    free(w->first);
    free(w->switches);
    free(w->launch_first);
    free(w->launch_last);
    *w = (waits){0};
}

/* The first kernel from lo to hi, exclusive, of one level that is not fully dispatched at a time; hi: none. */
static size_t first_waiting(const waits *w, size_t lo, size_t hi, int64_t time)
{
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (w->kernels[mid].dispatched_max > time)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

/* The first kernel switch that is not over at a time. */
static size_t first_switch(const waits *w, int64_t time)
{
    size_t lo = 0, hi = w->kernel_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (w->switches[mid].time_ns + w->run->gpu->switch_ns > time)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

wait_front wait_index_front(const waits *w, size_t op, int64_t time)
{
    const gcast_run *run = w->run;
    int own = run_level(run, op);
    int64_t until = INT64_MAX; /* something else is in front from then on */
    for (int level = 0; level <= own; level++) {
        size_t end = level == own ? w->place[op] : w->first[level + 1];
        size_t k = first_waiting(w, w->first[level], end, time);
        if (k == end)
            continue;
        const gcast_run_op *o = &run->ops[w->kernels[k].op];
        if (o->enter_ns <= time)
            return (wait_front){level < own ? GCAST_WHY_PRIORITY : GCAST_WHY_FIFO, w->kernels[k].op,
                                min_i64(o->dispatched_ns, until)};
        until = min_i64(until, o->enter_ns);
    }
    size_t next = run->gpu->switch_ns ? first_switch(w, time) : w->kernel_count;
    if (next == w->kernel_count)
        return (wait_front){GCAST_WHY_RESOURCES, SIZE_MAX, until};
    if (w->switches[next].time_ns > time)
        return (wait_front){GCAST_WHY_RESOURCES, SIZE_MAX, min_i64(until, w->switches[next].time_ns)};
    return (wait_front){GCAST_WHY_SWITCH, w->switches[next].op,
                        min_i64(until, w->switches[next].time_ns + run->gpu->switch_ns)};
}

size_t wait_index_before(const waits *w, size_t op)
{
    const chains *c = &w->streams;
    size_t stream = (size_t)run_op(w->run, op)->stream, lo = c->first[stream], hi = c->first[stream + 1];
    uint64_t launch = w->run->ops[w->launch_first[op]].launch;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (c->items.at[mid].place >= launch)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo == c->first[stream] ? SIZE_MAX : c->items.at[lo - 1].op;
}

size_t wait_index_last_blocking(const waits *w, uint64_t launch)
{
    const chains *c = &w->blocking;
    size_t lo = 0, hi = c->items.count;
    while (lo < hi) { /* hi: how many were called before */
        size_t mid = lo + (hi - lo) / 2;
        if (c->items.at[mid].place >= launch)
            hi = mid;
        else
            lo = mid + 1;
    }
    if (!hi)
        return SIZE_MAX;
    int64_t last_ns = c->until_ns[hi - 1];
    for (lo = 0; lo < hi;) { /* the first at which the latest end is reached */
        size_t mid = lo + (hi - lo) / 2;
        if (c->until_ns[mid] >= last_ns)
            hi = mid;
        else
            lo = mid + 1;
    }
    return c->items.at[lo].op;
}
