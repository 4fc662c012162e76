/* gcast_run_check, the invariant of copies: C-copy (docs/model.md). */
#include "simulate/check/copies.h"

#include <stdlib.h>

#include "simulate/check/broken.h"
#include "simulate/check/waits/wait_times.h"
#include "simulate/rules/copy_duration.h"
#include "simulate/run_ops.h"

/* Did a copy take as long as it should? */
static bool duration_is_right(const gcast_run *run, size_t i)
{
    const gcast_run_op *r = &run->ops[i];
    const gcast_op *op = run_spec(run, i);
    int64_t duration_ns = r->end_ns - r->start_ns, want;
    if (op->max_ns != GCAST_UNKNOWN_NS)
        return duration_ns >= op->min_ns && duration_ns - run->noise_ns <= op->max_ns;
    if (copy_bytes_ns(run->workload, run->gpu, r->op, &want, NULL) != GCAST_OK)
        return false;
    int percent = op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D ? run->gpu->copy_duplex_percent : 100;
    __int128 max_alone = (__int128)want + run->noise_ns + copy_max_extra_ns(run->gpu, op);
    __int128 max = (max_alone * 100 + percent - 1) / percent + (percent < 100);
    return duration_ns >= want && duration_ns <= max;
}

static int by_start(const void *a, const void *b)
{
    const gcast_run_op *x = *(gcast_run_op *const *)a, *y = *(gcast_run_op *const *)b;
    if (x->engine != y->engine)
        return x->engine < y->engine ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* Did a copy start when its engine was idle and a copy waited for it, or later, as a copy to the host may? `ready`:
 * when the first copy entered of those that had not started. */
static bool starts_right(const gcast_run *run, const gcast_run_op *r, int64_t idle_ns, int64_t ready)
{
    const gcast_op *op = &run->workload->ops[r->op];
    int64_t expected = idle_ns > ready ? idle_ns : ready;
    bool may_be_late = op->kind == GCAST_KIND_COPY && op->direction == GCAST_D2H && op->max_ns == GCAST_UNKNOWN_NS;
    return r->start_ns >= r->enter_ns &&
           (r->start_ns == expected || (may_be_late && r->start_ns == expected + run->gpu->d2h_start_ns));
}

/* C-copy of these copies. ready[]: memory for as many times. */
static gcast_status check_list(const gcast_run *run, const gcast_run_op **list, int64_t *ready, size_t n,
                               gcast_error *err)
{
    qsort(list, n, sizeof *list, by_start);
    for (size_t k = n; k-- > 0;) {
        bool more = k + 1 < n && list[k + 1]->engine == list[k]->engine;
        ready[k] = more && ready[k + 1] < list[k]->enter_ns ? ready[k + 1] : list[k]->enter_ns;
    }
    int64_t idle_ns = 0;
    for (size_t k = 0; k < n; k++) {
        const gcast_run_op *r = list[k], *before = k && list[k - 1]->engine == r->engine ? list[k - 1] : NULL;
        size_t i = (size_t)(r - run->ops);
        if (r->engine < 0 || r->engine >= run->gpu->copy_engines)
            return check_broken(run, i, "C-copy", "it used an engine that is not there", err);
        idle_ns = before ? before->end_ns + run->gpu->copy_gap_ns : 0;
        if (!starts_right(run, r, idle_ns, ready[k]))
            return check_broken(run, i, "C-copy", "it did not start when its engine was free for it (C2)", err);
        if (before && before->entry > r->entry && !run->gpu->copy_channels)
            return check_broken(run, i, "C-copy", "one that entered later started before it (C2)", err);
        if (!duration_is_right(run, i))
            return check_broken(run, i, "C-copy", "it took longer or shorter than it should", err);
    }
    return GCAST_OK;
}

gcast_status check_copies(const gcast_run *run, gcast_error *err)
{
    const gcast_run_op **list = malloc((run->op_count + 1) * sizeof *list);
    int64_t *ready = malloc((run->op_count + 1) * sizeof *ready);
    size_t n = 0;
    for (size_t i = 0; list && i < run->op_count; i++)
        if (!run->ops[i].skipped && gcast_kind_on_gpu(run_spec(run, i)->kind) &&
            run_spec(run, i)->kind != GCAST_KIND_KERNEL && check_entered(run, &run->ops[i]))
            list[n++] = &run->ops[i];
    gcast_status status = list && ready ? check_list(run, list, ready, n, err) : gcast_error_set_memory(err);
    free(list);
    free(ready);
    return status;
}
