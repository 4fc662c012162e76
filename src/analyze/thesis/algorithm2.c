/* Algorithm 2 of the thesis. The set h is a heap by time; its rows leave it when their slots become free, and a kernel
 * starts at its release or later. A pass through the loop pushes one row at most, so that it costs one push and one
 * pop. While one kernel has all slots, a wave only adds the same to every time: such waves are skipped. */
#include "gridcast/thesis.h"

#include <stdlib.h>

#include "base/api/argument_missing.h"
#include "base/checked.h"
#include "base/heap.h"
#include "base/minmax.h"

typedef struct run {
    const gcast_thesis_pool *pool;   /* the slots */
    const gcast_thesis_watch *watch; /* sees every pass; NULL: there is none */
    heap rows;                       /* h: kind is the kernel, id the slots */
    VEC(gcast_thesis_row) shown;     /* h as `watch` sees it */
    int64_t at;                      /* t_a */
    uint32_t free;                   /* g_f */
    size_t own;                      /* rows of the kernel that takes slots now */
    uint64_t passes;                 /* through the loop, for statistics */
} run;

static int by_time(const void *a, const void *b)
{
    const gcast_thesis_row *x = a, *y = b;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

/* Shows h as the thesis writes it: by time, and rows of one time are one. */
static bool show(run *r, size_t kernel, uint64_t left, uint64_t waves)
{
    r->passes++;
    if (!r->watch)
        return true;
    heap_settle(&r->rows);
    r->shown.count = 0;
    for (size_t i = 0; i < r->rows.items.count; i++) {
        const heap_item *x = &r->rows.items.at[i];
        if (!vec_push(&r->shown, ((gcast_thesis_row){x->time, x->id})))
            return false;
    }
    if (r->shown.count)
        qsort(r->shown.at, r->shown.count, sizeof *r->shown.at, by_time);
    size_t n = 0;
    for (size_t i = 0; i < r->shown.count; i++) {
        if (n && r->shown.at[n - 1].time_ns == r->shown.at[i].time_ns)
            r->shown.at[n - 1].slots += r->shown.at[i].slots;
        else
            r->shown.at[n++] = r->shown.at[i];
    }
    r->watch->on_step(r->watch->data, &(gcast_thesis_step){.kernel = kernel,
                                                           .left = left,
                                                           .time_ns = r->at,
                                                           .free = r->free,
                                                           .waves = waves,
                                                           .rows = r->shown.at,
                                                           .row_count = n});
    return true;
}

/* t_a = t: slots of rows up to then are free, and the rows are deleted. */
static void advance(run *r, size_t kernel, int64_t t)
{
    r->at = t;
    for (const heap_item *top; (top = heap_top(&r->rows)) && top->time <= t;) {
        heap_item row = heap_pop(&r->rows);
        r->free += row.id;
        r->own -= row.kind == (uint32_t)kernel;
    }
}

/* The kernel takes n free slots at t_a, for `hold_ns`. */
static bool take(run *r, size_t kernel, uint32_t n, int64_t hold_ns)
{
    if (!n)
        return true;
    r->free -= n;
    r->own++;
    return heap_push(&r->rows, (heap_item){r->at + hold_ns, (uint32_t)kernel, n});
}

/* Skips waves that end with at least as many blocks left as there are slots. */
static uint64_t skip_waves(run *r, uint64_t *left, int64_t hold_ns)
{
    if (r->own != heap_count(&r->rows) || *left / 2 < r->pool->slots)
        return 0;
    uint64_t waves = *left / r->pool->slots - 1;
    int64_t shift = (int64_t)waves * hold_ns;
    *left -= waves * r->pool->slots;
    heap_settle(&r->rows);
    for (size_t i = 0; i < r->rows.items.count; i++)
        r->rows.items.at[i].time += shift;
    r->at += shift;
    return waves;
}

/* Do the times of kernel k fit in 64 bits? None is later than the latest one so far and all waves of k one after the
 * other. */
static bool times_fit(const run *r, const gcast_thesis_kernel *k, int64_t latest, int64_t *bound)
{
    int64_t hold_ns, all, switched;
    return checked_add(k->execution_ns, r->pool->handover_ns, &hold_ns) && k->blocks / r->pool->slots < INT64_MAX - 2 &&
           checked_mul(hold_ns, (int64_t)(k->blocks / r->pool->slots + 2), &all) &&
           checked_add(max_i64(latest, k->release_ns), r->pool->switch_ns, &switched) &&
           checked_add(switched, all, bound);
}

static bool allocate(run *r, const gcast_thesis_kernel *k, size_t i, int64_t *completion)
{
    int64_t hold_ns = k->execution_ns + r->pool->handover_ns;
    uint64_t left = k->blocks;
    bool ok = true;
    r->own = 0;
    advance(r, i, max_i64(r->at, k->release_ns));
    while (left > r->free && ok) {
        uint64_t waves = skip_waves(r, &left, hold_ns);
        if (!waves) {
            left -= r->free;
            ok = take(r, i, r->free, hold_ns);
            if (ok)
                advance(r, i, heap_top(&r->rows)->time);
        }
        ok = ok && show(r, i, left, waves);
    }
    *completion = r->at + k->execution_ns;
    return ok && take(r, i, (uint32_t)left, hold_ns) && show(r, i, 0, 0);
}

gcast_status gcast_thesis_completions(const gcast_thesis_pool *pool, const gcast_thesis_kernel *kernels, size_t count,
                                      const gcast_thesis_watch *watch, int64_t *completions, uint64_t *passes,
                                      gcast_error *err)
{
    if (!pool || !kernels || !completions)
        return argument_missing(err);
    run r = {.pool = pool, .watch = watch && watch->on_step ? watch : NULL, .free = pool->slots};
    int64_t latest = 0;
    gcast_status status = GCAST_OK;
    if (!pool->slots || pool->handover_ns < 0 || pool->switch_ns < 0 || count > UINT32_MAX)
        return gcast_error_set(err, GCAST_INPUT, NULL, "a pool has at least one slot, and times of 0 or more");
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        const gcast_thesis_kernel *k = &kernels[i];
        if (!k->blocks || k->execution_ns < 1 || k->release_ns < 0)
            status = gcast_error_set(err, GCAST_INPUT, NULL, "kernel %zu has no blocks, or they take no time", i);
        else if (!times_fit(&r, k, latest, &latest))
            status =
                gcast_error_set(err, GCAST_INPUT, NULL, "the time of kernel %zu does not fit in 64-bit nanoseconds", i);
        else if (!allocate(&r, k, i, &completions[i]))
            status = gcast_error_set_memory(err);
        else if (pool->switch_ns)
            r.at += pool->switch_ns;
    }
    if (passes)
        *passes = r.passes;
    vec_free(&r.rows.items);
    vec_free(&r.shown);
    return status;
}
