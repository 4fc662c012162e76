#include "simulate/explain/sweep/residents.h"

#include <stdlib.h>

#include "model/workload/attributes/attributes.h"
#include "simulate/run_ops.h"

static int by_level_and_entry(const void *a, const void *b)
{
    const resident_kernel *x = a, *y = b;
    if (x->level != y->level)
        return x->level - y->level;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

static int by_index(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Which block of a kernel without a plan starts next. */
static uint64_t next_block(const explain_residents *r, const resident_kernel *k)
{
    const gcast_op *op = run_spec(r->run, k->run_op);
    return attributes_cluster(op) > 1 ? attributes_block_at(op, k->next) : k->next;
}

/* When the next block of a kernel starts, or a worker takes the next job. */
static int64_t next_start(const explain_residents *r, const resident_kernel *k)
{
    return k->spans ? k->spans[k->next].taken_ns : r->run->ops[k->run_op].blocks[next_block(r, k)].start_ns;
}

bool explain_residents_init(explain_residents *r, const gcast_run *run, sm_set *sms)
{
    *r = (explain_residents){.run = run, .sms = sms, .kernels = calloc(run_total(run) + 1, sizeof *r->kernels)};
    if (!r->kernels)
        return false;
    for (size_t i = 0; i < run_total(run); i++)
        if (!run->ops[i].skipped && run_spec(run, i)->kind == GCAST_KIND_KERNEL)
            r->kernels[r->count++] = (resident_kernel){.run_op = i,
                                                       .level = run_level(run, i),
                                                       .entry = run->ops[i].entry,
                                                       .grid_end_ns = run_grid_end_ns(run, i)};
    if (r->count)
        qsort(r->kernels, r->count, sizeof *r->kernels, by_level_and_entry);
    bool ok = true;
    for (uint32_t k = 0; k < r->count && ok; k++) {
        size_t i = r->kernels[k].run_op;
        ok = (!explain_has_plan(run, i) || (r->kernels[k].spans = explain_worker_spans(run, i)) != NULL) &&
             heap_push(&r->starts, (heap_item){next_start(r, &r->kernels[k]), 0, k});
    }
    return ok;
}

/* None of its blocks is resident any more. */
static void forget(resident_kernel *k)
{
    free(k->by_rank);
    free(k->demand);
    k->by_rank = NULL;
    k->demand = NULL;
}

void explain_residents_free(explain_residents *r)
{
    for (size_t k = 0; k < r->count; k++) {
        forget(&r->kernels[k]);
        free(r->kernels[k].spans);
    }
    free(r->kernels);
    vec_free(&r->starts.items);
    vec_free(&r->releases.items);
    vec_free(&r->starting);
    vec_free(&r->resident);
    vec_free(&r->incomplete);
    vec_free(&r->changed);
}

static void mark_changed(explain_residents *r, int rank)
{
    if (!vec_push(&r->changed, rank))
        r->failed = true;
}

/* A kernel of which no block is resident dispatches one; false without memory. */
static bool become_resident(explain_residents *r, uint32_t number)
{
    resident_kernel *k = &r->kernels[number];
    const gcast_op *op = &r->run->workload->ops[r->run->ops[k->run_op].op];
    k->by_rank = calloc((size_t)r->sms->count, sizeof *k->by_rank);
    k->demand = aligned_alloc(_Alignof(sm_demand), sizeof *k->demand);
    if (!k->by_rank || !k->demand)
        return false;
    *k->demand = sm_demand_of(r->run->gpu, op);
    return vec_push(&r->resident, number);
}

/* A kernel dispatches all blocks that start at this time. */
static void start_blocks(explain_residents *r, uint32_t number, int64_t time)
{
    resident_kernel *k = &r->kernels[number];
    const gcast_run_op *o = &r->run->ops[k->run_op];
    bool is_grid = !k->next && !run_is_rest(r->run, k->run_op); /* a rest does not count as a resident grid */
    if ((is_grid && !vec_push(&r->incomplete, number)) || (!k->by_rank && !become_resident(r, number))) {
        r->failed = true;
        return;
    }
    for (; k->next < o->block_count && next_start(r, k) <= time; k->next++) {
        uint64_t block = k->spans ? k->spans[k->next].job : next_block(r, k);
        const gcast_block *b = &o->blocks[block];
        int rank = r->sms->rank[b->sm];
        r->sms->at[rank].next_quarter = (int32_t)b->quarter;
        sm_take_one(&r->sms->at[rank], k->demand);
        k->blocks++;
        k->sms += k->by_rank[rank]++ == 0;
        mark_changed(r, rank);
        int64_t time_free = k->spans ? k->spans[k->next].release_ns : b->end_ns + r->run->gpu->handover_ns;
        heap_item release = {time_free, number, (uint32_t)block};
        r->failed = !heap_push(&r->releases, release) || r->failed;
    }
    if (k->next < o->block_count)
        r->failed = !heap_push(&r->starts, (heap_item){next_start(r, k), 0, number}) || r->failed;
}

/* The next release: a block releases its resources. */
static void release_block(explain_residents *r)
{
    heap_item release = heap_pop(&r->releases);
    resident_kernel *k = &r->kernels[release.kind];
    const gcast_block *b = &r->run->ops[k->run_op].blocks[release.id];
    int rank = r->sms->rank[b->sm];
    sm_release_one(&r->sms->at[rank], k->demand, (int32_t)b->quarter);
    k->sms -= --k->by_rank[rank] == 0; /* NOLINT(clang-analyzer-core.NullDereference): it is there, as k has blocks */
    mark_changed(r, rank);
    if (--k->blocks)
        return;
    size_t i = 0;
    while (r->resident.at[i] != release.kind)
        i++;
    r->resident.at[i] = r->resident.at[--r->resident.count];
    forget(k);
}

int64_t explain_residents_next(explain_residents *r)
{
    const heap_item *start = heap_top(&r->starts), *release = heap_top(&r->releases);
    int64_t t = start ? start->time : INT64_MAX;
    return release && release->time < t ? release->time : t;
}

/* At one time first blocks are released; then kernels dispatch blocks, by level and entry. */
void explain_residents_advance(explain_residents *r, int64_t time)
{
    for (int64_t now; !r->failed && (now = explain_residents_next(r)) <= time && now != INT64_MAX;) {
        while (heap_count(&r->releases) && heap_top(&r->releases)->time == now)
            release_block(r);
        r->starting.count = 0;
        while (heap_count(&r->starts) && heap_top(&r->starts)->time == now && !r->failed)
            r->failed = !vec_push(&r->starting, heap_pop(&r->starts).id);
        if (r->starting.count > 1)
            qsort(r->starting.at, r->starting.count, sizeof *r->starting.at, by_index);
        for (size_t i = 0; i < r->starting.count && !r->failed; i++)
            start_blocks(r, r->starting.at[i], now);
    }
}

size_t explain_residents_grids(explain_residents *r, int64_t time)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->incomplete.count; i++)
        if (r->kernels[r->incomplete.at[i]].grid_end_ns > time)
            r->incomplete.at[kept++] = r->incomplete.at[i];
    r->incomplete.count = kept;
    return kept;
}

size_t explain_residents_list_grids(const explain_residents *r, gcast_holder *out)
{
    size_t count = explain_residents_list(r, NULL, out), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!run_is_rest(r->run, out[i].run_op))
            out[kept++] = out[i];
    return kept;
}

size_t explain_residents_list(const explain_residents *r, const bool *on_rank, gcast_holder *out)
{
    size_t count = 0;
    for (size_t i = 0; i < r->resident.count; i++) {
        const resident_kernel *k = &r->kernels[r->resident.at[i]];
        gcast_holder h = {.run_op = k->run_op, .blocks = on_rank ? 0 : k->blocks, .sms = on_rank ? 0 : k->sms};
        for (int rank = 0; on_rank && rank < r->sms->count; rank++)
            if (on_rank[rank]) {
                h.blocks += k->by_rank[rank];
                h.sms += k->by_rank[rank] > 0;
            }
        if (h.blocks)
            out[count++] = h;
    }
    return count;
}
