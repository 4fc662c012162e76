/* The waits of a kernel from its entry into the EE queue to the start of the block that ends last: for kernels in front
 * of it (X1, A2), or for resources (R2, R3) and the operations that held them. */
#include "simulate/explain/kernel_waits.h"

#include <stdlib.h>

#include "base/vec.h"
#include "gridcast/run.h"
#include "model/workload/attributes.h"
#include "model/workload/workload.h"
#include "simulate/blocks/sm.h"
#include "simulate/explain/explanation.h"
#include "simulate/explain/programmatic_waits.h"
#include "simulate/explain/resident_blocks.h"
#include "simulate/run_ops.h"

/* Marks the SMs, by rank, of GPCs that can hold a cluster of the operation; false: it has no clusters. */
static bool mark_cluster_sms(const gcast_run *run, size_t run_op, const sm_set *sms, bool *on_rank)
{
    const gcast_op *op = run_spec(run, run_op);
    const gcast_mask *mask = mask_at(run->workload, op->mask);
    const int *sm = run->gpu->gpc_sms;
    uint32_t size = attributes_cluster(op);
    for (int g = 0; g < run->gpu->gpc_count && size > 1; sm += run->gpu->gpc_sizes[g++]) {
        uint32_t usable = 0;
        for (int i = 0; i < run->gpu->gpc_sizes[g]; i++)
            usable += mask_has_sm(mask, sm[i]);
        for (int i = 0; i < run->gpu->gpc_sizes[g]; i++)
            on_rank[sms->rank[sm[i]]] = usable >= size && mask_has_sm(mask, sm[i]);
    }
    return size > 1;
}

typedef VEC(int64_t) times;

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Collects the times after `start` and up to `end` at which the reason to wait may change: entries, last starts and
 * ends of kernels, and ends of kernel switches. Starts and releases of blocks are not among them. False without
 * memory. */
static bool collect_times(const gcast_run *run, const explain_residents *kernels, int64_t start, int64_t end, times *t)
{
    bool ok = vec_push(t, end);
    for (size_t i = 0; i < kernels->count && ok; i++) {
        const gcast_run_op *r = &run->ops[kernels->kernels[i].run_op];
        int64_t grid_end = kernels->kernels[i].grid_end_ns;
        const int64_t marks[] = {r->enter_ns, r->dispatched_ns, r->dispatched_ns + run->gpu->switch_ns, grid_end};
        for (size_t k = 0; k < sizeof marks / sizeof *marks && ok; k++)
            if (marks[k] > start && marks[k] < end)
                ok = vec_push(t, marks[k]);
    }
    if (ok)
        qsort(t->at, t->count, sizeof *t->at, by_time);
    return ok;
}

/* Why a block of the subject cannot start, SM by SM. */
typedef struct shortage {
    unsigned *missing;                   /* by rank: bit per resource of which too little is free */
    bool *is_small;                      /* by rank: resources suffice, but the size of shared memory is too small */
    uint32_t short_sms[GCAST_RESOURCES]; /* by resource: how many SMs have too little of it */
    uint32_t small_sms;                  /* how many SMs have too small a size */
    uint32_t unknown_sms;                /* how many SMs seem to have room: workers without a job may be there */
    bool *is_unknown;                    /* by rank: the SM seems to have room */
    bool known;                          /* all SMs are computed; later only changed ones are */
} shortage;

/* Is enough of every resource free, but the shared memory too small? */
static bool is_too_small(const sm_set *sms, const sm_state *sm, const sm_demand *d)
{
    return sms->largest && sm_fits(sm, d) && (sm->size < d->size.min_bytes || !d->quarters);
}

/* The resources of which an SM has too little free; 0: its shared memory is too small. */
static unsigned missing_of(const sm_set *sms, const sm_state *sm, const sm_demand *d, const sm_demand *warps_only)
{
    unsigned missing = 0;
    for (int r = 0; r < GCAST_RESOURCES; r++)
        if (sm->free[r] < d->need[r])
            missing |= 1u << r;
    if (!missing && sm->size >= d->size.min_bytes && !sm_fit_count_by_carveout(sms, sm, d))
        missing = 1u << GCAST_RES_SHARED_MEMORY;
    if (!missing && !is_too_small(sms, sm, d)) /* the SM has enough: some quarter lacks room */
        missing = sm_fits(sm, warps_only) ? 1u << GCAST_RES_REGISTERS : 1u << GCAST_RES_WARPS;
    if (missing >> GCAST_RES_THREADS & 1) /* threads and warps are one reason */
        missing &= ~(1u << GCAST_RES_WARPS);
    return missing;
}

/* The state of the GPU while the waits of the subject are explained. */
typedef struct scratch {
    kernel_numbers window; /* kernels that matter while it waits */
    explain_front front;   /* kernels in front of it */
    explain_switches switches;
    sm_set sms;
    explain_residents residents;
    explain_sizes sizes;
    shortage shortage;
    bool has_clusters;     /* the subject starts cluster by cluster */
    bool *cluster_sms;     /* by rank: its clusters may use the SM */
    bool has_plans;        /* kernels of the run have plans */
    sm_demand demand;      /* of one of its blocks */
    sm_demand warps_only;  /* the same without registers */
    gcast_holder *holders; /* memory for all that may hold something */
} scratch;

/* Does a block seem to fit? In a run with plans neither all workers on an SM nor the quarter of the next block are
 * known. */
static bool seems_to_fit(const scratch *c, const sm_state *sm)
{
    bool fits = false;
    for (int32_t q = 0; q < GCAST_QUARTERS && c->has_plans; q++) {
        sm_state other = *sm;
        other.next_quarter = q;
        fits = fits || sm_fits(&other, &c->demand);
    }
    return fits;
}

/* Updates why a block cannot start on the SM of this rank. */
static void update_shortage(const gcast_run *run, const gcast_op *op, scratch *c, int rank)
{
    shortage *s = &c->shortage;
    bool usable = mask_has_sm(mask_at(run->workload, op->mask), c->sms.order[rank]);
    bool unknown = usable && seems_to_fit(c, &c->sms.at[rank]);
    unsigned missing = usable && !unknown ? missing_of(&c->sms, &c->sms.at[rank], &c->demand, &c->warps_only) : 0;
    unsigned before = s->missing[rank];
    for (int r = 0; r < GCAST_RESOURCES; r++)
        s->short_sms[r] += (missing >> r & 1) - (before >> r & 1);
    bool small = usable && !missing && !unknown;
    s->unknown_sms += (uint32_t)unknown - s->is_unknown[rank];
    s->is_unknown[rank] = unknown;
    s->small_sms += (uint32_t)small - s->is_small[rank];
    s->missing[rank] = missing;
    s->is_small[rank] = small;
}

/* The resources of which at least one SM that the subject may use has too little free. */
static unsigned find_shortage(const gcast_run *run, const gcast_op *op, scratch *c)
{
    unsigned missing = 0;
    for (size_t i = 0; i < c->residents.changed.count && c->shortage.known; i++)
        update_shortage(run, op, c, c->residents.changed.at[i]);
    for (int rank = 0; rank < c->sms.count && !c->shortage.known; rank++)
        update_shortage(run, op, c, rank);
    c->shortage.known = true;
    c->residents.changed.count = 0;
    for (int r = 0; r < GCAST_RESOURCES; r++)
        missing |= (unsigned)(c->shortage.short_sms[r] > 0) << r;
    return missing;
}

/* The largest size of shared memory that is too small; -1: unknown, as the run does not say which block came first at
 * one time. */
static int64_t largest_small(const scratch *c)
{
    int64_t size = -1;
    for (int rank = 0; rank < c->sms.count; rank++)
        if (c->shortage.is_small[rank] && c->sms.at[rank].size < c->demand.size.min_bytes &&
            c->sms.at[rank].size > size)
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

/* Keeps the holders whose blocks hold some of the missing resources; every block holds warps. Returns how many are
 * kept; all, where none would be left. */
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

/* Lists the kernels with plans that have workers, or wait for their second launch, at this time. Returns how many. */
static size_t list_plans(const gcast_run *run, int64_t t, gcast_holder *out)
{
    size_t count = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        int64_t gone = run->ops[i].end_ns + run->gpu->handover_ns;
        if (explain_has_plan(run, i) && run->ops[i].start_ns <= t && t < gone)
            out[count++] = (gcast_holder){.run_op = i};
    }
    return count;
}

/* Adds the wait from t to `next`, while a cluster fits on no GPC. */
static void explain_cluster(explain *e, int64_t t, int64_t next, scratch *c)
{
    size_t count = explain_residents_list(&c->residents, c->cluster_sms, c->holders);
    qsort(c->holders, count, sizeof *c->holders, by_blocks);
    explain_add(e, GCAST_WHY_CLUSTER, t, next, 0, c->holders, count);
}

/* Adds the wait from t to `next`, while a block fits on no SM: for the missing resources and the operations that hold
 * them. */
static void explain_shortage(explain *e, const gcast_run *run, size_t subject, int64_t t, int64_t next, scratch *c)
{
    if (run_spec(run, subject)->cooperative) { /* a block alone may fit */
        size_t all = explain_residents_list(&c->residents, NULL, c->holders);
        qsort(c->holders, all, sizeof *c->holders, by_blocks);
        explain_add(e, GCAST_WHY_WHOLE, t, next, 0, c->holders, all);
        return;
    }
    explain_sizes_set(&c->sizes, t, &c->residents);
    unsigned missing = find_shortage(run, run_spec(run, subject), c);
    size_t count =
        explain_residents_list(&c->residents, c->shortage.small_sms ? c->shortage.is_small : NULL, c->holders);
    if (!c->shortage.small_sms)
        count = keep_holders(run, missing, c->holders, count);
    qsort(c->holders, count, sizeof *c->holders, by_blocks);
    if (c->shortage.unknown_sms)
        explain_add(e, GCAST_WHY_PLAN, t, next, 0, c->holders, list_plans(run, t, c->holders));
    else if (c->shortage.small_sms)
        explain_add_size(e, t, next, largest_small(c), c->demand.size.min_bytes, c->holders, count);
    else
        explain_add(e, GCAST_WHY_RESOURCES, t, next, missing, c->holders, count);
}

/* Adds the wait from t to `next`, while nothing changes. */
static void explain_span(explain *e, const gcast_run *run, size_t subject, int64_t t, int64_t next, scratch *c)
{
    int level;
    size_t holder = explain_front_at(&c->front, run, t, &level);
    gcast_reason reason = level < run_level(run, subject) ? GCAST_WHY_PRIORITY : GCAST_WHY_FIFO;
    if (holder == SIZE_MAX) {
        holder = explain_switched_from(&c->switches, t);
        reason = GCAST_WHY_SWITCH;
    }
    if (holder != SIZE_MAX) {
        explain_add_for(e, reason, t, next, holder);
        return;
    }
    int limit = run->gpu->limits.resident_grids;
    if (!limit || run_is_rest(run, subject) || explain_residents_grids(&c->residents, t) < (size_t)limit ||
        t >= run->ops[subject].start_ns) {
        if (c->has_clusters && !run_spec(run, subject)->cooperative)
            explain_cluster(e, t, next, c);
        else
            explain_shortage(e, run, subject, t, next, c);
        return;
    }
    size_t count = explain_residents_list_grids(&c->residents, c->holders);
    qsort(c->holders, count, sizeof *c->holders, by_blocks);
    explain_add(e, GCAST_WHY_GRIDS, t, next, 0, c->holders, count);
}

/* Adds the waits from the entry to `end`; false without memory. */
static bool explain_spans(explain *e, const gcast_run *run, size_t subject, int64_t end, scratch *c)
{
    times marks = {0};
    int64_t t = run->ops[subject].enter_ns;
    bool ok = collect_times(run, &c->residents, t, end, &marks);
    for (size_t i = 0; ok && t < end;) {
        while (marks.at[i] <= t)
            i++;
        explain_residents_advance(&c->residents, t);
        int64_t next = explain_residents_next(&c->residents);
        next = next < marks.at[i] ? next : marks.at[i];
        explain_span(e, run, subject, t, next, c);
        t = next;
        ok = !c->residents.failed;
    }
    vec_free(&marks);
    return ok;
}

/* Prepares the sweep from the entry of the subject to `end`; false without memory. */
static bool scratch_init(scratch *c, const gcast_run *run, const run_index *index, size_t subject, int64_t end)
{
    const kernel_windows *w = &index->kernels;
    int64_t start = run->ops[subject].enter_ns;
    gcast_op bare = *run_spec(run, subject);
    size_t sms = (size_t)run->gpu->sms;
    c->demand = sm_demand_of(run->gpu, &bare);
    bare.shape.registers = 0;
    c->warps_only = sm_demand_of(run->gpu, &bare);
    if (!kernel_windows_find(w, run, start, end, &c->window))
        return false;
    size_t holders = index->has_plans ? run_total(run) : c->window.count;
    c->holders = malloc((holders + 1) * sizeof *c->holders);
    c->shortage.missing = calloc(sms, sizeof *c->shortage.missing);
    c->shortage.is_small = calloc(sms, sizeof *c->shortage.is_small);
    c->shortage.is_unknown = calloc(sms, sizeof *c->shortage.is_unknown);
    c->has_plans = index->has_plans;
    c->cluster_sms = calloc(sms, sizeof *c->cluster_sms);
    bool ok = c->cluster_sms && c->holders && c->shortage.missing && c->shortage.is_small && c->shortage.is_unknown &&
              explain_front_init(&c->front, run, subject, w, &c->window) &&
              explain_switches_init(&c->switches, run, w, &c->window) &&
              sm_set_init(&c->sms, run->gpu, run->workload) &&
              explain_residents_init(&c->residents, run, w, &c->window, &index->history, start, &c->sms);
    c->sizes = explain_sizes_from(&index->history, start);
    c->has_clusters = ok && mark_cluster_sms(run, subject, &c->sms, c->cluster_sms);
    return ok;
}

static void scratch_free(scratch *c)
{
    explain_front_free(&c->front);
    explain_switches_free(&c->switches);
    explain_residents_free(&c->residents);
    sm_set_free(&c->sms);
    vec_free(&c->window);
    free(c->shortage.missing);
    free(c->shortage.is_small);
    free(c->shortage.is_unknown);
    free(c->cluster_sms);
    free(c->holders);
}

/* The block that ended last, the first of several. */
static uint64_t last_to_end(const gcast_run_op *r)
{
    uint64_t last = 0;
    for (uint64_t b = 1; b < r->block_count; b++)
        if (r->blocks[b].end_ns > r->blocks[last].end_ns)
            last = b;
    return last;
}

/* Sets *taken to when the job was taken, and *first to when its worker took its first job; where jobs were repaired, to
 * when the first worker of the kernel started. False without memory. */
static bool find_worker(const gcast_run *run, size_t subject, uint64_t job, int64_t *first, int64_t *taken)
{
    const gcast_run_op *r = &run->ops[subject];
    worker_span *spans = explain_worker_spans(run, subject);
    uint64_t k = 0;
    if (!spans)
        return false;
    while (spans[k].job != job)
        k++;
    *taken = spans[k].taken_ns;
    while (spans[k].previous != UINT64_MAX)
        k = spans[k].previous;
    *first = r->repaired ? r->start_ns : spans[k].taken_ns;
    free(spans);
    return true;
}

bool explain_blocks(explain *e, const gcast_run *run, size_t subject, explain_goal goal, int64_t *critical)
{
    const gcast_run_op *r = &run->ops[subject];
    int64_t start = goal == EXPLAIN_FIRST_START ? r->start_ns : r->dispatched_ns;
    if (goal == EXPLAIN_END) {
        *critical = (int64_t)last_to_end(r);
        start = r->blocks[*critical].start_ns;
    }
    int64_t waited_until = start;
    bool has_jobs = goal == EXPLAIN_END && explain_has_plan(run, subject);
    if (has_jobs && !find_worker(run, subject, (uint64_t)*critical, &waited_until, &start))
        return false;
    scratch c = {0};
    bool ok =
        waited_until <= r->enter_ns || /* it did not wait: the sweep is not needed */
        (scratch_init(&c, run, e->index, subject, waited_until) && explain_spans(e, run, subject, waited_until, &c));
    if (has_jobs)
        explain_add(e, r->repaired ? GCAST_WHY_REPAIR : GCAST_WHY_JOBS, waited_until, start, 0, NULL, 0);
    if (goal == EXPLAIN_END)
        explain_block_run(e, run, subject, &r->blocks[*critical], start);
    scratch_free(&c);
    return ok;
}
