#include "report/run/waits.h"

#include <stdlib.h>
#include <string.h>

#include "gridcast/explain.h"
#include "model/gpu/level.h"

static int level_of(const gcast_run *run, uint32_t i)
{
    return level_of_priority(run->gpu, run->workload->streams[run_op(run, i)->stream].priority);
}

typedef struct keyed {
    uint64_t key, entry;
    uint32_t op;
} keyed;

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* N1 and N2, in the order of calls. */
static void find_others(waits *w, keyed *order)
{
    const gcast_run *run = w->run;
    size_t count = 0;
    int64_t null_gone = -1, blocking_gone = -1;
    for (size_t i = 0; i < run->op_count; i++)
        if (run_op_ran(run, i))
            order[count++] = (keyed){run->ops[i].launch, 0, (uint32_t)i};
    if (count)
        qsort(order, count, sizeof *order, by_key);
    for (size_t k = 0; k < count; k++) {
        const gcast_stream *stream = &run->workload->streams[run_op(run, order[k].op)->stream];
        int64_t gone = run->ops[order[k].op].end_ns + run->gpu->stream_gap_ns;
        if (stream->id == 0) {
            w->others_gone[order[k].op] = blocking_gone;
            null_gone = gone > null_gone ? gone : null_gone;
        } else if (stream->blocking) {
            w->others_gone[order[k].op] = null_gone;
            blocking_gone = gone > blocking_gone ? gone : blocking_gone;
        }
    }
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void find_kernels(waits *w, keyed *order)
{
    const gcast_run *run = w->run;
    size_t count = 0;
    for (size_t i = 0; i < run->op_count; i++)
        if (run_op_ran(run, i) && run_op(run, i)->kind == GCAST_KIND_KERNEL)
            order[count++] = (keyed){(uint64_t)level_of(run, (uint32_t)i), run->ops[i].entry, (uint32_t)i};
    if (count)
        qsort(order, count, sizeof *order, by_key);
    for (size_t k = 0; k < count; k++) {
        w->kernels[k] = order[k].op;
        w->place[order[k].op] = (uint32_t)k;
        w->first[order[k].key + 1] = k + 1;
        w->dispatches[k] = run->ops[order[k].op].dispatched_ns;
    }
    w->kernel_count = count;
    if (count)
        qsort(w->dispatches, count, sizeof *w->dispatches, by_time);
    for (int l = 0; l < run->gpu->priority_levels; l++) /* levels without kernels */
        if (w->first[l + 1] < w->first[l])
            w->first[l + 1] = w->first[l];
}

bool waits_make(waits *w, const gcast_run *run)
{
    size_t n = run->op_count + 1;
    *w = (waits){.run = run, .known = strcmp(run->source, "simulated") == 0};
    w->kernels = malloc(n * sizeof *w->kernels);
    w->place = malloc(n * sizeof *w->place);
    w->first = calloc((size_t)run->gpu->priority_levels + 1, sizeof *w->first);
    w->dispatches = malloc(n * sizeof *w->dispatches);
    w->others_gone = malloc(n * sizeof *w->others_gone);
    keyed *order = malloc(n * sizeof *order);
    bool ok = w->kernels && w->place && w->first && w->dispatches && w->others_gone && order;
    for (size_t i = 0; ok && i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        w->place[i] = WAIT_NOBODY;
        w->others_gone[i] = -1;
        if (run_op_ran(run, i) && (o->call_ns < 0 || o->arrive_ns < 0 || o->head_ns < 0 || o->enter_ns < 0))
            w->known = false;
    }
    if (ok && w->known) {
        find_others(w, order);
        find_kernels(w, order);
    }
    free(order);
    if (!ok)
        waits_free(w);
    return ok;
}

void waits_free(waits *w)
{
    free(w->kernels);
    free(w->place);
    free(w->first);
    free(w->dispatches);
    free(w->others_gone);
    *w = (waits){0};
}

typedef struct part_list {
    wait_part *at;
    size_t count;
    int64_t done, end; /* how far the parts come, and where the last one ends */
} part_list;

/* Up to `to`, if that is later than what came before. The last part that there is room for is all the rest. */
static void add(part_list *l, const char *rule, const char *why, int64_t to, uint32_t holder)
{
    to = to > l->end ? l->end : to;
    if (to <= l->done)
        return;
    wait_part part = {rule, why, l->done, to, holder};
    if (l->count + 1 == WAIT_PARTS && to < l->end)
        part = (wait_part){"more", "more of the like", l->done, l->end, WAIT_NOBODY};
    l->at[l->count++] = part;
    l->done = part.to;
}

static void add_reason(part_list *l, gcast_reason reason, int64_t to, uint32_t holder)
{
    add(l, gcast_reason_rule(reason), gcast_reason_text(reason), to, holder);
}

/* The first kernel of levels above that is still to start blocks after `t`; of a level, kernels do so in order. */
static uint32_t next_above(const waits *w, int level, int64_t t)
{
    uint32_t best = WAIT_NOBODY;
    for (int l = 0; l < level; l++) {
        size_t lo = w->first[l], hi = w->first[l + 1];
        while (lo < hi) {
            size_t middle = lo + (hi - lo) / 2;
            if (w->run->ops[w->kernels[middle]].dispatched_ns > t)
                hi = middle;
            else
                lo = middle + 1;
        }
        if (lo == w->first[l + 1])
            continue;
        uint32_t i = w->kernels[lo];
        if (best == WAIT_NOBODY || w->run->ops[i].enter_ns < w->run->ops[best].enter_ns)
            best = i;
    }
    return best;
}

/* Until when the GPU moves on from a kernel whose last block has just started; where it does not at t, *next is when it
 * will. */
static int64_t switched(const waits *w, int64_t t, int64_t *next)
{
    size_t lo = 0, hi = w->run->gpu->switch_ns ? w->kernel_count : 0; /* lo: how many were dispatched by t */
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (w->dispatches[middle] > t)
            hi = middle;
        else
            lo = middle + 1;
    }
    int64_t until = lo ? w->dispatches[lo - 1] + w->run->gpu->switch_ns : 0;
    if (until <= t && lo < w->kernel_count && w->run->gpu->switch_ns && w->dispatches[lo] < *next)
        *next = w->dispatches[lo];
    return until;
}

/* A2 before X1, and R2 or R3 where it is the head of all. */
static void kernel_waits(const waits *w, size_t op, part_list *l)
{
    static const char no_room[] = "no SM had room for its first block, by resources, carveout or resident grids";
    const gcast_run *run = w->run;
    int level = level_of(run, (uint32_t)op);
    uint32_t front = w->place[op] > w->first[level] ? w->kernels[w->place[op] - 1] : WAIT_NOBODY;
    int64_t front_until = front == WAIT_NOBODY ? 0 : run->ops[front].dispatched_ns;
    for (int64_t before = -1; l->done < l->end && l->done > before;) {
        uint32_t above = next_above(w, level, l->done);
        int64_t next = above == WAIT_NOBODY ? l->end : run->ops[above].enter_ns, until;
        before = l->done;
        if (next <= l->done)
            add_reason(l, GCAST_WHY_PRIORITY, run->ops[above].dispatched_ns, above);
        else if (front_until > l->done)
            add_reason(l, GCAST_WHY_FIFO, front_until < next ? front_until : next, front);
        else if ((until = switched(w, l->done, &next)) > l->done)
            add_reason(l, GCAST_WHY_SWITCH, until < next ? until : next, WAIT_NOBODY);
        else
            add(l, gcast_reason_rule(GCAST_WHY_ROOM), no_room, next, WAIT_NOBODY);
    }
}

size_t waits_of(const waits *w, size_t op, int64_t from, wait_part parts[WAIT_PARTS])
{
    const gcast_run_op *o = &w->run->ops[op];
    bool null = w->run->workload->streams[run_op(w->run, op)->stream].id == 0;
    part_list l = {.at = parts, .done = from, .end = o->start_ns};
    if (!w->known || from >= o->start_ns)
        return 0;
    add_reason(&l, GCAST_WHY_LATENCY, o->arrive_ns, WAIT_NOBODY);
    add_reason(&l, GCAST_WHY_GAP, o->head_ns, WAIT_NOBODY);
    if (w->others_gone[op] > l.done)
        add_reason(&l, null ? GCAST_WHY_NULL_FIRST : GCAST_WHY_NULL_BEFORE,
                   w->others_gone[op] < o->enter_ns ? w->others_gone[op] : o->enter_ns, WAIT_NOBODY);
    add(&l, gcast_reason_rule(GCAST_WHY_CONNECTION), "others were in front of it in its connection, or had their turn",
        o->enter_ns, WAIT_NOBODY);
    if (run_op(w->run, op)->kind == GCAST_KIND_KERNEL)
        kernel_waits(w, op, &l);
    else
        add(&l, gcast_reason_rule(GCAST_WHY_COPY_FIFO), "other copies were in front of it, or held up its start",
            o->start_ns, WAIT_NOBODY);
    return l.count;
}
