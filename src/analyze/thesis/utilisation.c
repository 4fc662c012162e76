/* The utilisation of the thesis (3.3 and 3.4): u = C g b / T of a kernel, in threads, and U_t, the sum over all. */
#include "base/api/argument_missing.h"
#include "base/checked.h"
#include "gridcast/thesis.h"

typedef unsigned __int128 wide;

/* A number of thousandths of a thread: `whole` and `part` / 2^64. */
typedef struct thousandths {
    wide whole;
    wide part;
} thousandths;

/* u of a kernel; `part` is rounded down. False where C g b does not fit. */
static bool kernel_utilisation(const gcast_thesis_kernel *k, int threads, int64_t period_ns, thousandths *u)
{
    wide work = (wide)k->blocks * (uint64_t)k->execution_ns;
    if (!checked_mul(work, (wide)threads * 1000, &work))
        return false;
    u->whole = work / (uint64_t)period_ns;
    u->part = (work % (uint64_t)period_ns << 64) / (uint64_t)period_ns;
    return true;
}

/* To the nearest; `error` is by how much `part` may be too small. False where it does not fit in 64 bits. */
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
        return gcast_error_set(err, GCAST_INPUT, NULL, "the utilisation is more than 64 bits hold");
    return GCAST_OK;
}
