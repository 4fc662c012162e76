#include "report/run/waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/minmax.h"
#include "gridcast/explain.h"
#include "model/gpu/event_gap.h"
#include "model/run_children.h"
#include "model/run_op.h"
#include "model/workload/dependencies/dependencies.h"

/* An operation of the run and what it is sorted by. */
typedef struct sort_entry {
    uint64_t key, entry; /* entry decides between equal keys */
    uint32_t op;
} sort_entry;

static int by_key(const void *a, const void *b)
{
    const sort_entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* When the operations left that N1 or N2 makes an operation wait for; found in the order of calls. */
static void find_null_waits(waits *w, sort_entry *order)
{
    const gcast_run *run = w->run;
    size_t count = 0;
    int64_t null_left = -1, blocking_left = -1; /* when the last of the NULL stream, or of blocking streams, left */
    for (size_t i = 0; i < run->op_count; i++)
        if (run_op_ran(run, i))
            order[count++] = (sort_entry){run->ops[i].launch, 0, (uint32_t)i};
    if (count)
        qsort(order, count, sizeof *order, by_key);
    for (size_t k = 0; k < count; k++) {
        const gcast_stream *stream = &run->workload->streams[run_op(run, order[k].op)->stream];
        int64_t left = run->ops[order[k].op].end_ns + run->gpu->stream_gap_ns;
        if (stream->id == 0) {
            w->others_left[order[k].op] = blocking_left;
            null_left = max_i64(null_left, left);
        } else if (stream->blocking) {
            w->others_left[order[k].op] = null_left;
            blocking_left = max_i64(blocking_left, left);
        }
    }
}

static void find_kernels(waits *w, sort_entry *order)
{
    const gcast_run *run = w->run;
    size_t count = 0;
    for (size_t i = 0; i < run_total(run); i++)
        if (run_op_ran(run, i) && run_op(run, i)->kind == GCAST_KIND_KERNEL)
            order[count++] = (sort_entry){(uint64_t)run_level(run, i), run->ops[i].entry, (uint32_t)i};
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
        qsort(w->dispatches, count, sizeof *w->dispatches, compare_i64);
    for (int l = 0; l < run->gpu->priority_levels; l++) /* levels without kernels */
        w->first[l + 1] = max_size(w->first[l + 1], w->first[l]);
}

bool waits_make(waits *w, const gcast_run *run)
{
    size_t n = run_total(run) + 1;
    *w =
        (waits){.run = run, .known = strcmp(run->source, "simulated") == 0 && (!run->launches || run->blocks_recorded)};
    w->kernels = malloc(n * sizeof *w->kernels);
    w->place = malloc(n * sizeof *w->place);
    w->first = calloc((size_t)run->gpu->priority_levels + 1, sizeof *w->first);
    w->dispatches = malloc(n * sizeof *w->dispatches);
    w->others_left = malloc(n * sizeof *w->others_left);
    sort_entry *order = malloc(n * sizeof *order);
    bool ok = w->kernels && w->place && w->first && w->dispatches && w->others_left && order;
    for (size_t i = 0; ok && i < run_total(run); i++) {
        const gcast_run_op *o = &run->ops[i];
        w->place[i] = WAIT_NO_HOLDER;
        w->others_left[i] = -1;
        if (i < run->op_count && run_op_ran(run, i) &&
            (o->call_ns < 0 || o->arrive_ns < 0 || o->head_ns < 0 || o->enter_ns < 0))
            w->known = false;
    }
    if (ok && w->known) {
        find_null_waits(w, order);
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
    free(w->others_left);
    *w = (waits){0};
}

typedef struct part_list {
    wait_part *at; /* of the caller, WAIT_PARTS of them */
    size_t count;  /* so far */
    int64_t done;  /* the time up to which there are parts */
    int64_t end;   /* the time at which the last one ends */
} part_list;

/* Adds a part up to end_ns, if that is later than the end of the last part. The last of WAIT_PARTS parts is all the
 * rest. */
static void add(part_list *l, const char *rule, const char *why, int64_t end_ns, uint32_t holder)
{
    end_ns = min_i64(end_ns, l->end);
    if (end_ns <= l->done)
        return;
    wait_part part = {rule, why, l->done, end_ns, holder};
    if (l->count + 1 == WAIT_PARTS && end_ns < l->end)
        part = (wait_part){"more", "more of the like", l->done, l->end, WAIT_NO_HOLDER};
    l->at[l->count++] = part;
    l->done = part.end_ns;
}

static void add_reason(part_list *l, gcast_reason reason, int64_t end_ns, uint32_t holder)
{
    add(l, gcast_reason_rule(reason), gcast_reason_text(reason), end_ns, holder);
}

/* The first kernel of a higher level that is not fully dispatched at t: kernels of a level are dispatched in order. */
static uint32_t next_above(const waits *w, int level, int64_t t)
{
    uint32_t best = WAIT_NO_HOLDER;
    for (int l = 0; l < level; l++) {
        size_t lo = w->first[l], hi = w->first[l + 1];
        while (lo < hi) {
            size_t mid = lo + (hi - lo) / 2;
            if (w->run->ops[w->kernels[mid]].dispatched_ns > t)
                hi = mid;
            else
                lo = mid + 1;
        }
        if (lo == w->first[l + 1])
            continue;
        uint32_t i = w->kernels[lo];
        if (best == WAIT_NO_HOLDER || w->run->ops[i].enter_ns < w->run->ops[best].enter_ns)
            best = i;
    }
    return best;
}

/* The end of the kernel switch that is under way at t. Where none is, *next becomes the start of the next one, if that
 * is earlier. */
static int64_t switch_end(const waits *w, int64_t t, int64_t *next)
{
    size_t lo = 0, hi = w->run->gpu->switch_ns ? w->kernel_count : 0; /* lo: how many are fully dispatched at t */
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (w->dispatches[mid] > t)
            hi = mid;
        else
            lo = mid + 1;
    }
    int64_t end_ns = lo ? w->dispatches[lo - 1] + w->run->gpu->switch_ns : 0;
    if (end_ns <= t && lo < w->kernel_count && w->run->gpu->switch_ns && w->dispatches[lo] < *next)
        *next = w->dispatches[lo];
    return end_ns;
}

/* What a kernel waited for in its EE queue: A2, then X1, the kernel switch, and R2 or R3 where it was the head
 * of all. */
static void add_kernel_waits(const waits *w, size_t op, part_list *l)
{
    static const char no_room[] = "no SM had room for its first block, by resources, carveout or resident grids";
    const gcast_run *run = w->run;
    int level = run_level(run, op);
    uint32_t before = w->place[op] > w->first[level] ? w->kernels[w->place[op] - 1] : WAIT_NO_HOLDER;
    int64_t before_dispatched_ns = before == WAIT_NO_HOLDER ? 0 : run->ops[before].dispatched_ns;
    for (int64_t last_done = -1; l->done < l->end && l->done > last_done;) {
        uint32_t above = next_above(w, level, l->done);
        int64_t next = above == WAIT_NO_HOLDER ? l->end : run->ops[above].enter_ns, switch_end_ns;
        last_done = l->done;
        if (next <= l->done)
            add_reason(l, GCAST_WHY_PRIORITY, run->ops[above].dispatched_ns, above);
        else if (before_dispatched_ns > l->done)
            add_reason(l, GCAST_WHY_FIFO, min_i64(before_dispatched_ns, next), before);
        else if ((switch_end_ns = switch_end(w, l->done, &next)) > l->done)
            add_reason(l, GCAST_WHY_SWITCH, min_i64(switch_end_ns, next), WAIT_NO_HOLDER);
        else
            add(l, gcast_reason_rule(GCAST_WHY_RESOURCES), no_room, next, WAIT_NO_HOLDER);
    }
}

/* The wait for the operations that op is after, as far as they were called before it; the one that ended last stands
 * for them. */
static void add_event_wait(const waits *w, size_t op, part_list *l)
{
    const gcast_run *run = w->run;
    const gcast_op *spec = run_op(run, op);
    size_t last = SIZE_MAX;
    for (size_t k = 0; k < spec->after_count; k++) {
        size_t i = dependencies_operation(op, run->ops[op].op, spec->after[k]);
        if (run_op_ran(run, i) && run->ops[i].launch < run->ops[op].launch && run_op(run, i)->stream != spec->stream &&
            (last == SIZE_MAX || run->ops[i].end_ns > run->ops[last].end_ns))
            last = i;
    }
    if (last != SIZE_MAX && run->ops[last].end_ns + event_gap_of(run->gpu) > l->done)
        add_reason(l, GCAST_WHY_AFTER, min_i64(run->ops[last].end_ns + event_gap_of(run->gpu), run->ops[op].enter_ns),
                   (uint32_t)last);
}

/* The wait of a node for those of its graph that it is after; the one that ended last stands for them. Where it also
 * waited in a connection, that came after their end. */
static void add_edge_wait(const waits *w, size_t op, part_list *l)
{
    const gcast_run *run = w->run;
    const gcast_op *spec = run_op(run, op);
    size_t last = SIZE_MAX;
    for (size_t k = 0; k < spec->after_count && spec->graph != GCAST_NO_GRAPH; k++) {
        size_t i = dependencies_operation(op, run->ops[op].op, spec->after[k]);
        if (run_op(run, i)->graph == spec->graph && (last == SIZE_MAX || run->ops[i].end_ns > run->ops[last].end_ns))
            last = i;
    }
    if (last != SIZE_MAX)
        add_reason(l, GCAST_WHY_EDGE, run->ops[op].connection < 0 ? run->ops[op].enter_ns : run->ops[last].end_ns,
                   (uint32_t)last);
}

size_t waits_of(const waits *w, size_t op, int64_t start_ns, wait_part parts[WAIT_PARTS])
{
    const gcast_run_op *o = &w->run->ops[op];
    bool in_null_stream = w->run->workload->streams[run_op(w->run, op)->stream].id == 0;
    part_list l = {.at = parts, .done = start_ns, .end = o->start_ns};
    if (!w->known || start_ns >= o->start_ns)
        return 0;
    add_reason(&l, GCAST_WHY_LATENCY, o->arrive_ns, WAIT_NO_HOLDER);
    add_reason(&l, GCAST_WHY_GAP, o->head_ns, WAIT_NO_HOLDER);
    if (w->others_left[op] > l.done)
        add_reason(&l, in_null_stream ? GCAST_WHY_NULL_FIRST : GCAST_WHY_NULL_BEFORE,
                   min_i64(w->others_left[op], o->enter_ns), WAIT_NO_HOLDER);
    if (op < w->run->op_count) {
        add_event_wait(w, op, &l);
        add_edge_wait(w, op, &l);
    }
    add(&l, gcast_reason_rule(GCAST_WHY_CONNECTION), "others were in front of it in its connection, or had their turn",
        o->enter_ns, WAIT_NO_HOLDER);
    if (run_op(w->run, op)->kind == GCAST_KIND_KERNEL)
        add_kernel_waits(w, op, &l);
    else
        add(&l, gcast_reason_rule(GCAST_WHY_COPY_FIFO), "other copies were in front of it, or held up its start",
            o->start_ns, WAIT_NO_HOLDER);
    return l.count;
}
