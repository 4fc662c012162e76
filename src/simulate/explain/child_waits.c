/* Why a child is late on its launch path ("Launches" in docs/model.md), and what a kernel whose blocks have ended waits
 * for until its children are complete. */
#include "simulate/explain/child_waits.h"

#include <stdlib.h>

#include "base/integers.h"
#include "base/vec.h"
#include "simulate/explain/explanation.h"
#include "simulate/explain/kernel_waits.h"
#include "simulate/run_ops.h"

/* A child in front of the subject. */
typedef struct ahead {
    int64_t time; /* when it became the first of its queue */
    size_t run_op;
} ahead;

typedef VEC(ahead) ahead_list;

static int by_time(const void *a, const void *b)
{
    const ahead *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->run_op < y->run_op ? -1 : x->run_op > y->run_op;
}

static const gcast_launches *launches_of(const gcast_run *run, const gcast_child *child)
{
    return run_spec(run, child->parent)->launches;
}

/* How many launches the warp of a child made together with it. They are adjacent, and numbered from 1. */
static uint32_t warp_launches(const gcast_run *run, size_t subject)
{
    const gcast_child *child = run_child(run, subject), *last = child, *end = run->children + run->child_count;
    while (last + 1 < end && last[1].parent == child->parent && last[1].parent_block == child->parent_block &&
           last[1].place == last->place + 1 && !last[1].is_rest)
        last++;
    return last->place;
}

/* Adds the wait from `start` until a time of `holder`, and for the stream gap after it, both up to `end` at most.
 * Returns when it is over. */
static int64_t wait_until(explain *e, const gcast_run *run, gcast_reason reason, int64_t start, int64_t end,
                          size_t holder, int64_t time)
{
    int64_t until = min_i64(time, end), departed = min_i64(time + run->gpu->stream_gap_ns, end);
    if (until > start) {
        explain_add_for(e, reason, start, until, holder);
        start = until;
    }
    if (departed > start) {
        explain_add_for(e, GCAST_WHY_GAP, start, departed, holder);
        start = departed;
    }
    return start;
}

static bool is_tail(const gcast_run *run, size_t i)
{
    return launches_of(run, run_child(run, i))->wait == GCAST_CHILD_WAIT_TAIL;
}

/* The child whose launch overhead ended last before that of the subject, as far as the run shows; SIZE_MAX: none. */
static size_t served_before(const gcast_run *run, size_t subject)
{
    int64_t arrive = run->ops[subject].arrive_ns, served = arrive - run->gpu->child_service_ns;
    size_t found = SIZE_MAX;
    for (size_t i = run->op_count; i < run_total(run); i++) {
        const gcast_run_op *r = &run->ops[i];
        if (run_is_rest(run, i) || r->arrive_ns >= arrive || (found != SIZE_MAX && run->ops[found].arrive_ns == served))
            continue;
        if (found == SIZE_MAX || r->arrive_ns > run->ops[found].arrive_ns || r->arrive_ns == served)
            found = i;
    }
    return found;
}

/* Adds the waits from the call to the queue of its stream. A tail launch waits for the last block of its parent. */
static void wait_launch(explain *e, const gcast_run *run, size_t subject)
{
    const gcast_run_op *r = &run->ops[subject];
    const gcast_gpu *gpu = run->gpu;
    uint32_t parent = run_child(run, subject)->parent;
    int64_t overhead = gpu->child_launch_ns + (int64_t)warp_launches(run, subject) * gpu->child_step_ns;
    int64_t t = min_i64(r->call_ns + overhead, r->arrive_ns);
    explain_add(e, GCAST_WHY_CHILD_LAUNCH, r->call_ns, t, 0, NULL, 0);
    if (is_tail(run, subject))
        t = wait_until(e, run, GCAST_WHY_TAIL, t, r->arrive_ns, parent, run_blocks_end_ns(run, parent));
    size_t before = t < r->arrive_ns ? served_before(run, subject) : SIZE_MAX;
    if (before != SIZE_MAX)
        explain_add_for(e, GCAST_WHY_CHILD_SERVICE, t, r->arrive_ns, before);
    else
        explain_add(e, GCAST_WHY_CHILD_SERVICE, t, r->arrive_ns, 0, NULL, 0);
}

/* Are two children of one parent in one stream? */
static bool share_stream(const gcast_launches *l, const gcast_child *a, const gcast_child *b)
{
    if (l->wait == GCAST_CHILD_WAIT_TAIL || l->stream == GCAST_CHILD_STREAM_NAMED)
        return true;
    if (l->stream == GCAST_CHILD_STREAM_BLOCK)
        return a->parent_block == b->parent_block;
    return l->stream == GCAST_CHILD_STREAM_IN_TURN && l->streams &&
           a->launcher % l->streams == b->launcher % l->streams;
}

/* Lists the children in front of the subject in its stream or, with `in_queue`, in its hardware queue, in order; false
 * without memory. */
static bool list_ahead(const gcast_run *run, size_t subject, bool in_queue, ahead_list *all)
{
    const gcast_child *own = run_child(run, subject);
    const gcast_launches *l = launches_of(run, own);
    const gcast_run_op *r = &run->ops[subject];
    bool ok = true;
    for (size_t i = run->op_count; i < run_total(run) && ok; i++) {
        const gcast_child *other = run_child(run, i);
        const gcast_run_op *o = &run->ops[i];
        bool in_front = in_queue
                            ? own->queue >= 0 && other->queue == own->queue && o->enter_ns < r->enter_ns
                            : other->parent == own->parent && share_stream(l, own, other) && o->head_ns < r->head_ns;
        if (in_front && !other->is_rest)
            ok = vec_push(all, ((ahead){in_queue ? o->enter_ns : o->head_ns, i}));
    }
    if (ok && all->count)
        qsort(all->at, all->count, sizeof *all->at, by_time);
    return ok;
}

static bool wait_child_stream(explain *e, const gcast_run *run, size_t subject)
{
    const gcast_run_op *r = &run->ops[subject];
    int64_t t = r->arrive_ns;
    ahead_list all = {0};
    bool ok = t >= r->head_ns || list_ahead(run, subject, false, &all);
    for (size_t i = 0; i < all.count && ok && t < r->head_ns; i++)
        t = wait_until(e, run, GCAST_WHY_CHILD_STREAM, t, r->head_ns, all.at[i].run_op,
                       run->ops[all.at[i].run_op].end_ns);
    vec_free(&all);
    return ok;
}

/* The children in the pool when the subject joined the line hold it up. */
static bool wait_pool(explain *e, const gcast_run *run, size_t subject)
{
    int64_t t = run->ops[subject].head_ns, end = run_child(run, subject)->pool_ns;
    VEC(gcast_holder) holders = {0};
    bool ok = true;
    for (size_t i = run->op_count; i < run_total(run) && t < end && ok; i++)
        if (!run_is_rest(run, i) && run_child(run, i)->pool_ns <= t && t < run->ops[i].enter_ns)
            ok = vec_push(&holders, ((gcast_holder){.run_op = i}));
    if (ok)
        explain_add(e, GCAST_WHY_POOL, t, end, 0, holders.at, holders.count);
    vec_free(&holders);
    return ok;
}

static bool wait_hardware_queue(explain *e, const gcast_run *run, size_t subject)
{
    int64_t t = run_child(run, subject)->pool_ns, end = run->ops[subject].enter_ns;
    ahead_list all = {0};
    bool ok = t >= end || list_ahead(run, subject, true, &all);
    for (size_t i = 0; i < all.count && ok; i++) {
        int64_t ended = min_i64(run_child(run, all.at[i].run_op)->blocks_end_ns, end);
        if (ended <= t)
            continue;
        explain_add_for(e, GCAST_WHY_CHILD_QUEUE, t, ended, all.at[i].run_op);
        t = ended;
    }
    vec_free(&all);
    return ok;
}

bool explain_child_path(explain *e, const gcast_run *run, size_t subject)
{
    if (run_is_rest(run, subject))
        return true;
    wait_launch(e, run, subject);
    return wait_child_stream(e, run, subject) && wait_pool(e, run, subject) && wait_hardware_queue(e, run, subject);
}

/* A child is complete some time after it has ended. */
static int64_t complete_ns(const gcast_run *run, size_t i)
{
    return run->ops[i].end_ns + (run_is_rest(run, i) ? 0 : run->gpu->child_end_ns);
}

/* The child of a kernel that was complete last; SIZE_MAX: none. `block`: only children of this block; UINT32_MAX: of
 * all. */
static size_t last_child(const gcast_run *run, size_t parent, uint32_t block, bool with_rests)
{
    size_t last = SIZE_MAX;
    for (size_t i = run->op_count; i < run_total(run); i++) {
        const gcast_child *child = run_child(run, i);
        if (child->parent == parent && (block == UINT32_MAX || child->parent_block == block) &&
            (with_rests || !child->is_rest) && (last == SIZE_MAX || complete_ns(run, i) > complete_ns(run, last)))
            last = i;
    }
    return last;
}

/* Adds the wait of a kernel for a child, from t until `end`: the child's launch and the notice of its end are overhead,
 * all else is the child's own time. */
static void wait_child(explain *e, const gcast_run *run, size_t child, int64_t t, int64_t end)
{
    const gcast_run_op *r = &run->ops[child];
    const struct {
        gcast_reason reason;
        int64_t until_ns;
    } parts[] = {{GCAST_WHY_CHILDREN, r->call_ns}, /* other children, before this one was launched */
                 {GCAST_WHY_LAUNCHES, r->arrive_ns},
                 {GCAST_WHY_CHILDREN, r->end_ns},
                 {GCAST_WHY_CHILD_ENDS, end}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        int64_t until_ns = min_i64(parts[i].until_ns, end);
        if (until_ns <= t)
            continue;
        explain_add_for(e, parts[i].reason, t, until_ns, child);
        t = until_ns;
    }
}

/* If a rest was complete last, it had entered when the children of its block were complete; its own waits from then on
 * are part of the wait. */
bool explain_children(explain *e, const gcast_run *run, size_t subject)
{
    int64_t t = run_blocks_end_ns(run, subject), end = run->ops[subject].end_ns, unused;
    size_t last = t < end ? last_child(run, subject, UINT32_MAX, true) : SIZE_MAX;
    if (last == SIZE_MAX || !run_is_rest(run, last)) {
        if (last != SIZE_MAX)
            wait_child(e, run, last, t, end);
        return true;
    }
    size_t waited_for = last_child(run, subject, run_child(run, last)->parent_block, false);
    wait_child(e, run, waited_for, t, run->ops[last].enter_ns);
    size_t own = e->subject;
    e->subject = last;
    e->since_ns = t;
    bool ok = explain_blocks(e, run, last, EXPLAIN_END, &unused);
    e->since_ns = 0;
    e->subject = own;
    return ok;
}
