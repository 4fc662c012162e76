/* Decisions of launchers: which launchers launch, how long their warps take, and when their block ends. */
#include "simulate/engine/launch_decision.h"

#include <stdint.h>

#include "base/integers.h"
#include "gridcast/gpu.h"
#include "gridcast/launches.h"
#include "model/workload/launching.h"
#include "simulate/engine/child_blocks.h"
#include "simulate/engine/groups.h"
#include "simulate/engine/launch_path.h"
#include "simulate/engine/launch_state.h"
#include "simulate/engine/state.h"

/* The policy predict chooses the launchers of a warp that launch, by known costs and limits ("Predict" in
 * docs/model.md). Launchers with the most to do launch first, and as many of them as makes the warp and its children
 * end soonest. */

/* What is known when a warp decides. */
typedef struct warp_outlook {
    const gcast_gpu *gpu;           /* its costs and limits */
    const gcast_launches *launches; /* how the warp's kernel launches */
    uint64_t blocks;                /* child blocks that were launched and have not ended */
    uint64_t children;              /* children that were called and whose overhead is not over */
    uint64_t max_blocks;            /* child blocks that all SMs of the mask hold, if they are empty */
} warp_outlook;

typedef unsigned __int128 wide;

/* A launcher that may launch. */
typedef struct candidate {
    int64_t loop_ns; /* its time if it keeps its items */
    uint32_t items;  /* how many it has */
    uint32_t lane;   /* its place in the warp */
} candidate;

/* The launchers of a warp that have items. */
typedef struct candidates {
    candidate at[LAUNCHES_WARP]; /* those that may launch: the longest first, of equal ones the lowest lane */
    uint32_t count;              /* of at[] */
    int64_t keepers_ns;          /* the longest time of a launcher that may not launch; 0: none */
} candidates;

/* Costs of the warp's children that do not depend on their number. */
typedef struct child_costs {
    wide block_ns;       /* duration of the first block of the first candidate's child */
    uint64_t max_blocks; /* how many blocks can run at a time */
} child_costs;

static inline wide max_wide(wide a, wide b)
{
    return a > b ? a : b;
}

static void insert(candidates *c, candidate new)
{
    uint32_t i = c->count++;
    for (; i > 0 && c->at[i - 1].loop_ns < new.loop_ns; i--)
        c->at[i] = c->at[i - 1];
    c->at[i] = new;
}

static void find_candidates(const gcast_launches *l, uint64_t first, uint32_t count, candidates *c)
{
    c->count = 0;
    c->keepers_ns = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        uint32_t items = launches_items(l, first + lane);
        if (!items)
            continue;
        int64_t loop_ns = launches_loop_ns(l, first + lane);
        if (items < l->min_items)
            c->keepers_ns = max_i64(c->keepers_ns, loop_ns);
        else
            insert(c, (candidate){.loop_ns = loop_ns, .items = items, .lane = lane});
    }
}

static child_costs costs_of(const warp_outlook *o, uint32_t items)
{
    const gcast_launches *l = o->launches;
    int grids = o->gpu->limits.resident_grids, queues = o->gpu->child_queues;
    int kernels = !grids ? queues : !queues ? grids : min_int(grids, queues);
    uint32_t thread_items = launches_thread_items(l, launches_block_items(l, items, 0));
    child_costs costs = {.block_ns = l->child->max_ns + (wide)thread_items * l->child_item_ns,
                         .max_blocks = o->max_blocks};
    if (kernels)
        costs.max_blocks = min_u64(costs.max_blocks, (uint64_t)kernels * launches_child_blocks(l, items));
    return costs;
}

/* How long the warp takes if its first `launches` candidates launch. */
static wide warp_ns(const gcast_gpu *gpu, const candidates *c, uint32_t launches)
{
    wide longest = launches < c->count ? max_i64(c->keepers_ns, c->at[launches].loop_ns) : c->keepers_ns;
    return launches ? longest + gpu->child_call_ns + (wide)launches * gpu->child_call_step_ns : longest;
}

/* How long it takes until `launches` children, at least one, with so many blocks have ended. */
static wide children_ns(const warp_outlook *o, const child_costs *costs, uint32_t launches, uint64_t blocks)
{
    wide overhead = o->gpu->child_launch_ns + (wide)launches * o->gpu->child_step_ns;
    wide service = ((wide)o->children + launches) * o->gpu->child_service_ns;
    wide waves = ((wide)o->blocks + blocks) * costs->block_ns / costs->max_blocks;
    return max_wide(overhead, service) + waves + costs->block_ns;
}

/* Returns which of the warp's `count` launchers from `first` on launch: bit i for the i-th. At most 32 launchers. */
static uint32_t warp_choice(const warp_outlook *o, uint64_t first, uint32_t count)
{
    candidates c;
    find_candidates(o->launches, first, count, &c);
    if (!c.count)
        return 0;
    child_costs costs = costs_of(o, c.at[0].items);
    wide soonest = warp_ns(o->gpu, &c, 0);
    uint64_t blocks = 0;
    uint32_t lanes = 0, chosen = 0;
    for (uint32_t launches = 1; launches <= c.count; launches++) {
        const candidate *last = &c.at[launches - 1];
        blocks += launches_child_blocks(o->launches, last->items);
        lanes |= UINT32_C(1) << last->lane;
        wide end = max_wide(warp_ns(o->gpu, &c, launches), children_ns(o, &costs, launches, blocks));
        if (end < soonest) {
            soonest = end;
            chosen = lanes;
        }
    }
    return chosen;
}

/* The block whose launchers decide. */
typedef struct deciding {
    uint32_t op;          /* its kernel */
    uint64_t block;       /* its number */
    sim_parent *p;        /* its kernel as a parent */
    uint32_t stream;      /* of its children, where they share one; NONE: not used yet */
    uint32_t waiting;     /* of sim_launches.waiting, where it waits for its children; NONE */
    uint64_t child_count; /* children that it has launched */
} deciding;

/* The choice of the policy predict, as of warp_choice. */
static uint32_t predicted_launches(const sim *s, const gcast_launches *l, uint64_t first, uint32_t count)
{
    const sim_launches *all = s->launch;
    warp_outlook outlook = {.gpu = s->gpu,
                            .launches = l,
                            .blocks = all->called_blocks - all->controller.ended,
                            .children = all->in_overhead,
                            .max_blocks = all->max_blocks[l->child_index]};
    return warp_choice(&outlook, first, count);
}

/* Does a policy other than predict, which decides for each launcher by itself, say that this one launches? `place`:
 * which launch of its warp that would be. */
static bool policy_launches(const sim *s, const sim_parent *p, uint32_t items, uint32_t place)
{
    const gcast_launches *l = p->launches;
    int64_t overhead = s->gpu->child_launch_ns + (int64_t)place * s->gpu->child_step_ns;
    if (items < l->min_items)
        return false;
    switch (p->policy) {
    case GCAST_SPAWN_FLAT:
        return false;
    case GCAST_SPAWN_THRESHOLD:
        return items >= p->threshold;
    case GCAST_SPAWN_SPAWN:
        return controller_says_launch(&s->launch->controller, overhead, launches_child_blocks(l, items), items);
    default:
        return true;
    }
}

/* The stream of a launcher's child; NONE: one of its own. */
static uint32_t stream_of(sim *s, deciding *d, uint64_t launcher)
{
    sim_parent *p = d->p;
    const gcast_launches *l = p->launches;
    bool is_tail = l->wait == GCAST_CHILD_WAIT_TAIL;
    uint32_t *place = &d->stream;
    if (!is_tail && l->stream == GCAST_CHILD_STREAM_OWN)
        return NONE;
    if (p->stream_count) /* where an execution has no more launchers than streams, each has its own */
        place = &p->streams[p->stream_count < p->launcher_count ? launcher % p->stream_count
                                                                : launcher - p->first_launcher];
    if (p->stream_count == 1)
        place = p->streams;
    if (*place == NONE && (*place = path_new_stream(s)) != NONE)
        s->launch->streams[*place].is_closed = is_tail;
    if (*place != NONE)
        s->launch->streams[*place].users++;
    return *place;
}

/* The hardware queue of a child in this stream; -1: none. */
static int32_t queue_of(sim *s, uint32_t stream)
{
    sim_launches *l = s->launch;
    if (!s->gpu->child_queues || (stream == NONE && s->gpu->child_forget))
        return -1;
    uint32_t number = stream == NONE ? l->stream_numbers++ : l->streams[stream].number;
    return (int32_t)(number % (uint32_t)s->gpu->child_queues);
}

/* The block launches its first child, will wait for its children, and then go on with its rest. */
static void start_waiting(sim *s, deciding *d)
{
    sim_launches *l = s->launch;
    d->waiting = l->free_waiting;
    if (d->waiting != NONE) {
        l->free_waiting = l->waiting.at[d->waiting].op;
    } else {
        d->waiting = (uint32_t)l->waiting.count;
        if (!vec_push(&l->waiting, (sim_waiting){0})) {
            sim_fail_memory(s);
            d->waiting = NONE;
            return;
        }
    }
    l->waiting.at[d->waiting] = (sim_waiting){.op = d->op, .block = (uint32_t)d->block};
    d->p->pending++; /* its rest */
}

/* Do all blocks of a child take the same time: with equal durations, and equal times of their items? */
static bool durations_are_equal(const sim *s, const gcast_launches *l, uint32_t items, uint32_t blocks)
{
    const gcast_op *op = l->child;
    if (blocks == 1)
        return true;
    return !s->options->noise_ns && (op->min_ns == op->max_ns || s->options->durations != GCAST_DURATIONS_RANDOM) &&
           launches_block_items_ns(l, launches_block_items(l, items, 0)) ==
               launches_block_items_ns(l, launches_block_items(l, items, blocks - 1));
}

/* A launcher calls a child. */
static void call_child(sim *s, deciding *d, uint64_t launcher, uint32_t items, uint32_t place)
{
    sim_launches *all = s->launch;
    const gcast_launches *l = d->p->launches;
    uint32_t blocks = launches_child_blocks(l, items);
    if (all->calls == UINT32_MAX) {
        if (s->status == GCAST_OK)
            s->status = gcast_error_set(s->err, GCAST_INPUT, NULL, "kernels launch more than 4294967295 kernels");
        return;
    }
    uint32_t o = child_slot_new(s, (uint32_t)(s->w->op_count + (size_t)l->child_index), (uint32_t)all->calls, blocks);
    if (o == NONE || !vec_push(&all->warp, o)) {
        sim_fail_memory(s);
        return;
    }
    if (l->wait == GCAST_CHILD_WAIT_BLOCK && l->after_ns && d->waiting == NONE)
        start_waiting(s, d);
    if (d->waiting != NONE)
        all->waiting.at[d->waiting].pending++;
    sim_child *c = child_of(s, o);
    c->by = l;
    c->launcher = launcher;
    c->parent = d->op;
    c->parent_block = (uint32_t)d->block;
    c->items = items;
    c->place = (uint8_t)place;
    c->waiting = d->waiting;
    c->durations_equal = durations_are_equal(s, l, items, blocks);
    c->stream = stream_of(s, d, launcher);
    c->queue = queue_of(s, c->stream);
    s->state[o].demand = all->demands[l->child_index];
    s->blocks_total += blocks;
    d->child_count++;
    d->p->pending++;
    if (all->has_controller) {
        all->stats.early += d->p->policy == GCAST_SPAWN_SPAWN && !all->controller.ended;
        controller_launch(&all->controller, blocks);
    }
    all->calls++;
    all->in_overhead++;
    all->called_blocks += blocks;
    all->stats.max_live = max_u64(all->stats.max_live, ++all->live);
    if (!s->gpu->child_pool_grows)
        all->stats.max_pool = max_u64(all->stats.max_pool, ++all->in_pool);
    all->stats.children++;
    all->stats.child_blocks += blocks;
    all->stats.offloaded += items;
}

/* The calls of the warp at hand take their turn on the path that all calls share. Returns how long they hold the
 * warp. */
static int64_t call_children(sim *s, uint32_t calls)
{
    sim_launches *all = s->launch;
    int64_t own = s->gpu->child_call_ns + calls * s->gpu->child_call_step_ns;
    all->calls_free_ns = max_i64(all->calls_free_ns, s->now);
    all->calls_free_ns = sim_add_ns(s, all->warp.at[0], all->calls_free_ns, calls * s->gpu->child_call_service_ns);
    int64_t held = max_i64(own, all->calls_free_ns - s->now);
    path_call(s, all->warp.at, calls, held - own);
    return held;
}

/* Tells the caller of a decision of SPAWN, if it asked for a log. */
static void log_decision(const sim *s, const sim_parent *p, uint32_t items, uint32_t place, bool refused)
{
    const gcast_spawn_options *o = &s->launch->controller.options;
    const gcast_launches *l = p->launches;
    if (!o->log || p->policy != GCAST_SPAWN_SPAWN || items < l->min_items)
        return;
    int64_t overhead = s->gpu->child_launch_ns + (int64_t)place * s->gpu->child_step_ns;
    gcast_spawn_decision d =
        controller_explain(&s->launch->controller, overhead, launches_child_blocks(l, items), items);
    if (refused) {
        d.launches = false;
        d.why = GCAST_SPAWN_WHY_POOL;
    }
    o->log(o->log_data, &d);
}

/* The launchers of a warp decide. Returns how long their warp is busy with calls and with the items that they keep. */
static int64_t decide_warp(sim *s, deciding *d, uint64_t first, uint32_t count)
{
    sim_launches *all = s->launch;
    const gcast_launches *l = d->p->launches;
    int64_t longest = 0, refused = 0;
    bool predicts = d->p->policy == GCAST_SPAWN_PREDICT;
    uint32_t predicted = predicts ? predicted_launches(s, l, first, count) : 0;
    all->warp.count = 0;
    for (uint64_t launcher = first; launcher < first + count && s->status == GCAST_OK; launcher++) {
        uint32_t items = launches_items(l, launcher), place = (uint32_t)all->warp.count + 1;
        if (!items)
            continue;
        all->stats.items += items;
        bool wants = predicts ? predicted >> (launcher - first) & 1 : policy_launches(s, d->p, items, place);
        bool is_refused = wants && path_refuses(s);
        log_decision(s, d->p, items, place, is_refused);
        if (wants && !is_refused) {
            call_child(s, d, launcher, items, place);
            continue;
        }
        refused += is_refused;
        all->stats.kept++;
        longest = max_i64(longest, launches_loop_ns(l, launcher));
    }
    all->stats.refused += (uint64_t)refused;
    uint32_t calls = (uint32_t)all->warp.count;
    int64_t calls_ns = calls ? call_children(s, calls) : 0;
    return sim_add_ns(s, d->op, longest, sim_add_ns(s, d->op, calls_ns, refused * s->gpu->child_refused_ns));
}

/* The block's end is known now. */
static void set_end(sim *s, const deciding *d, uint32_t g, int64_t start, int64_t end)
{
    uint32_t o = d->op;
    if (is_child(s, o))
        child_block_ends_at(s, o, d->block, start, end);
    block_store(s, o, d->block, group_block(s, &s->groups[g], start, end));
    s->state[o].last_end_ns = max_i64(s->state[o].last_end_ns, end);
    tournament_set(&s->releases, g, sim_add_ns(s, o, end, s->gpu->handover_ns));
    if (d->waiting != NONE)
        sim_push(s, &s->events, end, EVENT_WAITING, d->waiting);
    if (++d->p->decided == s->state[o].launch_blocks)
        sim_push(s, &s->events, s->state[o].last_end_ns, EVENT_DONE, o);
}

static void decide_block(sim *s, const due_block *due)
{
    uint32_t o = due->op;
    sim_parent *p = s->state[o].launching;
    const gcast_launches *l = p->launches;
    deciding d = {.op = o, .block = p->decided, .p = p, .stream = NONE, .waiting = NONE};
    uint64_t first = d.block * p->block_launchers;
    uint32_t count = (uint32_t)min_u64(p->block_launchers, p->launcher_count - first);
    uint32_t warp = l->by == GCAST_LAUNCHER_THREAD ? LAUNCHES_WARP : 1;
    int64_t start = s->now - l->at_ns, longest = 0;
    if (l->items && p->first_launcher + first >= l->item_count)
        count = 0; /* none of them has items */
    for (uint32_t i = 0; i < count && s->status == GCAST_OK; i += warp)
        longest = max_i64(longest, decide_warp(s, &d, p->first_launcher + first + i, min_u32(warp, count - i)));
    if (l->wait == GCAST_CHILD_WAIT_BLOCK && !d.child_count)
        longest = sim_add_ns(s, o, longest, l->after_ns);
    if (d.stream != NONE)
        path_leave_stream(s, d.stream);
    int64_t own = sim_add_ns(s, o, start, child_block_ns(s, o, d.block));
    set_end(s, &d, due->group, start, sim_add_ns(s, o, own, longest));
}

static int by_entry_and_age(const void *a, const void *b)
{
    const due_block *x = a, *y = b;
    if (x->entry != y->entry)
        return x->entry < y->entry ? -1 : 1;
    return (int32_t)(x->age - y->age) < 0 ? -1 : 1;
}

void decide_now(sim *s)
{
    sim_launches *l = s->launch;
    bool in_order = true;
    l->due.count = 0;
    for (const heap_item *top; (top = heap_top(&l->decisions)) && top->time <= s->now;) {
        heap_item e = heap_pop(&l->decisions);
        due_block due = {s->state[e.kind].entry, e.kind, e.id, s->groups[e.id].age};
        in_order = in_order && (!l->due.count || by_entry_and_age(&l->due.at[l->due.count - 1], &due) < 0);
        if (!vec_push(&l->due, due))
            sim_fail_memory(s);
    }
    if (!l->due.count)
        return;
    if (!in_order)
        qsort(l->due.at, l->due.count, sizeof *l->due.at, by_entry_and_age);
    if (l->has_controller)
        controller_advance(&l->controller, s->now);
    for (size_t i = 0; i < l->due.count && s->status == GCAST_OK; i++)
        decide_block(s, &l->due.at[i]);
}
