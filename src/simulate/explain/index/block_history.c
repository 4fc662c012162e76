/* An empty SM takes the size that the first block on it chooses. Where releases are seen one after the other, a block
 * that starts when the last other blocks are released may have come before the last release. It is then taken to have
 * joined those blocks, if it fitted beside them. */
#include "simulate/explain/index/block_history.h"

#include <stdlib.h>

#include "base/heap.h"
#include "base/minmax.h"
#include "model/workload/attributes/attributes.h"
#include "simulate/blocks/release_order.h"
#include "simulate/run_ops.h"

/* An SM while its blocks start. */
typedef struct occupied {
    int64_t until_ns; /* the last release of blocks that have started there */
    uint32_t last;    /* how many blocks are released then */
    int32_t size;     /* of its shared memory */
    size_t next;      /* its next place in starts[] */
} occupied;

typedef struct building {
    block_history *h;
    const gcast_run *run;
    const kernel_windows *w;
    const sm_set *sms;
    occupied *state; /* by rank */
    uint64_t *next;  /* by kernel: how many of its blocks have started */
    bool splits;     /* releases of an SM may be seen one after the other */
} building;

uint64_t indexed_kernel_block(const gcast_run *run, const indexed_kernel *k, uint64_t next)
{
    const gcast_op *op = run_spec(run, k->run_op);
    if (k->spans)
        return k->spans[next].job;
    return attributes_cluster(op) > 1 ? attributes_block_at(op, next) : next;
}

int64_t indexed_kernel_start(const gcast_run *run, const indexed_kernel *k, uint64_t next)
{
    return k->spans ? k->spans[next].taken_ns : run->ops[k->run_op].blocks[indexed_kernel_block(run, k, next)].start_ns;
}

int64_t indexed_kernel_release(const gcast_run *run, const indexed_kernel *k, uint64_t next)
{
    return k->spans ? k->spans[next].release_ns
                    : run->ops[k->run_op].blocks[indexed_kernel_block(run, k, next)].end_ns + run->gpu->handover_ns;
}

/* A block starts on an SM, or a worker takes a job: the SM may take another size then. False without memory. */
static bool change_size(building *x, const gcast_block *b, int64_t time_ns, carveout size)
{
    int32_t rank = x->sms->rank[b->sm];
    occupied *sm = &x->state[rank];
    int64_t release_ns = b->end_ns + x->run->gpu->handover_ns;
    bool joins =
        time_ns < sm->until_ns || (x->splits && time_ns == sm->until_ns && sm->last > 1 && sm->size >= size.min_bytes);
    bool ok = true;
    if (!joins) {
        sm->size = size.chosen_bytes;
        ok = vec_push(&x->h->changes, ((size_change){time_ns, rank, sm->size}));
    }
    if (release_ns > sm->until_ns) {
        sm->until_ns = release_ns;
        sm->last = 0;
    }
    sm->last += release_ns == sm->until_ns;
    return ok;
}

/* All blocks of a kernel that start at this time; false without memory. */
static bool start_blocks(building *x, uint32_t number, int64_t time_ns)
{
    const indexed_kernel *k = &x->w->kernels[number];
    const gcast_run_op *r = &x->run->ops[k->run_op];
    carveout size = carveout_of(&x->run->gpu->limits, run_spec(x->run, k->run_op));
    int32_t step = sm_demand_of(x->run->gpu, run_spec(x->run, k->run_op)).quarter_step;
    bool ok = true;
    for (uint64_t *next = &x->next[number];
         ok && *next < r->block_count && indexed_kernel_start(x->run, k, *next) <= time_ns; ++*next) {
        const gcast_block *b = &r->blocks[indexed_kernel_block(x->run, k, *next)];
        occupied *sm = &x->state[x->sms->rank[b->sm]];
        ok = !x->h->has_sizes || change_size(x, b, time_ns, size);
        x->h->starts[sm->next++] = (sm_start){time_ns, sm->size, ((int32_t)b->quarter + step) & (GCAST_QUARTERS - 1)};
    }
    return ok;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* At one time kernels dispatch blocks by level and entry, which is the order of their numbers. */
static bool start_all(building *x)
{
    heap starts = {0};
    kernel_numbers now = {0};
    bool ok = true;
    for (uint32_t k = 0; k < x->w->count && ok; k++)
        ok = heap_push(&starts, (heap_item){indexed_kernel_start(x->run, &x->w->kernels[k], 0), 0, k});
    while (ok && heap_count(&starts)) {
        int64_t time_ns = heap_top(&starts)->time;
        for (now.count = 0; ok && heap_count(&starts) && heap_top(&starts)->time == time_ns;)
            ok = vec_push(&now, heap_pop(&starts).id);
        if (now.count > 1)
            qsort(now.at, now.count, sizeof *now.at, by_number);
        for (size_t i = 0; i < now.count && ok; i++) {
            const indexed_kernel *k = &x->w->kernels[now.at[i]];
            uint64_t *next = &x->next[now.at[i]];
            ok = start_blocks(x, now.at[i], time_ns) &&
                 (*next == x->run->ops[k->run_op].block_count ||
                  heap_push(&starts, (heap_item){indexed_kernel_start(x->run, k, *next), 0, now.at[i]}));
        }
    }
    vec_free(&starts.items);
    vec_free(&now);
    return ok;
}

/* Where the parts of kernels and the starts of SMs are. */
static bool make_room(building *x, kernel_windows *w)
{
    block_history *h = x->h;
    size_t parts = 0, sms = (size_t)x->sms->count, *counts = calloc(sms + 1, sizeof *counts);
    for (size_t k = 0; k < w->count && counts; k++) {
        const gcast_run_op *r = &x->run->ops[w->kernels[k].run_op];
        w->kernels[k].first_part = parts;
        parts += (r->block_count + HISTORY_PART - 1) / HISTORY_PART;
        for (uint64_t b = 0; b < r->block_count; b++)
            counts[x->sms->rank[r->blocks[b].sm]]++;
    }
    h->first_start = calloc(sms + 1, sizeof *h->first_start);
    h->part_start_ns = malloc((parts + 1) * sizeof *h->part_start_ns);
    h->part_until_ns = malloc((parts + 1) * sizeof *h->part_until_ns);
    bool ok = counts && h->first_start && h->part_start_ns && h->part_until_ns;
    for (size_t rank = 0; ok && rank < sms; rank++) {
        x->state[rank].next = h->first_start[rank];
        h->first_start[rank + 1] = h->first_start[rank] + counts[rank];
    }
    free(counts);
    h->starts = ok ? malloc((h->first_start[sms] + 1) * sizeof *h->starts) : NULL;
    return h->starts != NULL;
}

static void set_parts(building *x)
{
    for (size_t k = 0; k < x->w->count; k++) {
        const indexed_kernel *kernel = &x->w->kernels[k];
        uint64_t count = x->run->ops[kernel->run_op].block_count;
        int64_t start_ns = INT64_MIN;
        for (uint64_t b = 0; b < count; b++) {
            start_ns = max_i64(start_ns, indexed_kernel_start(x->run, kernel, b));
            if (b % HISTORY_PART == 0)
                x->h->part_start_ns[kernel->first_part + b / HISTORY_PART] = start_ns;
            int64_t *until_ns = &x->h->part_until_ns[kernel->first_part + b / HISTORY_PART];
            int64_t release_ns = indexed_kernel_release(x->run, kernel, b);
            *until_ns = b % HISTORY_PART ? max_i64(*until_ns, release_ns) : release_ns;
        }
    }
}

bool block_history_init(block_history *h, const gcast_run *run, kernel_windows *w, const sm_set *sms)
{
    *h = (block_history){.has_sizes = sms->largest > 0};
    building x = {.h = h,
                  .run = run,
                  .w = w,
                  .sms = sms,
                  .state = calloc((size_t)sms->count, sizeof *x.state),
                  .next = calloc(w->count + 1, sizeof *x.next),
                  .splits = release_order_splits_sms(run->gpu, run->wake_ns)};
    bool ok = x.state && x.next && make_room(&x, w);
    if (ok)
        set_parts(&x);
    ok = ok && start_all(&x);
    free(x.state);
    free(x.next);
    return ok;
}

void block_history_free(block_history *h)
{
    free(h->part_start_ns);
    free(h->part_until_ns);
    free(h->starts);
    free(h->first_start);
    vec_free(&h->changes);
}

uint64_t block_history_started(const block_history *h, const gcast_run *run, const indexed_kernel *k, int64_t time_ns)
{
    uint64_t count = run->ops[k->run_op].block_count, low = 0, high = (count + HISTORY_PART - 1) / HISTORY_PART;
    while (low < high) { /* parts that have begun */
        uint64_t middle = low + (high - low) / 2;
        if (h->part_start_ns[k->first_part + middle] <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    uint64_t next = low ? (low - 1) * HISTORY_PART : 0;
    while (next < count && indexed_kernel_start(run, k, next) <= time_ns)
        next++;
    return next;
}

const sm_start *block_history_last(const block_history *h, int rank, int64_t time_ns)
{
    size_t first = h->first_start[rank], low = first, high = h->first_start[rank + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (h->starts[middle].time <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low > first ? &h->starts[low - 1] : NULL;
}

size_t block_history_change(const block_history *h, int64_t time_ns)
{
    size_t low = 0, high = h->changes.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (h->changes.at[middle].time <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
