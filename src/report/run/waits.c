#include "report/run/waits.h"

#include <stdlib.h>

#include "base/integers.h"
#include "gridcast/explain.h"
#include "gridcast/names.h"
#include "model/gpu.h"
#include "model/run_op.h"
#include "model/workload/dependencies.h"
#include "report/run/wait_index.h"

static int by_group_and_place(const void *a, const void *b)
{
    const chain_item *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

bool chains_finish(chains *c, size_t groups, int64_t gap_ns)
{
    size_t n = c->items.count;
    c->gap_ns = gap_ns;
    c->first = calloc(groups + 1, sizeof *c->first);
    c->until_ns = malloc((n + 1) * sizeof *c->until_ns);
    c->gaps_ns = malloc((n + 1) * sizeof *c->gaps_ns);
    c->counts = malloc((n + 1) * sizeof *c->counts);
    if (!c->first || !c->until_ns || !c->gaps_ns || !c->counts)
        return false;
    if (n)
        qsort(c->items.at, n, sizeof *c->items.at, by_group_and_place);
    for (size_t i = 0; i < n; i++) {
        const chain_item *x = &c->items.at[i];
        bool is_first = !i || x->group != x[-1].group;
        int64_t before = is_first ? INT64_MIN : c->until_ns[i - 1], until = x->time_ns + gap_ns;
        c->until_ns[i] = max_i64(before, until);
        c->gaps_ns[i] = (is_first ? 0 : c->gaps_ns[i - 1]) + max_i64(0, until - max_i64(x->time_ns, before));
        c->counts[i] = (is_first ? 0 : c->counts[i - 1]) + (until > before);
        c->first[x->group + 1] = i + 1;
    }
    for (size_t g = 0; g < groups; g++) /* groups without items */
        c->first[g + 1] = max_size(c->first[g + 1], c->first[g]);
    return true;
}

void chains_free(chains *c)
{
    vec_free(&c->items);
    free(c->first);
    free(c->until_ns);
    free(c->gaps_ns);
    free(c->counts);
    *c = (chains){0};
}

/* The first item from lo to hi, exclusive, that holds others up after a time. */
static size_t first_after(const chains *c, size_t lo, size_t hi, int64_t time)
{
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (c->until_ns[mid] > time)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

/* The items of a group in front of `place` that hold others up after from_ns and before end_ns. */
static chain_front chains_front(const chains *c, size_t group, uint64_t place, int64_t from_ns, int64_t end_ns)
{
    size_t lo = c->first[group], hi = c->first[group + 1];
    while (lo < hi) { /* hi: the first that is not in front */
        size_t mid = lo + (hi - lo) / 2;
        if (c->items.at[mid].place >= place)
            hi = mid;
        else
            lo = mid + 1;
    }
    size_t first = first_after(c, c->first[group], hi, from_ns);
    if (first >= hi || from_ns >= end_ns)
        return (chain_front){1, 0};
    return (chain_front){first, min_size(first_after(c, first, hi, end_ns - 1), hi - 1)};
}

/* The gap of an item in the time from from_ns to end_ns. */
static int64_t gap_between(const chains *c, size_t i, int64_t from_ns, int64_t end_ns)
{
    int64_t time = c->items.at[i].time_ns;
    return max_i64(0, min_i64(time + c->gap_ns, end_ns) - max_i64(time, from_ns));
}

/* How much of the time from from_ns to end_ns is gaps. */
static int64_t chains_gaps(const chains *c, chain_front f, int64_t from_ns, int64_t end_ns)
{
    if (f.first == f.last)
        return gap_between(c, f.first, from_ns, end_ns);
    return gap_between(c, f.first, from_ns, end_ns) + c->gaps_ns[f.last - 1] - c->gaps_ns[f.first] +
           gap_between(c, f.last, c->until_ns[f.last - 1], end_ns);
}

/* How many of these items are waited for. */
static uint32_t chains_count(const chains *c, chain_front f)
{
    return c->counts[f.last] - c->counts[f.first] + 1;
}

#define CHAIN_PARTS 4 /* so many operations of a chain have parts of their own; more share one */

typedef struct part_list {
    wait_part *at; /* of the caller, WAIT_PARTS of them */
    size_t count;  /* so far */
    int64_t done;  /* the time up to which there are parts */
    int64_t end;   /* the time at which the last one ends */
} part_list;

/* Adds a part up to its end, if that is later than the end of the last part. The last of WAIT_PARTS parts has all that
 * is left. */
static void add_part(part_list *l, wait_part part)
{
    part.end_ns = min_i64(part.end_ns, l->end);
    part.start_ns = l->done;
    if (part.end_ns <= l->done)
        return;
    if (l->count + 1 == WAIT_PARTS && part.end_ns < l->end)
        part = (wait_part){.rule = "more",
                           .why = "further waits, not listed one by one",
                           .start_ns = l->done,
                           .end_ns = l->end,
                           .holder = WAIT_NO_HOLDER,
                           .rough = true};
    l->at[l->count++] = part;
    l->done = part.end_ns;
}

static void add_reason(part_list *l, gcast_reason reason, int64_t end_ns, uint32_t holder)
{
    add_part(l, (wait_part){.rule = gcast_name(GCAST_NAMES_REASON, reason),
                            .why = gcast_text(GCAST_NAMES_REASON, reason),
                            .end_ns = end_ns,
                            .holder = holder,
                            .count = holder != WAIT_NO_HOLDER});
}

/* Adds a part with one of several possible reasons. */
static void add_rough(part_list *l, const char *rule, const char *why, int64_t end_ns, uint32_t holder)
{
    add_part(l, (wait_part){.rule = rule,
                            .why = why,
                            .end_ns = end_ns,
                            .holder = holder,
                            .count = holder != WAIT_NO_HOLDER,
                            .rough = true});
}

/* Adds the wait up to end_ns for the items of a chain in front of `place`: for each until it is complete, and then for
 * the gap. If these are many, one part names the last. */
static void add_chain(part_list *l, const chains *c, size_t group, uint64_t place, gcast_reason reason, int64_t end_ns)
{
    end_ns = min_i64(end_ns, l->end);
    chain_front f = chains_front(c, group, place, l->done, end_ns);
    if (f.first > f.last)
        return;
    if (f.last - f.first >= CHAIN_PARTS) {
        int64_t until_ns = min_i64(c->until_ns[f.last], end_ns);
        add_part(l, (wait_part){.rule = gcast_name(GCAST_NAMES_REASON, reason),
                                .why = gcast_text(GCAST_NAMES_REASON, reason),
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

/* Adds the wait for all older operations of blocking streams (N1); the one that ends last stands for them. */
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

/* The dependency of op, or of its graph launch, whose event is the first to be seen after a time; SIZE_MAX: none. */
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

/* Adds the waits for the events of the dependencies of op that were called before it, one after the other. */
static void add_events(const waits *w, size_t op, part_list *l)
{
    const gcast_run_op *o = &w->run->ops[op];
    int64_t end_ns = min_i64(o->enter_ns, l->end);
    for (size_t i; l->done < end_ns && (i = next_event(w, op, l->done)) != SIZE_MAX;)
        add_reason(l, GCAST_WHY_AFTER, min_i64(w->run->ops[i].end_ns + event_gap_of(w->run->gpu), end_ns), (uint32_t)i);
}

/* Adds the wait of a node for its dependencies in the graph. Times of operations do not show when their end is seen,
 * nor when the node has its turn in a connection. */
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
        add_rough(l, gcast_name(GCAST_NAMES_REASON, GCAST_WHY_EDGE), gcast_text(GCAST_NAMES_REASON, GCAST_WHY_EDGE),
                  run->ops[op].enter_ns, (uint32_t)last);
    else
        add_rough(l, gcast_name(GCAST_NAMES_REASON, GCAST_WHY_EDGE),
                  "a predecessor in its graph was not complete, or the GPU had not seen its end yet, or others were in "
                  "front of it in its connection (hardware queue)",
                  run->ops[op].enter_ns, (uint32_t)last);
}

/* Adds the wait of a programmatic kernel that overlaps with its predecessor. Only blocks show when that triggered. */
static void add_overlap(const waits *w, size_t op, part_list *l)
{
    const gcast_run *run = w->run;
    const gcast_run_op *o = &run->ops[op];
    size_t before = run_op(run, op)->programmatic ? wait_index_before(w, op) : SIZE_MAX;
    if (before != SIZE_MAX && run_op(run, before)->graph == GCAST_NO_GRAPH &&
        run_op(run, before)->kind == GCAST_KIND_KERNEL &&
        o->head_ns < run->ops[before].end_ns + run->gpu->stream_gap_ns)
        add_rough(l, gcast_name(GCAST_NAMES_REASON, GCAST_WHY_TRIGGER),
                  "not all blocks of the kernel before it in its stream had triggered, or its stream had its maximum "
                  "number of overlapping kernels",
                  o->head_ns, (uint32_t)before);
}

/* Adds the waits from the call of op until it enters its engine's queue. */
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

/* Adds what a kernel waits for in its EE queue: A2, X1, the kernel switch; and room, where it is the first of all. */
static void add_kernel_waits(const waits *w, size_t op, part_list *l)
{
    static const char no_room[] = "no block could start: the SMs had no room (resources, carveout, resident grids), or "
                                  "workers of a plan held them";
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
