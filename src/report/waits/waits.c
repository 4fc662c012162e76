#include "report/waits/waits.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "gridcast/explain.h"
#include "model/gpu/event_gap.h"
#include "model/run_op.h"
#include "model/workload/dependencies/dependencies.h"
#include "report/waits/wait_index.h"

#define CHAIN_PARTS 4 /* so many operations of a chain have parts of their own; more of them have one together */

typedef struct part_list {
    wait_part *at; /* of the caller, WAIT_PARTS of them */
    size_t count;  /* so far */
    int64_t done;  /* the time up to which there are parts */
    int64_t end;   /* the time at which the last one ends */
} part_list;

/* Adds a part up to its end, if that is later than the end of the last part. The last of WAIT_PARTS parts is all the
 * rest. */
static void add(part_list *l, wait_part part)
{
    part.end_ns = min_i64(part.end_ns, l->end);
    part.start_ns = l->done;
    if (part.end_ns <= l->done)
        return;
    if (l->count + 1 == WAIT_PARTS && part.end_ns < l->end)
        part = (wait_part){.rule = "more",
                           .why = "more waits, which are not told apart here",
                           .start_ns = l->done,
                           .end_ns = l->end,
                           .holder = WAIT_NO_HOLDER,
                           .rough = true};
    l->at[l->count++] = part;
    l->done = part.end_ns;
}

static void add_reason(part_list *l, gcast_reason reason, int64_t end_ns, uint32_t holder)
{
    add(l, (wait_part){.rule = gcast_reason_rule(reason),
                       .why = gcast_reason_text(reason),
                       .end_ns = end_ns,
                       .holder = holder,
                       .count = holder != WAIT_NO_HOLDER});
}

/* One of several reasons. */
static void add_rough(part_list *l, const char *rule, const char *why, int64_t end_ns, uint32_t holder)
{
    add(l, (wait_part){.rule = rule,
                       .why = why,
                       .end_ns = end_ns,
                       .holder = holder,
                       .count = holder != WAIT_NO_HOLDER,
                       .rough = true});
}

/* The wait up to end_ns for those of a chain that are in front of `place`: for each until it is complete, and then for
 * the gap. Of many the last stands for all. */
static void add_chain(part_list *l, const chains *c, size_t group, uint64_t place, gcast_reason reason, int64_t end_ns)
{
    end_ns = min_i64(end_ns, l->end);
    chain_front f = chains_front(c, group, place, l->done, end_ns);
    if (f.first > f.last)
        return;
    if (f.last - f.first >= CHAIN_PARTS) {
        int64_t until_ns = min_i64(c->until_ns[f.last], end_ns);
        add(l, (wait_part){.rule = gcast_reason_rule(reason),
                           .why = gcast_reason_text(reason),
                           .end_ns = until_ns,
                           .holder = c->items.at[f.last].op,
                           .count = chains_count(c, f),
                           .gap_ns = chains_gaps(c, f, l->done, until_ns)});
        return;
    }
    for (size_t i = f.first; i <= f.last; i++) {
        add_reason(l, reason, min_i64(c->items.at[i].time_ns, end_ns), c->items.at[i].op);
        add_reason(l, GCAST_WHY_GAP, min_i64(c->items.at[i].time_ns + c->gap_ns, end_ns), c->items.at[i].op);
    }
}

/* N1: the wait for all older operations of blocking streams; the one that ends last stands for them. */
static void add_blocking(const waits *w, size_t op, part_list *l)
{
    const gcast_run_op *o = &w->run->ops[op];
    size_t last = wait_index_last_blocking(w, o->launch);
    if (last == SIZE_MAX)
        return;
    int64_t end_ns = w->run->ops[last].end_ns;
    add_reason(l, GCAST_WHY_NULL_FIRST, min_i64(end_ns, o->enter_ns), (uint32_t)last);
    add_reason(l, GCAST_WHY_GAP, min_i64(end_ns + w->run->gpu->stream_gap_ns, o->enter_ns), (uint32_t)last);
}

/* The operation that op, or its launch, is after, of those that are seen after a time the first; SIZE_MAX: none. */
static size_t next_event(const waits *w, size_t op, int64_t after_ns)
{
    const gcast_run *run = w->run;
    size_t first = w->launch_first[op], next = SIZE_MAX;
    const gcast_op *spec = run_op(run, first);
    for (size_t k = 0; k < spec->after_count; k++) {
        size_t i = w->launch_last[dependencies_operation(first, run->ops[first].op, spec->after[k])];
        if (!run->ops[i].skipped && run->ops[i].launch < run->ops[op].launch &&
            run_op(run, i)->stream != spec->stream && run->ops[i].end_ns + event_gap_of(run->gpu) > after_ns &&
            (next == SIZE_MAX || run->ops[i].end_ns < run->ops[next].end_ns))
            next = i;
    }
    return next;
}

/* The wait for the operations that op is after, as far as they were called before it: one after the other, and after
 * each until its event is seen. */
static void add_events(const waits *w, size_t op, part_list *l)
{
    const gcast_run_op *o = &w->run->ops[op];
    int64_t end_ns = min_i64(o->enter_ns, l->end);
    for (size_t i; l->done < end_ns && (i = next_event(w, op, l->done)) != SIZE_MAX;)
        add_reason(l, GCAST_WHY_AFTER, min_i64(w->run->ops[i].end_ns + event_gap_of(w->run->gpu), end_ns), (uint32_t)i);
}

/* The wait of a node for those of its graph that it is after; when that is seen, and its turn in a connection, do not
 * show in times of operations. */
static void add_edges(const waits *w, size_t op, part_list *l)
{
    const gcast_run *run = w->run;
    const gcast_op *spec = run_op(run, op);
    size_t last = SIZE_MAX;
    for (size_t k = 0; k < spec->after_count; k++) {
        size_t i = dependencies_operation(op, run->ops[op].op, spec->after[k]);
        if (last == SIZE_MAX || run->ops[i].end_ns > run->ops[last].end_ns)
            last = i;
    }
    if (run->ops[op].connection < 0)
        add_rough(l, gcast_reason_rule(GCAST_WHY_EDGE), gcast_reason_text(GCAST_WHY_EDGE), run->ops[op].enter_ns,
                  (uint32_t)last);
    else
        add_rough(l, gcast_reason_rule(GCAST_WHY_EDGE),
                  "a node of its graph that it is after was not done or not seen yet, or others were in front of it in "
                  "its connection",
                  run->ops[op].enter_ns, (uint32_t)last);
}

/* The wait of a programmatic kernel that overlaps with the one before it. When that one had triggered is in its blocks.
 */
static void add_overlap(const waits *w, size_t op, part_list *l)
{
    const gcast_run *run = w->run;
    const gcast_run_op *o = &run->ops[op];
    size_t before = run_op(run, op)->programmatic ? wait_index_before(w, op) : SIZE_MAX;
    if (before != SIZE_MAX && run_op(run, before)->graph == GCAST_NO_GRAPH &&
        run_op(run, before)->kind == GCAST_KIND_KERNEL &&
        o->head_ns < run->ops[before].end_ns + run->gpu->stream_gap_ns)
        add_rough(
            l, gcast_reason_rule(GCAST_WHY_TRIGGER),
            "not all blocks of the kernel before it in its stream had triggered, or as many kernels of its stream "
            "overlapped as can",
            o->head_ns, (uint32_t)before);
}

/* From the call to the queue of its engine. */
static void add_queue_waits(const waits *w, size_t op, part_list *l)
{
    const gcast_run *run = w->run;
    const gcast_run_op *o = &run->ops[op];
    size_t stream = (size_t)run_op(run, op)->stream;
    uint64_t launch = run->ops[w->launch_first[op]].launch;
    add_reason(l, GCAST_WHY_LATENCY, o->arrive_ns, WAIT_NO_HOLDER);
    add_overlap(w, op, l);
    add_chain(l, &w->streams, stream, launch, GCAST_WHY_STREAM, o->head_ns);
    if (w->launch_first[op] != op && run_op(run, op)->after_count) {
        add_edges(w, op, l);
        return;
    }
    if (stream == w->null_stream)
        add_blocking(w, op, l);
    else if (run->workload->streams[stream].blocking && w->null_stream != SIZE_MAX)
        add_chain(l, &w->streams, w->null_stream, launch, GCAST_WHY_NULL_BEFORE, o->enter_ns);
    add_events(w, op, l);
    if (o->connection >= 0)
        add_chain(l, &w->connections, (size_t)o->connection, o->launch, GCAST_WHY_CONNECTION, o->enter_ns);
    add_reason(l, GCAST_WHY_TURN, o->enter_ns, WAIT_NO_HOLDER);
}

/* What a kernel waits for in its EE queue: A2, X1, the kernel switch; and room, where it is the first of all. */
static void add_kernel_waits(const waits *w, size_t op, part_list *l)
{
    static const char no_room[] =
        "no block of it could start: for lack of room on the SMs (resources, carveout, resident "
        "grids), or for workers of a plan";
    while (l->done < l->end) {
        wait_front front = wait_index_front(w, op, l->done);
        if (front.holder != SIZE_MAX)
            add_reason(l, front.reason, min_i64(front.until_ns, l->end), (uint32_t)front.holder);
        else
            add_rough(l, "room", no_room, min_i64(front.until_ns, l->end), WAIT_NO_HOLDER);
    }
}

size_t waits_of(const waits *w, size_t op, int64_t start_ns, wait_part parts[WAIT_PARTS])
{
    const gcast_run_op *o = &w->run->ops[op];
    part_list l = {.at = parts, .done = start_ns, .end = o->start_ns};
    if (!w->known || start_ns >= o->start_ns)
        return 0;
    add_queue_waits(w, op, &l);
    if (run_op(w->run, op)->kind == GCAST_KIND_KERNEL) {
        add_kernel_waits(w, op, &l);
        return l.count;
    }
    if (o->engine >= 0)
        add_chain(&l, &w->engines, (size_t)o->engine, (uint64_t)o->start_ns, GCAST_WHY_COPY_FIFO, o->start_ns);
    add_reason(&l, GCAST_WHY_COPY_BESIDE, o->start_ns, WAIT_NO_HOLDER);
    return l.count;
}
