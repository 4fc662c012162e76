#include "analyze/residency/schedules/safe_check.h"

#include "analyze/residency/schedules/schedules.h"
#include "base/clock.h"
#include "base/minmax.h"
#include "model/workload/barriers.h"

#define MIN_NS 10000000 /* of drawn schedules */
#define MAX_NS 1000000000
#define MIN_DRAWN 100  /* schedules of a small workload, however long they take */
#define MAX_DRAWN 1000 /* of any */
#define SMALL_BLOCKS 2000

static uint64_t blocks_of(const gcast_workload *w)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL)
            blocks += w->ops[i].blocks < SAFE_CHECK_MAX_BLOCKS ? w->ops[i].blocks : SAFE_CHECK_MAX_BLOCKS + 1;
    return blocks;
}

/* Does this one end? The workload as it stands must be one that can run. */
static gcast_status check_one(const gcast_workload *w, const gcast_gpu *gpu, bool in_file_order, uint64_t number,
                              gcast_error *err)
{
    drawn_schedule x;
    bool hangs = false;
    schedule_kind kind = !number ? SCHEDULE_AS_IS : number % 4 ? SCHEDULE_ANY : SCHEDULE_CALLS;
    gcast_status status = schedule_draw(&x, w, gpu, kind, in_file_order, number, err);
    if (status != GCAST_OK)
        return status;
    status = schedule_hangs(&x, &hangs, err);
    schedule_free(&x);
    if (status == GCAST_INPUT && number)
        return GCAST_OK;
    if (status != GCAST_OK || !hangs)
        return status;
    return gcast_error_set(err, GCAST_INTERNAL, NULL,
                           "it was proven that nothing hangs, and schedule %llu of it hangs: nothing is said of it; "
                           "please send this file to the authors of gridcast",
                           (unsigned long long)number);
}

gcast_status safe_check(const gcast_workload *w, const gcast_gpu *gpu, bool in_file_order, int64_t proof_ns,
                        size_t *simulated, gcast_error *err)
{
    uint64_t blocks = blocks_of(w), number = 0;
    int64_t limit = min_i64(max_i64(proof_ns / 10, MIN_NS), MAX_NS);
    *simulated = 0;
    if (blocks > SAFE_CHECK_MAX_BLOCKS)
        return barriers_check(w, &(bool){false}, err);
    gcast_status status = check_one(w, gpu, in_file_order, number++, err);
    int64_t start = clock_now_ns();
    while (status == GCAST_OK && number <= MAX_DRAWN &&
           ((number <= MIN_DRAWN && blocks <= SMALL_BLOCKS) || clock_now_ns() - start < limit))
        status = check_one(w, gpu, in_file_order, number++, err);
    *simulated = (size_t)number;
    return status;
}
