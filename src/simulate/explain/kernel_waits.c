/* Explaining a kernel from its entry into the EE queue: until the block that ended
 * last started, who was in front (X1, A2), what was short (R2, R3) and who held it. */
#include "simulate/explain/kernel_waits.h"

#include <stdlib.h>

#include "base/vec.h"
#include "simulate/blocks/sm.h"
#include "simulate/explain/sweep/front.h"
#include "simulate/explain/sweep/residents.h"
#include "simulate/explain/sweep/shared_sizes.h"
#include "simulate/explain/wait_list.h"
#include "simulate/run_ops.h"

typedef VEC(int64_t) times;

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static bool is_kernel(const gcast_run *run, size_t i)
{
    return !run->ops[i].skipped && run_spec(run, i)->kind == GCAST_KIND_KERNEL;
}

/* Times between from and to at which what is waited for may change, besides where room comes back or is taken:
 * entries, last starts and ends of kernels, and the end of the switch to the next one. */
static bool collect_times(const gcast_run *run, int64_t from, int64_t to, times *t)
{
    bool ok = vec_push(t, to);
    for (size_t i = 0; i < run->op_count && ok; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (!is_kernel(run, i) || r->enter_ns >= to || r->end_ns + run->gpu->switch_ns <= from)
            continue;
        const int64_t marks[] = {r->enter_ns, r->dispatched_ns, r->dispatched_ns + run->gpu->switch_ns, r->end_ns};
        for (size_t k = 0; k < sizeof marks / sizeof *marks && ok; k++)
            if (marks[k] > from && marks[k] < to)
                ok = vec_push(t, marks[k]);
    }
    if (ok)
        qsort(t->at, t->count, sizeof *t->at, by_time);
    return ok;
}

/* The kernel whose last block has just started, while the GPU switches to the next; SIZE_MAX: none. */
static size_t switched_from(const gcast_run *run, int64_t t)
{
    for (size_t i = 0; i < run->op_count; i++) {
        int64_t dispatched = run->ops[i].dispatched_ns;
        if (is_kernel(run, i) && dispatched <= t && t < dispatched + run->gpu->switch_ns)
            return i;
    }
    return SIZE_MAX;
}

/* What keeps a block from starting, SM by SM. */
typedef struct shortage {
    unsigned *here;                      /* by rank: of pools */
    bool *small;                         /* by rank: all pools suffice, but the size of its shared memory does not */
    uint32_t short_sms[GCAST_RESOURCES]; /* SMs that are short of each */
    uint32_t small_sms;
    bool known; /* of all SMs; then only those are looked at again that have changed */
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
    if (!here && sm->size >= d->size.least && !sm_fit_count_by_carveout(sms, sm, d))
        here = 1u << GCAST_RES_SHARED_MEMORY;
    if (!here && !is_small(sms, sm, d)) /* pools suffice: it is a quarter that does not */
        here = sm_fits(sm, warps_only) ? 1u << GCAST_RES_REGISTERS : 1u << GCAST_RES_WARPS;
    if (here >> GCAST_RES_THREADS & 1) /* then warps say the same again */
        here &= ~(1u << GCAST_RES_WARPS);
    return here;
}

/* What is needed for each span of time. */
typedef struct scratch {
    explain_front ahead;
    sm_set sms;
    explain_residents residents;
    explain_sizes sizes;
    shortage shortage;
    sm_demand demand, warps_only; /* of a block of mine; without its registers */
    gcast_holder *holders;
} scratch;

/* May I use the SM? */
static bool is_open(const gcast_run *run, const gcast_op *op, int sm)
{
    return op->mask == GCAST_ALL_SMS || run->workload->masks[op->mask].word[sm / 64] >> (sm % 64) & 1;
}

static void look_at(const gcast_run *run, const gcast_op *op, scratch *c, int rank)
{
    shortage *s = &c->shortage;
    bool open = is_open(run, op, c->sms.order[rank]);
    unsigned here = open ? short_of(&c->sms, &c->sms.at[rank], &c->demand, &c->warps_only) : 0, was = s->here[rank];
    for (int r = 0; r < GCAST_RESOURCES; r++)
        s->short_sms[r] += (here >> r & 1) - (was >> r & 1);
    bool small = open && !here;
    s->small_sms += (uint32_t)small - s->small[rank];
    s->here[rank] = here;
    s->small[rank] = small;
}

/* What the SMs that I may use are short of: the union. */
static unsigned find_shortage(const gcast_run *run, const gcast_op *op, scratch *c)
{
    unsigned missing = 0;
    for (size_t i = 0; i < c->residents.changed.count && c->shortage.known; i++)
        look_at(run, op, c, c->residents.changed.at[i]);
    for (int rank = 0; rank < c->sms.count && !c->shortage.known; rank++)
        look_at(run, op, c, rank);
    c->shortage.known = true;
    c->residents.changed.count = 0;
    for (int r = 0; r < GCAST_RESOURCES; r++)
        missing |= (unsigned)(c->shortage.short_sms[r] > 0) << r;
    return missing;
}

/* The largest shared memory of those that have too small a one; -1: not told, as it is open who came first at one time.
 */
static int64_t largest_small(const scratch *c)
{
    int64_t size = -1;
    for (int rank = 0; rank < c->sms.count; rank++)
        if (c->shortage.small[rank] && c->sms.at[rank].size < c->demand.size.least && c->sms.at[rank].size > size)
            size = c->sms.at[rank].size;
    return size;
}

static int by_blocks(const void *a, const void *b)
{
    const gcast_holder *x = a, *y = b;
    if (x->blocks != y->blocks)
        return x->blocks > y->blocks ? -1 : 1;
    return x->run_op < y->run_op ? -1 : x->run_op > y->run_op;
}

/* Only those that hold some of what is missing; all where it is not an amount but the turn of quarters. */
static size_t keep_holders(const gcast_run *run, unsigned missing, gcast_holder *holders, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        sm_demand d = sm_demand_of(run->gpu, run_spec(run, holders[i].run_op));
        bool holds = missing >> GCAST_RES_WARPS & 1 || (missing >> GCAST_RES_REGISTERS & 1 && d.warp_registers > 0);
        for (int r = 0; r < GCAST_RESOURCES; r++)
            holds = holds || (missing >> r & 1 && d.need[r] > 0);
        if (holds)
            holders[kept++] = holders[i];
    }
    return kept ? kept : count;
}

/* No SM has room: what is short, and who holds it? */
static void explain_room(explain *e, const gcast_run *run, size_t me, int64_t t, int64_t next, scratch *c)
{
    explain_sizes_set(&c->sizes, t, &c->residents);
    unsigned missing = find_shortage(run, run_spec(run, me), c);
    size_t count = explain_residents_list(&c->residents, c->shortage.small_sms ? c->shortage.small : NULL, c->holders);
    if (!c->shortage.small_sms)
        count = keep_holders(run, missing, c->holders, count);
    qsort(c->holders, count, sizeof *c->holders, by_blocks);
    if (c->shortage.small_sms)
        explain_add_size(e, t, next, largest_small(c), c->demand.size.least, c->holders, count);
    else
        explain_add(e, GCAST_WHY_ROOM, t, next, missing, c->holders, count);
}

/* Between t and the next mark: am I behind someone, or is there no room? */
static void explain_span(explain *e, const gcast_run *run, size_t me, int64_t t, int64_t next, scratch *c)
{
    int level;
    size_t first = explain_ahead(&c->ahead, run, t, &level);
    gcast_reason reason = level < run_level(run, me) ? GCAST_WHY_PRIORITY : GCAST_WHY_FIFO;
    if (first == SIZE_MAX) {
        first = switched_from(run, t);
        reason = GCAST_WHY_SWITCH;
    }
    if (first != SIZE_MAX) {
        explain_add_for(e, reason, t, next, first);
        return;
    }
    int limit = run->gpu->limits.resident_grids;
    if (!limit || explain_residents_grids(&c->residents, t) < (size_t)limit || t >= run->ops[me].start_ns) {
        explain_room(e, run, me, t, next, c);
        return;
    }
    size_t count = explain_residents_list(&c->residents, NULL, c->holders);
    qsort(c->holders, count, sizeof *c->holders, by_blocks);
    explain_add(e, GCAST_WHY_GRIDS, t, next, 0, c->holders, count);
}

/* From the entry to `end`, wherever anything changes. */
static bool explain_spans(explain *e, const gcast_run *run, size_t me, int64_t end, scratch *c)
{
    times marks = {0};
    int64_t t = run->ops[me].enter_ns;
    bool ok = collect_times(run, t, end, &marks);
    for (size_t i = 0; ok && t < end;) {
        while (marks.at[i] <= t)
            i++;
        explain_residents_at(&c->residents, t);
        int64_t next = explain_residents_next(&c->residents);
        next = next < marks.at[i] ? next : marks.at[i];
        explain_span(e, run, me, t, next, c);
        t = next;
        ok = !c->residents.failed;
    }
    vec_free(&marks);
    return ok;
}

static bool scratch_init(scratch *c, const gcast_run *run, size_t me)
{
    gcast_op bare = *run_spec(run, me);
    size_t sms = (size_t)run->gpu->sms;
    c->demand = sm_demand_of(run->gpu, &bare);
    bare.shape.registers = 0;
    c->warps_only = sm_demand_of(run->gpu, &bare);
    c->holders = malloc((run->op_count + 1) * sizeof *c->holders);
    c->shortage.here = calloc(sms, sizeof *c->shortage.here);
    c->shortage.small = calloc(sms, sizeof *c->shortage.small);
    return c->holders && c->shortage.here && c->shortage.small && explain_front_init(&c->ahead, run, me) &&
           sm_set_init(&c->sms, run->gpu, run->workload) && explain_residents_init(&c->residents, run, &c->sms) &&
           explain_sizes_init(&c->sizes, run, &c->sms);
}

static void scratch_free(scratch *c)
{
    explain_front_free(&c->ahead);
    explain_residents_free(&c->residents);
    sm_set_free(&c->sms);
    explain_sizes_free(&c->sizes);
    free(c->shortage.here);
    free(c->shortage.small);
    free(c->holders);
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
    scratch c = {0};
    bool ok = scratch_init(&c, run, me) && (start <= r->enter_ns || explain_spans(e, run, me, start, &c));
    if (goal == EXPLAIN_END)
        explain_add(e, GCAST_WHY_RUN, start, r->end_ns, 0, NULL, 0);
    scratch_free(&c);
    return ok;
}
