/* Algorithm 2 of the thesis, its special case (3.7), the utilisation (3.3, 3.4), and where the blocks lie in its
 * figures. The set h is a heap by time; rows leave it when their slots become free, and a kernel starts at its release
 * or later. A pass through the loop pushes one row at most, so it costs one push and one pop. While one kernel has all
 * slots, a wave only adds the same to every time, so such waves are skipped. */
#include <stdlib.h>

#include "base/api.h"
#include "base/heap.h"
#include "base/integers.h"
#include "base/vec.h"
#include "papers/thesis/thesis.h"

#define NO_BOX SIZE_MAX
#define MAX_SLOTS (1 << 24) /* far more than any GPU has */

typedef struct run {
    const gcast_thesis_pool *pool;   /* the slots */
    const gcast_thesis_watch *watch; /* sees every pass; may be NULL */
    heap rows;                       /* h: kind is the kernel, id the slots */
    VEC(gcast_thesis_row) shown;     /* h as `watch` sees it */
    int64_t at;                      /* t_a */
    uint32_t free;                   /* g_f */
    size_t own;                      /* rows of the current kernel */
    uint64_t passes;                 /* passes through the loop, for statistics */
} run;

static int by_time(const void *a, const void *b)
{
    const gcast_thesis_row *x = a, *y = b;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

/* Shows h as in the thesis: sorted by time, with one row for each time. */
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

/* Sets t_a to t: frees the slots of rows up to t, and deletes these rows. */
static void advance(run *r, size_t kernel, int64_t t)
{
    r->at = t;
    for (const heap_item *top; (top = heap_top(&r->rows)) && top->time <= t;) {
        heap_item row = heap_pop(&r->rows);
        r->free += row.id;
        r->own -= row.kind == (uint32_t)kernel;
    }
}

/* Lets the kernel take n free slots at t_a for `hold_ns`. */
static bool take(run *r, size_t kernel, uint32_t n, int64_t hold_ns)
{
    if (!n)
        return true;
    r->free -= n;
    r->own++;
    return heap_push(&r->rows, (heap_item){r->at + hold_ns, (uint32_t)kernel, n});
}

/* Skips waves after which there are still as many blocks left as slots; returns their number. */
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

/* Do the times of kernel k fit in 64 bits? None is later than the latest one so far plus all waves of k, one after the
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

/* The next functions are the special case of the thesis (3.7): all kernels are released together and their blocks take
 * the same time C, so t_a and g_f follow without the set h. As printed it is wrong in two cases: if g_i = g_f, sgn
 * gives 0 and alpha is one half instead of 0; if g_i - g_f is a multiple of g_max, t_a is one wave too late, and f_i is
 * too late by C. */

/* Checks the input, and that twice the sum of all waves fits in 64 bits, for both forms. */
static gcast_status check(uint32_t slots, int64_t execution_ns, const gcast_thesis_kernel *kernels, size_t count,
                          gcast_error *err)
{
    int64_t waves = 2, all;
    if (!slots || execution_ns < 1) {
        gcast_error_set(err, GCAST_INPUT, NULL, "a pool has at least one slot, and blocks take time");
        return GCAST_INPUT;
    }
    for (size_t i = 0; i < count; i++)
        if (!kernels[i].blocks || kernels[i].blocks > INT64_MAX / 4 ||
            !checked_add(waves, (int64_t)(kernels[i].blocks / slots) + 2, &waves))
            return gcast_error_set(err, GCAST_INPUT, NULL, "kernel %zu has no blocks, or too many", i);
    if (waves > INT64_MAX / 2 || !checked_mul(2 * waves, execution_ns, &all))
        return gcast_error_set(err, GCAST_INPUT, NULL, "times do not fit in 64-bit nanoseconds");
    return GCAST_OK;
}

gcast_status gcast_thesis_closed(uint32_t slots, int64_t execution_ns, const gcast_thesis_kernel *kernels, size_t count,
                                 int64_t *completions, gcast_error *err)
{
    if (!kernels || !completions)
        return argument_missing(err);
    int64_t at = 0, free = slots;
    gcast_status status = check(slots, execution_ns, kernels, count, err);
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        int64_t missing = (int64_t)kernels[i].blocks - free;
        int64_t waves = missing > 0 ? div_up(missing, slots) : 0;
        at += waves * execution_ns;
        free = waves * slots - missing;
        completions[i] = at + execution_ns;
    }
    return status;
}

/* As printed, in halves: t_a in halves of C, g_f in halves of a slot. */
gcast_status gcast_thesis_closed_printed(uint32_t slots, int64_t execution_ns, const gcast_thesis_kernel *kernels,
                                         size_t count, int64_t *doubled_completions, gcast_error *err)
{
    if (!kernels || !doubled_completions)
        return argument_missing(err);
    int64_t at = 0, free = 2 * (int64_t)slots, all = 2 * (int64_t)slots;
    gcast_status status = check(slots, execution_ns, kernels, count, err);
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        int64_t missing = 2 * (int64_t)kernels[i].blocks - free;
        int64_t waves = (missing < 0 ? -missing : missing) / all; /* K, 3.12 */
        int64_t alpha = missing < 0 ? 0 : missing == 0 ? 1 : 2;   /* 3.13 */
        at += (alpha + 2 * waves) * execution_ns;                 /* 3.14 */
        free = alpha * (int64_t)slots - (missing - waves * all);  /* 3.15 */
        doubled_completions[i] = at + 2 * execution_ns;
    }
    return status;
}

/* The next functions give the utilisation of the thesis (3.3 and 3.4): u = C g b / T of a kernel, in threads, and U_t,
 * the sum over all kernels. */

typedef unsigned __int128 wide;

/* Thousandths of a thread: `whole` + `part` / 2^64. */
typedef struct thousandths {
    wide whole;
    wide part;
} thousandths;

/* The u of a kernel; `part` is rounded down. False if C g b does not fit. */
static bool kernel_utilisation(const gcast_thesis_kernel *k, int threads, int64_t period_ns, thousandths *u)
{
    wide work = (wide)k->blocks * (uint64_t)k->execution_ns;
    if (!checked_mul(work, (wide)threads * 1000, &work))
        return false;
    u->whole = work / (uint64_t)period_ns;
    u->part = (work % (uint64_t)period_ns << 64) / (uint64_t)period_ns;
    return true;
}

/* Rounds to the nearest; `part` may be too small by `error`. False if it does not fit in 64 bits. */
static bool to_nearest(thousandths u, uint64_t error, int64_t *out)
{
    wide carried = (u.part + error + ((wide)1 << 63)) >> 64;
    if (u.whole > INT64_MAX || u.whole + carried > INT64_MAX)
        return false;
    *out = (int64_t)(u.whole + carried);
    return true;
}

gcast_status gcast_thesis_utilisation(const gcast_thesis_kernel *kernels, const int64_t *periods_ns, size_t count,
                                      int threads, int64_t *each, int64_t *total, gcast_error *err)
{
    if (!kernels || !periods_ns || !each || !total)
        return argument_missing(err);
    thousandths sum = {0, 0};
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++) {
        thousandths u = {0, 0};
        fits = !periods_ns[i] || kernel_utilisation(&kernels[i], threads, periods_ns[i], &u);
        fits = fits && to_nearest(u, 1, &each[i]) && checked_add(sum.whole, u.whole, &sum.whole);
        sum.part += u.part;
    }
    if (!fits || !to_nearest(sum, count, total))
        return gcast_error_set(err, GCAST_INPUT, NULL, "the utilisation needs more than 64 bits");
    return GCAST_OK;
}

/* The next functions place the blocks on the slots of the pool, as in the figures of algorithm 2. The algorithm only
 * counts slots; any free ones would do, and these take those with the lowest numbers. */

typedef struct slot {
    int64_t free_at; /* when a block may start on it */
    size_t box;      /* its last box; NO_BOX: there is none */
} slot;

typedef struct placement {
    const gcast_thesis_pool *pool; /* the slots, and the times between blocks */
    slot *slots;                   /* the slots of the pool */
    VEC(gcast_thesis_box) boxes;   /* all boxes so far */
    size_t first_box;              /* of the current kernel */
    int64_t at;                    /* t_a: no block starts before */
} placement;

/* The slots from `first` on of a box of this kernel whose last round ends now, so that the next one continues it; 0:
 * there is no such box, or the kernel has fewer blocks left. */
static uint32_t continued_slots(const placement *p, uint32_t first, uint64_t left)
{
    const slot *s = &p->slots[first];
    if (s->box == NO_BOX || s->box < p->first_box || s->free_at != p->at)
        return 0;
    const gcast_thesis_box *b = &p->boxes.at[s->box];
    return b->first_slot == first && b->slots <= left ? b->slots : 0;
}

/* Number of slots from `first` on that are free and do not continue a box. */
static uint32_t fresh_slots(const placement *p, uint32_t first, uint64_t left)
{
    uint32_t n = 0;
    while (first + n < p->pool->slots && n < left && p->slots[first + n].free_at <= p->at &&
           !continued_slots(p, first + n, left - n))
        n++;
    return n;
}

/* Starts blocks on all free slots while the kernel has any left. False without memory. */
static bool fill_slots(placement *p, size_t kernel, int64_t hold_ns, uint64_t *left)
{
    for (uint32_t first = 0, n; first < p->pool->slots && *left; first += n) {
        n = 1;
        if (p->slots[first].free_at > p->at)
            continue;
        n = continued_slots(p, first, *left);
        size_t box = p->slots[first].box;
        if (n) {
            p->boxes.at[box].rounds++;
        } else {
            n = fresh_slots(p, first, *left);
            box = p->boxes.count;
            if (!vec_push(&p->boxes, ((gcast_thesis_box){kernel, first, n, p->at, 1})))
                return false;
        }
        for (uint32_t i = 0; i < n; i++)
            p->slots[first + i] = (slot){p->at + hold_ns, box};
        *left -= n;
    }
    return true;
}

/* If this kernel has all slots, places at once all rounds that leave blocks for one more. */
static void skip_rounds(placement *p, int64_t hold_ns, uint64_t *left)
{
    uint32_t slots = p->pool->slots;
    if (*left / 2 < slots)
        return;
    for (uint32_t i = 0; i < slots; i++)
        if (p->slots[i].box == NO_BOX || p->slots[i].box < p->first_box || p->slots[i].free_at <= p->at)
            return;
    uint64_t rounds = *left / slots - 1;
    for (uint32_t i = 0; i < slots; i++) {
        gcast_thesis_box *b = &p->boxes.at[p->slots[i].box];
        b->rounds += b->first_slot == i ? rounds : 0;
        p->slots[i].free_at += (int64_t)rounds * hold_ns;
    }
    *left -= rounds * slots;
}

/* The earliest time at which a slot is free. */
static int64_t next_free(const placement *p)
{
    int64_t next = p->slots[0].free_at;
    for (uint32_t i = 1; i < p->pool->slots; i++)
        next = min_i64(next, p->slots[i].free_at);
    return next;
}

static bool place_kernel(placement *p, const gcast_thesis_kernel *k, size_t kernel)
{
    int64_t hold_ns = k->execution_ns + p->pool->handover_ns;
    uint64_t left = k->blocks;
    p->first_box = p->boxes.count;
    p->at = max_i64(p->at, k->release_ns);
    for (;;) {
        if (!fill_slots(p, kernel, hold_ns, &left))
            return false;
        if (!left)
            break;
        skip_rounds(p, hold_ns, &left);
        p->at = max_i64(p->at, next_free(p));
    }
    p->at += p->pool->switch_ns;
    return true;
}

gcast_status gcast_thesis_place(const gcast_thesis_pool *pool, const gcast_thesis_kernel *kernels, size_t count,
                                gcast_thesis_box **boxes, size_t *box_count, gcast_error *err)
{
    if (boxes)
        *boxes = NULL;
    if (!pool || !kernels || !boxes || !box_count)
        return argument_missing(err);
    if (pool->slots > MAX_SLOTS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a pool of %u slots is larger than any GPU's", pool->slots);
    int64_t *completions = malloc((count + 1) * sizeof *completions);
    placement p = {.pool = pool, .slots = malloc(((size_t)pool->slots + 1) * sizeof *p.slots)};
    gcast_status status = completions && p.slots ? GCAST_OK : gcast_error_set_memory(err);
    if (status == GCAST_OK) /* checks its input, too */
        status = gcast_thesis_completions(pool, kernels, count, NULL, completions, NULL, err);
    for (uint32_t i = 0; status == GCAST_OK && i < pool->slots; i++)
        p.slots[i] = (slot){0, NO_BOX};
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        if (!place_kernel(&p, &kernels[i], i))
            status = gcast_error_set_memory(err);
    free(completions);
    free(p.slots);
    if (status != GCAST_OK) {
        vec_free(&p.boxes);
        return status;
    }
    *boxes = p.boxes.at;
    *box_count = p.boxes.count;
    return GCAST_OK;
}
