#include "simulate/explain/index/kernel_windows.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "simulate/run_ops.h"

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

/* Its last block has released its SM, the GPU has switched from it, and it is no resident grid any more. */
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

/* The tree is complete; leaves behind the last kernel matter to no time. */
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

/* How many entered before this time. */
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
