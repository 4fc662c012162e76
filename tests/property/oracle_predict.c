/* "Predict" of docs/model.md: which launchers of a warp launch together? Independent of the simulator on purpose: every
 * number of launches is tried, and all sums are computed anew for each. */
#include <string.h>

#include "property/oracle_state.h"

/* The launchers of a warp that decide. */
typedef struct warp {
    const oracle_state *o;
    const gcast_launches *l;
    uint64_t first;              /* number of its first launcher in the level */
    uint64_t count;              /* of its launchers */
    int64_t own_ns[ORACLE_WARP]; /* by launcher: what it takes if it keeps its items; 0 without items */
} warp;

/* Child blocks that were called and have not ended. */
static int64_t live_blocks(const oracle_state *o)
{
    int64_t n = 0;
    for (size_t i = o->count; i < o->all; i++) {
        const oracle_op *x = &o->ops[i];
        n += oracle_is_child(x) ? (int64_t)x->run.block_count : 0;
        for (uint64_t b = 0; oracle_is_child(x) && b < x->started; b++)
            n -= x->blocks[b].end_ns <= o->now;
    }
    return n;
}

/* Children that were called and whose overhead was not over before now. */
static int64_t children_on_the_way(const oracle_state *o)
{
    int64_t m = 0;
    for (size_t i = o->count; i < o->all; i++) {
        const oracle_op *x = &o->ops[i];
        m += oracle_is_child(x) && (x->child->ready_ns < 0 || x->child->ready_ns >= o->now);
    }
    return m;
}

static int64_t child_blocks(const warp *w, uint64_t i)
{
    int64_t each = oracle_items_per_block(w->l), items = (int64_t)oracle_items(w->l, w->first + i);
    return (items + each - 1) / each;
}

/* The time of the first block of the child of launcher i. */
static int64_t first_block_ns(const warp *w, uint64_t i)
{
    int64_t each = oracle_items_per_block(w->l), items = (int64_t)oracle_items(w->l, w->first + i);
    int64_t threads = w->l->child->shape.threads, in_block = items < each ? items : each;
    return w->l->child->max_ns + w->l->child_item_ns * ((in_block + threads - 1) / threads);
}

/* Child blocks that can run at a time, if every child has so many blocks. */
static int64_t max_running(const oracle_state *o, const gcast_op *child, int64_t blocks)
{
    int64_t count = 0, grids = o->gpu->limits.resident_grids, queues = o->gpu->child_queues;
    for (int sm = 0; sm < o->gpu->sms; sm++)
        count += oracle_allowed(o, child, sm) ? oracle_fit_chosen(o, child) : 0;
    if (grids && count > grids * blocks)
        count = grids * blocks;
    if (queues && count > queues * blocks)
        count = queues * blocks;
    return count;
}

/* The next launcher in the order by own_ns of those that may launch and are not in the set; count: there is none. */
static uint64_t next_longest(const warp *w, const bool *set)
{
    uint64_t longest = w->count;
    for (uint64_t i = 0; i < w->count; i++)
        if (!set[i] && oracle_may_launch(w->l, w->first + i) &&
            (longest == w->count || w->own_ns[i] > w->own_ns[longest]))
            longest = i;
    return longest;
}

/* P(x): when the warp is done if x launchers launch, those in the set. */
static int64_t warp_ns(const warp *w, const bool *set, int64_t x)
{
    int64_t ns = 0;
    for (uint64_t i = 0; i < w->count; i++)
        if (!set[i] && w->own_ns[i] > ns)
            ns = w->own_ns[i];
    return x ? ns + w->o->gpu->child_call_ns + x * w->o->gpu->child_call_step_ns : ns;
}

/* C(x): when their children are. */
static int64_t children_ns(const warp *w, const bool *set, int64_t x)
{
    static const bool none[ORACLE_WARP];
    const gcast_gpu *gpu = w->o->gpu;
    if (x == 0)
        return 0;
    uint64_t first = next_longest(w, none);
    int64_t blocks = 0, block_ns = first_block_ns(w, first);
    for (uint64_t i = 0; i < w->count; i++)
        blocks += set[i] ? child_blocks(w, i) : 0;
    int64_t overhead = gpu->child_launch_ns + x * gpu->child_step_ns;
    int64_t service = (children_on_the_way(w->o) + x) * gpu->child_service_ns;
    int64_t running = max_running(w->o, w->l->child, child_blocks(w, first));
    return (overhead > service ? overhead : service) + (live_blocks(w->o) + blocks) * block_ns / running + block_ns;
}

static int64_t done_ns(const warp *w, const bool *set)
{
    int64_t x = 0;
    for (uint64_t i = 0; i < w->count; i++)
        x += set[i];
    int64_t own = warp_ns(w, set, x), children = children_ns(w, set, x);
    return own > children ? own : children;
}

void oracle_predict(const oracle_state *o, const gcast_launches *l, uint64_t first, uint64_t count, bool *chosen)
{
    warp w = {.o = o, .l = l, .first = first, .count = count};
    bool set[ORACLE_WARP] = {false};
    for (uint64_t i = 0; i < count; i++)
        w.own_ns[i] = oracle_items(l, first + i) ? oracle_loop_ns(l, first + i) : 0;
    memcpy(chosen, set, sizeof set);
    int64_t best = done_ns(&w, set);
    for (uint64_t next = next_longest(&w, set); next < count; next = next_longest(&w, set)) {
        set[next] = true;
        int64_t ns = done_ns(&w, set);
        if (ns < best) {
            best = ns;
            memcpy(chosen, set, sizeof set);
        }
    }
}
