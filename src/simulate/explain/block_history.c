/* Jobs of workers, kernels by time, and starts of blocks. */
#include "simulate/explain/block_history.h"

#include <stdlib.h>

#include "base/heap.h"
#include "base/integers.h"
#include "model/workload/attributes.h"
#include "simulate/blocks/release_order.h"
#include "simulate/run_ops.h"

/* The end of a job. */
typedef struct job_end {
    int64_t time;
    uint64_t span; /* index of the job in the list of spans */
    uint32_t sm;   /* the SM where it ran */
} job_end;

bool explain_has_plan(const gcast_run *run, size_t i)
{
    const gcast_op *op = run_spec(run, i);
    return !run->ops[i].skipped && op->kind == GCAST_KIND_KERNEL && op->policy != GCAST_POLICY_HARDWARE;
}

bool explain_any_plan(const gcast_run *run)
{
    for (size_t i = 0; i < run->op_count; i++)
        if (explain_has_plan(run, i))
            return true;
    return false;
}

static int by_taken(const void *a, const void *b)
{
    const worker_span *x = a, *y = b;
    if (x->taken_ns != y->taken_ns)
        return x->taken_ns < y->taken_ns ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

static int by_sm_and_time(const void *a, const void *b)
{
    const job_end *x = a, *y = b;
    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->span < y->span ? -1 : x->span > y->span;
}

/* The index of the first end on this SM at this time or later; of later SMs where there is none. */
static size_t find_end(const job_end *ends, size_t count, uint32_t sm, int64_t time)
{
    size_t lo = 0, hi = count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (ends[mid].sm < sm || (ends[mid].sm == sm && ends[mid].time < time))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Joins each job with one that ended on its SM when it was taken. joined[]: by index of ends[], whether it is
 * joined. */
static void join_jobs(const gcast_run_op *r, worker_span *spans, const job_end *ends, bool *joined)
{
    for (uint64_t k = 0; k < r->block_count; k++) {
        uint32_t sm = r->blocks[spans[k].job].sm;
        size_t at = find_end(ends, r->block_count, sm, spans[k].taken_ns);
        while (at < r->block_count && ends[at].sm == sm && ends[at].time == spans[k].taken_ns && joined[at])
            at++;
        if (at == r->block_count || ends[at].sm != sm || ends[at].time != spans[k].taken_ns)
            continue;
        joined[at] = true;
        spans[k].previous = ends[at].span;
        spans[ends[at].span].release_ns = ends[at].time;
    }
}

worker_span *explain_worker_spans(const gcast_run *run, size_t i)
{
    const gcast_run_op *r = &run->ops[i];
    size_t count = r->block_count;
    worker_span *spans = malloc((count + 1) * sizeof *spans);
    job_end *ends = malloc((count + 1) * sizeof *ends);
    bool *joined = calloc(count + 1, sizeof *joined);
    if (spans && ends && joined) {
        for (uint64_t j = 0; j < count; j++)
            spans[j] = (worker_span){r->blocks[j].start_ns - run->gpu->job_overhead_ns,
                                     r->blocks[j].end_ns + run->gpu->handover_ns, j, UINT64_MAX};
        qsort(spans, count, sizeof *spans, by_taken);
        for (uint64_t k = 0; k < count; k++) {
            const gcast_block *b = &r->blocks[spans[k].job];
            ends[k] = (job_end){b->end_ns, k, b->sm};
        }
        qsort(ends, count, sizeof *ends, by_sm_and_time);
        join_jobs(r, spans, ends, joined);
    } else {
        free(spans);
        spans = NULL;
    }
    free(ends);
    free(joined);
    return spans;
}

static int by_level_and_entry(const void *a, const void *b)
{
    const indexed_kernel *x = a, *y = b;
    if (x->level != y->level)
        return x->level - y->level;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

typedef struct entered {
    int64_t enter_ns;
    uint32_t number;
} entered;

static int by_enter(const void *a, const void *b)
{
    const entered *x = a, *y = b;
    if (x->enter_ns != y->enter_ns)
        return x->enter_ns < y->enter_ns ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* When a kernel matters no longer: its last block has released its SM, the GPU has switched to another kernel, and it
 * is no resident grid any more. */
static int64_t until_of(const gcast_run *run, size_t i)
{
    const gcast_run_op *r = &run->ops[i];
    int64_t until_ns = max_i64(r->dispatched_ns + run->gpu->switch_ns, run_grid_end_ns(run, i));
    for (uint64_t b = 0; b < r->block_count; b++)
        until_ns = max_i64(until_ns, r->blocks[b].end_ns + run->gpu->handover_ns);
    return until_ns;
}

static bool list_kernels(kernel_windows *w, const gcast_run *run)
{
    bool ok = true;
    for (size_t i = 0; i < run_total(run) && ok; i++) {
        if (run->ops[i].skipped || run_spec(run, i)->kind != GCAST_KIND_KERNEL)
            continue;
        indexed_kernel k = {.run_op = i,
                            .level = run_level(run, i),
                            .entry = run->ops[i].entry,
                            .until_ns = until_of(run, i),
                            .spans = explain_has_plan(run, i) ? explain_worker_spans(run, i) : NULL};
        ok = k.spans || !explain_has_plan(run, i);
        w->kernels[w->count++] = k;
    }
    if (w->count)
        qsort(w->kernels, w->count, sizeof *w->kernels, by_level_and_entry);
    return ok;
}

/* Builds a complete tree; leaves behind the last kernel never matter. */
static bool build_tree(kernel_windows *w, const gcast_run *run)
{
    entered *list = malloc((w->count + 1) * sizeof *list);
    for (w->leaves = 1; w->leaves < w->count;)
        w->leaves *= 2;
    w->by_enter = malloc((w->count + 1) * sizeof *w->by_enter);
    w->latest = malloc(2 * w->leaves * sizeof *w->latest);
    bool ok = list && w->by_enter && w->latest;
    for (uint32_t k = 0; ok && k < w->count; k++)
        list[k] = (entered){run->ops[w->kernels[k].run_op].enter_ns, k};
    if (ok && w->count)
        qsort(list, w->count, sizeof *list, by_enter);
    for (size_t k = 0; ok && k < w->leaves; k++) {
        if (k < w->count)
            w->by_enter[k] = list[k].number;
        w->latest[w->leaves + k] = k < w->count ? w->kernels[list[k].number].until_ns : INT64_MIN;
    }
    for (size_t node = ok ? w->leaves : 1; node-- > 1;)
        w->latest[node] = max_i64(w->latest[2 * node], w->latest[2 * node + 1]);
    free(list);
    return ok;
}

bool kernel_windows_init(kernel_windows *w, const gcast_run *run)
{
    *w = (kernel_windows){.kernels = malloc((run_total(run) + 1) * sizeof *w->kernels)};
    return w->kernels && list_kernels(w, run) && build_tree(w, run);
}

void kernel_windows_free(kernel_windows *w)
{
    for (size_t k = 0; k < w->count; k++)
        free(w->kernels[k].spans);
    free(w->kernels);
    free(w->by_enter);
    free(w->latest);
}

/* How many kernels entered before this time. */
static size_t count_entered(const kernel_windows *w, const gcast_run *run, int64_t time_ns)
{
    size_t low = 0, high = w->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (run->ops[w->kernels[w->by_enter[middle]].run_op].enter_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

bool kernel_windows_find(const kernel_windows *w, const gcast_run *run, int64_t start_ns, int64_t end_ns,
                         kernel_numbers *out)
{
    size_t behind = count_entered(w, run, end_ns);
    out->count = 0;
    /* From leaf to leaf: a part of the tree in which nothing matters is skipped as a whole. */
    for (size_t leaf = 0; leaf < behind;) {
        size_t node = w->leaves + leaf, width = 1;
        while (w->latest[node] <= start_ns && node % 2 == 0 && w->latest[node / 2] <= start_ns) {
            node /= 2;
            width *= 2;
        }
        if (w->latest[node] > start_ns && !vec_push(out, w->by_enter[leaf]))
            return false;
        leaf += width;
    }
    if (out->count)
        qsort(out->at, out->count, sizeof *out->at, by_number);
    return true;
}

/* An empty SM takes the size that its first block chooses. Where releases are seen one after the other, a block that
 * starts when the last other blocks are released may have come before the last release. It is assumed to have joined
 * those blocks if it fitted beside them. */

/* The state of an SM while its blocks start. */
typedef struct occupied {
    int64_t until_ns; /* the last release of blocks that have started there */
    uint32_t last;    /* how many blocks are released then */
    int32_t size;     /* of its shared memory */
    size_t next;      /* its next index in starts[] */
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

/* A block starts on an SM, or a worker takes a job: changes the SM's size if it was empty. False without memory. */
static bool change_size(building *x, const gcast_block *b, int64_t time_ns, smem_sizes size)
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

/* Adds the starts of a kernel's blocks at this time; false without memory. */
static bool start_blocks(building *x, uint32_t number, int64_t time_ns)
{
    const indexed_kernel *k = &x->w->kernels[number];
    const gcast_run_op *r = &x->run->ops[k->run_op];
    smem_sizes size = carveout_of(&x->run->gpu->limits, run_spec(x->run, k->run_op));
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

/* Adds all starts. At one time kernels dispatch blocks by level and entry, which is the order of kernels[]. */
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

/* Gives the parts of kernels and the starts of SMs their memory. */
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
    while (low < high) { /* `low`: how many parts have begun */
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
