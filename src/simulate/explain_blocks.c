/* Explaining a kernel from its entry into the EE queue: until the block that ended
 * last started, who was in front (X1, A2), what was short (R1) and who held it. */
#include <stdlib.h>

#include "base/vec.h"
#include "simulate/check.h"
#include "simulate/explain.h"
#include "simulate/explain_front.h"
#include "simulate/explain_sizes.h"
#include "simulate/sm.h"

typedef VEC(int64_t) times;

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static bool is_kernel(const explain *e, const gcast_run *run, size_t i)
{
    return !run->ops[i].skipped && explain_spec(e, i)->kind == GCAST_KIND_KERNEL;
}

/* Times between from and to at which what is waited for may change: entries, last
 * starts and ends of kernels, the end of the switch to the next one, and where room comes
 * back or is taken. */
static bool collect_times(const explain *e, const gcast_run *run, int64_t from, int64_t to, times *t)
{
    bool ok = vec_push(t, from) && vec_push(t, to);
    for (size_t i = 0; i < run->op_count && ok; i++) {
        const gcast_run_op *r = &run->ops[i];
        int64_t over =
            r->end_ns + (run->gpu->handover_ns > run->gpu->switch_ns ? run->gpu->handover_ns : run->gpu->switch_ns);
        if (!is_kernel(e, run, i) || r->enter_ns >= to || over <= from)
            continue;
        const int64_t marks[] = {r->enter_ns, r->dispatched_ns, r->dispatched_ns + run->gpu->switch_ns, r->end_ns};
        for (size_t k = 0; k < sizeof marks / sizeof *marks && ok; k++)
            if (marks[k] > from && marks[k] < to)
                ok = vec_push(t, marks[k]);
        for (uint64_t b = 0; b < r->block_count && ok; b++) {
            int64_t start = r->blocks[b].start_ns, back = r->blocks[b].end_ns + run->gpu->handover_ns;
            if (start > from && start < to && (t->count < 2 || t->at[t->count - 1] != start))
                ok = vec_push(t, start);
            if (back > from && back < to && (t->count < 2 || t->at[t->count - 1] != back))
                ok = ok && vec_push(t, back);
        }
    }
    if (ok)
        qsort(t->at, t->count, sizeof *t->at, by_time);
    return ok;
}

/* The kernel whose last block has just started, while the GPU switches to the next; SIZE_MAX: none. */
static size_t switched_from(const explain *e, const gcast_run *run, int64_t t)
{
    for (size_t i = 0; i < run->op_count; i++) {
        int64_t dispatched = run->ops[i].dispatched_ns;
        if (is_kernel(e, run, i) && dispatched <= t && t < dispatched + run->gpu->switch_ns)
            return i;
    }
    return SIZE_MAX;
}

/* What keeps a block from starting. */
typedef struct shortage {
    unsigned missing; /* of pools, the union over SMs */
    bool *small;      /* by rank: all pools suffice, but the size of its shared memory does not */
    bool any_small;
    int64_t size; /* the largest of these; -1: not told, as it is open who came first at one time */
} shortage;

/* Its pools suffice, and every quarter; or all that is known does. */
static bool is_small(const sm_set *sms, const sm_state *sm, const sm_demand *d)
{
    return sms->largest && sm_fits(sm, d) && (sm->size < d->size.least || !d->quarters);
}

/* What an SM is short of; 0: of nothing but size. */
static unsigned short_of(const sm_set *sms, const sm_state *sm, const sm_demand *d, const sm_demand *warps_only)
{
    unsigned here = 0;
    for (int r = 0; r < GCAST_RESOURCES; r++)
        if (sm->free[r] < d->need[r])
            here |= 1u << r;
    if (!here && sm->size >= d->size.least && !sm_room_by_size(sms, sm, d))
        here = 1u << GCAST_RES_SHARED_MEMORY;
    if (!here && !is_small(sms, sm, d)) /* pools suffice: it is a quarter that does not */
        here = sm_fits(sm, warps_only) ? 1u << GCAST_RES_REGISTERS : 1u << GCAST_RES_WARPS;
    if (here >> GCAST_RES_THREADS & 1) /* then warps say the same again */
        here &= ~(1u << GCAST_RES_WARPS);
    return here;
}

/* What the SMs that I may use are short of. */
static void find_shortage(const gcast_run *run, const gcast_op *op, const sm_set *sms, shortage *s)
{
    const gcast_mask *mask = op->mask == GCAST_ALL_SMS ? NULL : &run->workload->masks[op->mask];
    gcast_op bare = *op;
    bare.shape.registers = 0;
    sm_demand d = sm_demand_of(run->gpu, op), warps_only = sm_demand_of(run->gpu, &bare);
    s->missing = 0;
    s->any_small = false;
    s->size = -1;
    for (int rank = 0; rank < sms->count; rank++) {
        int sm = sms->order[rank];
        s->small[rank] = false;
        if (mask && !(mask->word[sm / 64] >> (sm % 64) & 1))
            continue;
        unsigned here = short_of(sms, &sms->at[rank], &d, &warps_only);
        s->missing |= here;
        if (here)
            continue;
        s->small[rank] = s->any_small = true;
        if (sms->at[rank].size < d.size.least && sms->at[rank].size > s->size)
            s->size = sms->at[rank].size;
    }
}

/* Residents at t, kernel by kernel, and the SMs as they leave them; where given, of some ranks only. */
static bool residents(const explain *e, const gcast_run *run, int64_t t, sm_set *sms, const bool *where,
                      gcast_holder *holders, size_t *count)
{
    uint32_t *seen = malloc((size_t)sms->count * sizeof *seen);
    if (!seen)
        return false;
    *count = 0;
    for (int i = 0; i < sms->count; i++) {
        sm_empty(run->gpu, &sms->at[i]);
        seen[i] = UINT32_MAX;
    }
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (!is_kernel(e, run, i) || r->start_ns > t || r->end_ns + run->gpu->handover_ns <= t)
            continue;
        sm_demand d = sm_demand_of(run->gpu, explain_spec(e, i));
        gcast_holder h = {.run_op = i};
        for (uint64_t b = 0; b < r->block_count && r->blocks[b].start_ns <= t; b++) {
            if (r->blocks[b].end_ns + run->gpu->handover_ns <= t)
                continue;
            int rank = sms->rank[r->blocks[b].sm];
            if (where && !where[rank])
                continue;
            sms->at[rank].next_quarter = (int32_t)r->blocks[b].quarter;
            sm_take_one(&sms->at[rank], &d);
            h.blocks++;
            h.sms += seen[rank] != i;
            seen[rank] = (uint32_t)i;
        }
        if (h.blocks)
            holders[(*count)++] = h;
    }
    free(seen);
    return true;
}

static int by_blocks(const void *a, const void *b)
{
    const gcast_holder *x = a, *y = b;
    if (x->blocks != y->blocks)
        return x->blocks > y->blocks ? -1 : 1;
    return x->run_op < y->run_op ? -1 : x->run_op > y->run_op;
}

/* Only those that hold some of what is missing; all where it is not an amount but the turn of quarters. */
static size_t keep_holders(const explain *e, const gcast_run *run, unsigned missing, gcast_holder *holders,
                           size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        sm_demand d = sm_demand_of(run->gpu, explain_spec(e, holders[i].run_op));
        bool holds = missing >> GCAST_RES_WARPS & 1 || (missing >> GCAST_RES_REGISTERS & 1 && d.warp_registers > 0);
        for (int r = 0; r < GCAST_RESOURCES; r++)
            holds = holds || (missing >> r & 1 && d.need[r] > 0);
        if (holds)
            holders[kept++] = holders[i];
    }
    return kept ? kept : count;
}

/* What is needed for each span of time. */
typedef struct scratch {
    explain_front ahead;
    sm_set sms;
    explain_sizes sizes;
    shortage shortage;
    gcast_holder *holders;
} scratch;

/* No SM has room: what is short, and who holds it? */
static bool explain_room(explain *e, const gcast_run *run, size_t me, int64_t t, int64_t next, size_t count, scratch *c)
{
    shortage *s = &c->shortage;
    explain_sizes_set(&c->sizes, t, &c->sms);
    find_shortage(run, explain_spec(e, me), &c->sms, s);
    if (s->any_small) {
        if (!residents(e, run, t, &c->sms, s->small, c->holders, &count))
            return false;
        qsort(c->holders, count, sizeof *c->holders, by_blocks);
        carveout size = carveout_of(&run->gpu->limits, explain_spec(e, me));
        explain_add_size(e, t, next, s->size, size.least, c->holders, count);
        return true;
    }
    count = keep_holders(e, run, s->missing, c->holders, count);
    qsort(c->holders, count, sizeof *c->holders, by_blocks);
    explain_add(e, GCAST_WHY_ROOM, t, next, s->missing, c->holders, count);
    return true;
}

/* Between t and the next mark: am I behind someone, or is there no room? */
static bool explain_span(explain *e, const gcast_run *run, size_t me, int64_t t, int64_t next, scratch *c)
{
    int level;
    size_t first = explain_ahead(&c->ahead, run, t, &level), count;
    gcast_reason reason = level < check_level(run, me) ? GCAST_WHY_PRIORITY : GCAST_WHY_FIFO;
    if (first == SIZE_MAX) {
        first = switched_from(e, run, t);
        reason = GCAST_WHY_SWITCH;
    }
    if (first != SIZE_MAX) {
        explain_add_for(e, reason, t, next, first);
        return true;
    }
    if (!residents(e, run, t, &c->sms, NULL, c->holders, &count))
        return false;
    int limit = run->gpu->limits.resident_grids;
    size_t grids = 0;
    for (size_t i = 0; i < run->op_count && limit; i++)
        grids += is_kernel(e, run, i) && run->ops[i].start_ns <= t && t < run->ops[i].end_ns;
    if (!limit || grids < (size_t)limit || t >= run->ops[me].start_ns)
        return explain_room(e, run, me, t, next, count, c);
    qsort(c->holders, count, sizeof *c->holders, by_blocks);
    explain_add(e, GCAST_WHY_GRIDS, t, next, 0, c->holders, count);
    return true;
}

/* The block that ended last, the lowest of several. */
static uint64_t last_to_end(const gcast_run_op *r)
{
    uint64_t last = 0;
    for (uint64_t b = 1; b < r->block_count; b++)
        if (r->blocks[b].end_ns > r->blocks[last].end_ns)
            last = b;
    return last;
}

bool explain_blocks(explain *e, const gcast_run *run, size_t me, explain_goal goal, int64_t *critical)
{
    const gcast_run_op *r = &run->ops[me];
    int64_t start = goal == EXPLAIN_FIRST_START ? r->start_ns : r->dispatched_ns;
    if (goal == EXPLAIN_END) {
        *critical = (int64_t)last_to_end(r);
        start = r->blocks[*critical].start_ns;
    }
    times t = {0};
    scratch c = {.holders = malloc((run->op_count + 1) * sizeof *c.holders),
                 .shortage = {.small = calloc((size_t)run->gpu->sms, sizeof *c.shortage.small)}};
    bool ok = c.holders && c.shortage.small && explain_front_init(&c.ahead, e, run, me) &&
              sm_set_init(&c.sms, run->gpu, run->workload) && explain_sizes_init(&c.sizes, e, run, &c.sms);
    if (ok && start > r->enter_ns) {
        ok = collect_times(e, run, r->enter_ns, start, &t);
        for (size_t i = 0; i + 1 < t.count && ok; i++)
            if (t.at[i + 1] > t.at[i])
                ok = explain_span(e, run, me, t.at[i], t.at[i + 1], &c);
    }
    if (goal == EXPLAIN_END)
        explain_add(e, GCAST_WHY_RUN, start, r->end_ns, 0, NULL, 0);
    vec_free(&t);
    explain_front_free(&c.ahead);
    sm_set_free(&c.sms);
    explain_sizes_free(&c.sizes);
    free(c.shortage.small);
    free(c.holders);
    return ok;
}
