#include "analyze/residency/schedules/hang_search.h"

#include "analyze/residency/proof/needs_edges.h"
#include "analyze/residency/schedules/schedules.h"
#include "base/minmax.h"
#include "model/workload/edit.h"

#define MAX_RISKS 20
#define LATER_NS 1000000   /* after all others */
#define DRAWN 100          /* schedules of a small workload */
#define SMALL_BLOCKS 10000 /* such a one has no more */

/* Takes the schedule as the witness if it hangs; frees it else. One that cannot be simulated does not. */
static gcast_status try(drawn_schedule *x, gcast_workload **witness, gcast_error *err)
{
    bool hangs = false;
    gcast_error own;
    gcast_status status = workload_check_form(x->w, &own) == GCAST_OK ? schedule_hangs(x, &hangs, err) : GCAST_INPUT;
    if (hangs) {
        *witness = x->w;
        x->w = NULL;
    }
    schedule_free(x);
    return status == GCAST_INPUT ? GCAST_OK : status;
}

/* With `later` called a millisecond after the last release, and after the time from which on it is skipped;
 * RESIDENCY_NONE: as it is. */
static gcast_status try_later(const gcast_workload *w, const gcast_gpu *gpu, uint32_t later, gcast_workload **witness,
                              gcast_error *err)
{
    drawn_schedule x;
    int64_t last = 0;
    for (size_t i = 0; i < w->op_count; i++)
        last = max_i64(last, w->ops[i].release_ns);
    gcast_status status = schedule_draw(&x, w, gpu, SCHEDULE_AS_IS, false, 0, err);
    if (status == GCAST_OK && later != RESIDENCY_NONE) {
        int64_t skip = w->ops[needs_launch_of(w, later)].skip_ns;
        int64_t time = min_i64(last, WORKLOAD_MAX_NS - LATER_NS) + LATER_NS;
        status = schedule_delay(x.w, later, skip == GCAST_NEVER ? time : max_i64(time, skip), err);
        if (status != GCAST_OK)
            schedule_free(&x);
    }
    return status == GCAST_OK ? try(&x, witness, err) : status;
}

static bool is_small(const gcast_workload *w)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < w->op_count && blocks <= SMALL_BLOCKS; i++)
        blocks += w->ops[i].kind == GCAST_KIND_KERNEL ? min_u64(w->ops[i].blocks, SMALL_BLOCKS + 1) : 1;
    return blocks <= SMALL_BLOCKS;
}

gcast_status hang_search(const gcast_workload *w, const gcast_gpu *gpu, const residency *r, gcast_workload **witness,
                         gcast_error *err)
{
    *witness = NULL;
    gcast_status status = r->risk_count ? try_later(w, gpu, RESIDENCY_NONE, witness, err) : GCAST_OK;
    for (size_t i = 0; i < r->risk_count && i < MAX_RISKS; i++) {
        uint32_t of[] = {r->risks[i].kernel, r->risks[i].waiter};
        for (int k = 0; k < 2 && status == GCAST_OK && !*witness; k++)
            status = try_later(w, gpu, of[k], witness, err);
    }
    for (uint64_t seed = 1; seed <= DRAWN && r->risk_count && is_small(w) && status == GCAST_OK && !*witness; seed++) {
        drawn_schedule x;
        status = schedule_draw(&x, w, gpu, SCHEDULE_CALLS, false, seed, err);
        if (status == GCAST_OK)
            status = try(&x, witness, err);
    }
    return status;
}
