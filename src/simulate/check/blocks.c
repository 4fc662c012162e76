/* gcast_run_check, block by block: C-blocks, C-room, C-mask, C-priority, C-idle,
 * C-grids, C-switch, C-size. Walks through time once. Of each priority level only one kernel can be
 * starting blocks at a time, so the blocks of a level are already in order, and
 * walking needs memory only for what is resident. */
#include "simulate/check/blocks.h"

#include <stdlib.h>

#include "base/heap.h"
#include "simulate/blocks/sm.h"
#include "simulate/blocks/starve.h"
#include "simulate/blocks/tick.h"
#include "simulate/check/broken.h"
#include "simulate/run_ops.h"

#define LEVELS 64
#define NOBODY UINT32_MAX

typedef struct resident {
    uint32_t op, sm; /* index in the run; rank */
    int32_t quarter;
    uint32_t next_free;
} resident;

/* The size of an SM's shared memory lies between these. In a run it is not told whether a block that starts at the
 * time at which the last other one leaves comes before or after it, where ends are seen one after the other. */
typedef struct sm_sizes {
    int32_t from, to;
    int64_t left_at; /* when room came back last */
} sm_sizes;

typedef struct walk {
    const gcast_run *run;
    const check_orders *orders;
    gcast_error *err;
    gcast_status status;
    int64_t now;
    uint32_t *level_ops[LEVELS]; /* kernels of a level by entry */
    size_t level_count[LEVELS], level_at[LEVELS];
    uint64_t block_at[LEVELS]; /* next block of the level's kernel */
    size_t entered;            /* how far in entry order time has come */
    sm_set sms;
    sm_demand demand; /* of demand_op */
    uint32_t demand_op;
    uint32_t stopped; /* head known to fit on no SM that is not dirty */
    heap rooms, ends; /* id: resident; op */
    VEC(resident) residents;
    uint32_t free_resident;
    uint32_t grids;
    int64_t switch_at; /* no block starts before */
    starve starve;
    sm_sizes *sizes; /* by rank; NULL where all SMs have the largest */
} walk;

static void broken(walk *k, size_t i, const char *name, const char *what)
{
    if (k->status == GCAST_OK)
        k->status = check_broken(k->run, i, name, what, k->err);
}

static const gcast_op *spec(const walk *k, size_t i)
{
    return run_spec(k->run, i);
}

static const sm_demand *demand(walk *k, uint32_t i)
{
    if (k->demand_op != k->run->ops[i].op) {
        k->demand_op = k->run->ops[i].op;
        k->demand = sm_demand_of(k->run->gpu, spec(k, i));
    }
    return &k->demand;
}

/* The kernel of a level that may start blocks next, or NOBODY. */
static uint32_t current(const walk *k, int level)
{
    return k->level_at[level] < k->level_count[level] ? k->level_ops[level][k->level_at[level]] : NOBODY;
}

static int64_t next_start(const walk *k, int *level)
{
    int64_t best = INT64_MAX;
    for (int l = 0; l < k->run->gpu->priority_levels; l++) {
        uint32_t i = current(k, l);
        if (i == NOBODY)
            continue;
        int64_t t = k->run->ops[i].blocks[k->block_at[l]].start_ns;
        if (t < best) {
            best = t;
            *level = l;
        }
    }
    return best;
}

static void give_back(walk *k)
{
    for (const heap_item *top; (top = heap_top(&k->rooms)) && top->time <= k->now;) {
        uint32_t id = heap_pop(&k->rooms).id;
        resident *r = &k->residents.at[id];
        sm_release_one(&k->sms.at[r->sm], demand(k, r->op), r->quarter);
        k->sms.dirty[r->sm / 64] |= UINT64_C(1) << (r->sm % 64);
        if (k->sizes)
            k->sizes[r->sm].left_at = k->now;
        r->next_free = k->free_resident;
        k->free_resident = id;
    }
    for (const heap_item *top; (top = heap_top(&k->ends)) && top->time <= k->now;) {
        heap_pop(&k->ends);
        k->grids--;
        k->stopped = NOBODY;
    }
}

static uint32_t new_resident(walk *k)
{
    if (k->free_resident != NOBODY) {
        uint32_t id = k->free_resident;
        k->free_resident = k->residents.at[id].next_free;
        return id;
    }
    if (!vec_push(&k->residents, (resident){0})) {
        k->status = gcast_error_set_memory(k->err);
        return NOBODY;
    }
    return (uint32_t)(k->residents.count - 1);
}

/* The kernel of a level that is in its queue now and may start a block, but for
 * room and rank: not one that waits for the limit of resident grids. */
static uint32_t contender(const walk *k, int level)
{
    uint32_t i = current(k, level);
    int limit = k->run->gpu->limits.resident_grids;
    bool waits = i != NOBODY && k->block_at[level] == 0 && limit && k->grids >= (uint32_t)limit;
    return i == NOBODY || waits || k->run->ops[i].enter_ns > k->now ? NOBODY : i;
}

static bool outranked(const walk *k, int level)
{
    for (int l = 0; l < level; l++)
        if (contender(k, l) != NOBODY)
            return true;
    return false;
}

/* How much longer than its time a block takes at most that sleeps, starve aside: it may start as much later as ends on
 * its SM are seen later, and wakes on a tick. */
static int64_t oversleeps(const gcast_run *run, uint32_t sm)
{
    int64_t reach = run->gpu->reach_ns ? run->gpu->reach_ns[sm] : 0;
    return run->wake_ns - 1 + reach + (run->gpu->limits.blocks_per_sm - 1) * run->gpu->look_step_ns;
}

/* Blocks that started before it on its SM are known, so where its duration is, its end is too. */
static bool took_right(const walk *k, const gcast_op *op, const gcast_block *b, uint64_t n)
{
    bool sleeps = k->run->wake_ns && op->body == GCAST_BODY_SPIN;
    int64_t took = b->end_ns - b->start_ns, longer = k->run->noise_ns + (sleeps ? oversleeps(k->run, b->sm) : 0);
    int64_t least = op->block_ns ? op->block_ns[n] : op->min_ns, most = op->block_ns ? op->block_ns[n] : op->max_ns;
    uint32_t rank = (uint32_t)k->sms.rank[b->sm];
    if (least == most && !longer && !k->run->scatter)
        return took == least + starve_delay_ns(&k->starve, rank, b->start_ns + least, k->starve.max_delay_ns);
    if (sleeps && !k->starve.sms && b->end_ns % k->run->wake_ns)
        return false;
    if (took - longer <= most)
        return took >= least - (sleeps ? k->run->wake_ns / TICK_STEPS - 1 : 0);
    return took - longer - k->starve.max_delay_ns <= most && starve_at(&k->starve, rank, b->end_ns - 1);
}

static bool block_is_right(walk *k, uint32_t i, const gcast_block *b, uint64_t n)
{
    const gcast_op *op = spec(k, i);
    if (b->sm >= (uint32_t)k->sms.count)
        broken(k, i, "C-blocks", "a block ran on an SM that is not there");
    else if (!took_right(k, op, b, n))
        broken(k, i, "C-blocks", "a block took longer or shorter than it should");
    else if (op->mask != GCAST_ALL_SMS && !(k->run->workload->masks[op->mask].word[b->sm / 64] >> (b->sm % 64) & 1))
        broken(k, i, "C-mask", "a block ran on an SM that it may not use");
    else if (b->start_ns < k->run->ops[i].enter_ns || b->end_ns > k->run->ops[i].end_ns)
        broken(k, i, "C-blocks", "a block ran outside of its kernel's time");
    return k->status == GCAST_OK;
}

/* A block of i starts on an SM: is that large enough, and how large may it be from now on? */
static bool size_is_right(walk *k, uint32_t i, uint32_t rank)
{
    sm_sizes *s = &k->sizes[rank];
    sm_state *sm = &k->sms.at[rank];
    carveout size = demand(k, i)->size;
    bool either = k->run->gpu->look_step_ns && s->left_at == k->now && s->to >= size.least;
    if (!sm->resident) {
        s->from = either && s->from < size.chosen ? s->from : size.chosen;
        s->to = either && s->to > size.chosen ? s->to : size.chosen;
    }
    sm->size = s->to;
    return sm_fit_count_by_carveout(&k->sms, sm, demand(k, i)) > 0;
}

/* The next block of this level starts now. */
static void start_block(walk *k, int level)
{
    uint32_t i = current(k, level);
    const gcast_run_op *r = &k->run->ops[i];
    uint64_t n = k->block_at[level]++;
    const gcast_block *b = &r->blocks[n];
    if (!block_is_right(k, i, b, n))
        return;
    if (outranked(k, level))
        broken(k, i, "C-priority", "a block started although a kernel of higher priority had blocks to start (A2)");
    if (b->start_ns < k->switch_at)
        broken(k, i, "C-switch", "a block started before the GPU had switched to its kernel");
    uint32_t rank = (uint32_t)k->sms.rank[b->sm];
    sm_state *sm = &k->sms.at[rank];
    if (k->run->gpu->register_quarters && b->quarter != (uint32_t)sm->next_quarter)
        broken(k, i, "C-room", "a block's warps did not start at the SM's next quarter");
    if (!sm_fits(sm, demand(k, i)))
        broken(k, i, "C-room", "a block started on an SM without room for it (R1)");
    else if (k->sizes && !size_is_right(k, i, rank))
        broken(k, i, "C-size", "a block started on an SM whose shared memory is too small for it");
    uint32_t id = k->status == GCAST_OK ? new_resident(k) : NOBODY;
    if (id == NOBODY)
        return;
    k->residents.at[id].op = i;
    k->residents.at[id].sm = rank;
    k->residents.at[id].quarter = sm->next_quarter;
    sm_take_one(sm, demand(k, i));
    bool spins = k->starve.sms && spec(k, i)->body == GCAST_BODY_TIMER_SPIN;
    if (spins && !starve_add(&k->starve, rank, k->now, b->end_ns, demand(k, i)->warps))
        k->status = gcast_error_set_memory(k->err);
    if (!heap_push(&k->rooms, (heap_item){b->end_ns + k->run->gpu->handover_ns, 0, id}))
        k->status = gcast_error_set_memory(k->err);
    if (n == 0) {
        int limit = k->run->gpu->limits.resident_grids;
        if (b->start_ns != r->start_ns)
            broken(k, i, "C-blocks", "its first block did not start when it says");
        if (limit && ++k->grids > (uint32_t)limit)
            broken(k, i, "C-grids", "more kernels are resident than the GPU allows");
        if (limit && !heap_push(&k->ends, (heap_item){r->end_ns, 0, i}))
            k->status = gcast_error_set_memory(k->err);
    }
    if (n + 1 == r->block_count) {
        if (b->start_ns != r->dispatched_ns)
            broken(k, i, "C-blocks", "its last block did not start when it says");
        k->level_at[level]++;
        k->block_at[level] = 0;
        k->switch_at = b->start_ns + k->run->gpu->switch_ns;
    } else if (r->blocks[n + 1].start_ns < b->start_ns) {
        broken(k, i, "C-blocks", "blocks did not start in the order of their index");
    }
}

static bool fits_somewhere(walk *k, uint32_t i)
{
    const gcast_op *op = spec(k, i);
    const gcast_mask *mask = op->mask == GCAST_ALL_SMS ? NULL : &k->run->workload->masks[op->mask];
    bool found = false;
    for (int word = 0; word * 64 < k->sms.count; word++) {
        uint64_t bits = k->stopped == i ? k->sms.dirty[word] : UINT64_MAX;
        k->sms.dirty[word] = 0;
        for (; bits; bits &= bits - 1) {
            int rank = word * 64 + __builtin_ctzll(bits);
            if (rank >= k->sms.count)
                break;
            int sm = k->sms.order[rank];
            if (mask && !(mask->word[sm / 64] >> (sm % 64) & 1))
                continue;
            if (k->sizes)
                k->sms.at[rank].size = k->sizes[rank].from;
            found = found || (sm_fits(&k->sms.at[rank], demand(k, i)) &&
                              sm_fit_count_by_carveout(&k->sms, &k->sms.at[rank], demand(k, i)) > 0);
        }
    }
    return found;
}

/* All that started now has started: the head that is left must not fit. */
static void check_idle(walk *k)
{
    if (k->now < k->switch_at)
        return;
    for (int l = 0; l < k->run->gpu->priority_levels; l++) {
        uint32_t i = contender(k, l);
        if (i == NOBODY)
            continue;
        if (fits_somewhere(k, i))
            broken(k, i, "C-idle", "a block waits although it is its turn and it fits");
        k->stopped = i;
        return;
    }
}

static void walk_time(walk *k)
{
    const gcast_run *run = k->run;
    while (k->status == GCAST_OK) {
        int level = 0;
        int64_t start = next_start(k, &level), t = start;
        const heap_item *room = heap_top(&k->rooms), *end = heap_top(&k->ends);
        if (start == INT64_MAX)
            return;
        if (room && room->time < t)
            t = room->time;
        if (end && end->time < t)
            t = end->time;
        if (k->entered < k->orders->entry_count && run->ops[k->orders->entry[k->entered]].enter_ns < t)
            t = run->ops[k->orders->entry[k->entered]].enter_ns;
        if (k->switch_at > k->now && k->switch_at < t)
            t = k->switch_at;
        if (t < k->now) {
            broken(k, current(k, level), "C-blocks", "a block started before its kernel could");
            return;
        }
        k->now = t;
        give_back(k);
        while (k->entered < k->orders->entry_count && run->ops[k->orders->entry[k->entered]].enter_ns <= t)
            k->entered++;
        while (k->status == GCAST_OK && next_start(k, &level) == t)
            start_block(k, level);
        if (k->status == GCAST_OK)
            check_idle(k);
    }
}

/* C-blocks: the last end of the blocks is the end of the kernel. */
static void check_ends(walk *k)
{
    for (size_t e = 0; e < k->orders->entry_count && k->status == GCAST_OK; e++) {
        uint32_t i = k->orders->entry[e];
        const gcast_run_op *r = &k->run->ops[i];
        int64_t last = -1;
        if (spec(k, i)->kind != GCAST_KIND_KERNEL)
            continue;
        for (uint64_t b = 0; b < r->block_count; b++)
            if (r->blocks[b].end_ns > last)
                last = r->blocks[b].end_ns;
        if (last != r->end_ns)
            broken(k, i, "C-blocks", "its last block did not end when it says");
    }
}

static bool collect_levels(walk *k)
{
    size_t *count = k->level_count;
    for (size_t e = 0; e < k->orders->entry_count; e++)
        if (spec(k, k->orders->entry[e])->kind == GCAST_KIND_KERNEL)
            count[run_level(k->run, k->orders->entry[e])]++;
    for (int l = 0; l < LEVELS; l++) {
        if (count[l] && !(k->level_ops[l] = malloc(count[l] * sizeof **k->level_ops)))
            return false;
        count[l] = 0;
    }
    for (size_t e = 0; e < k->orders->entry_count; e++) {
        uint32_t i = k->orders->entry[e];
        if (spec(k, i)->kind != GCAST_KIND_KERNEL)
            continue;
        int l = run_level(k->run, i);
        k->level_ops[l][count[l]++] = i;
        if (!k->run->ops[i].blocks || k->run->ops[i].block_count != spec(k, i)->blocks)
            broken(k, i, "C-blocks", "it has not as many blocks as its grid");
    }
    return true;
}

gcast_status check_blocks(const gcast_run *run, const check_orders *orders, gcast_error *err)
{
    walk k = {
        .run = run, .orders = orders, .err = err, .demand_op = NOBODY, .stopped = NOBODY, .free_resident = NOBODY};
    if (!sm_set_init(&k.sms, run->gpu, run->workload) ||
        !starve_init(&k.starve, run->gpu, run->workload, run->scatter) || !collect_levels(&k))
        k.status = gcast_error_set_memory(err);
    if (k.status == GCAST_OK && k.sms.largest && !(k.sizes = calloc((size_t)k.sms.count, sizeof *k.sizes)))
        k.status = gcast_error_set_memory(err);
    if (k.status == GCAST_OK)
        walk_time(&k);
    if (k.status == GCAST_OK)
        check_ends(&k);
    for (int l = 0; l < LEVELS; l++)
        free(k.level_ops[l]);
    sm_set_free(&k.sms);
    free(k.sizes);
    starve_free(&k.starve);
    vec_free(&k.rooms.items);
    vec_free(&k.ends.items);
    vec_free(&k.residents);
    return k.status;
}
