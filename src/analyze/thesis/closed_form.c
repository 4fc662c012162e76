/* The special case of the thesis (3.7): all kernels are released together and their blocks take the same time C, so
 * that t_a and g_f follow without the set h. As printed it is wrong in two cases: where g_i = g_f, sgn gives 0 and
 * alpha one half instead of 0; where g_i - g_f is a multiple of g_max, t_a is one wave too late, and f_i is too late by
 * C. */
#include "base/api/argument_missing.h"
#include "base/checked.h"
#include "base/minmax.h"
#include "gridcast/thesis.h"

/* Twice the sum of all waves must fit in 64 bits, for both forms. */
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

/* Everything counts in halves: t_a in halves of C, g_f in halves of a slot. */
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
