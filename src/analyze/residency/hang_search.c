#include "analyze/residency/hang_search.h"

#include "gridcast/run.h"
#include "gridcast/simulate.h"
#include "model/workload/edit.h"

#define MAX_RISKS 20
#define LATER_NS 1000000 /* after all others */

/* Does this very workload hang? One that cannot be simulated does not. */
static gcast_status hangs(const gcast_workload *w, const gcast_gpu *gpu, bool *answer, gcast_error *err)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_run *run = NULL;
    gcast_status status = gcast_workload_simulate(w, gpu, &options, &run, err);
    *answer = status == GCAST_OK && run->hang;
    gcast_run_free(run);
    return status == GCAST_INPUT ? GCAST_OK : status;
}

/* The op is called a millisecond after the last release. */
static void delay(gcast_workload *w, uint32_t at)
{
    gcast_op op = w->ops[at];
    int64_t last = 0;
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].release_ns > last)
            last = w->ops[i].release_ns;
    if (op.graph != GCAST_NO_GRAPH || last > WORKLOAD_MAX_NS - LATER_NS)
        return;
    op.release_ns = last + LATER_NS;
    workload_put_op(w, at, &op);
}

/* With `later` called later; RESIDENCY_NONE: as it is. */
static gcast_status try(const gcast_workload *w, const gcast_gpu *gpu, uint32_t later, gcast_workload **witness,
                        gcast_error *err)
{
    gcast_workload *copy;
    bool found = false;
    gcast_error own;
    gcast_status status = gcast_workload_copy(w, &copy, err);
    if (status != GCAST_OK)
        return status;
    if (later != RESIDENCY_NONE)
        delay(copy, later);
    if (workload_check_form(copy, &own) == GCAST_OK)
        status = hangs(copy, gpu, &found, err);
    if (status == GCAST_OK && found)
        *witness = copy;
    else
        gcast_workload_free(copy);
    return status;
}

gcast_status hang_search(const gcast_workload *w, const gcast_gpu *gpu, const residency *r, gcast_workload **witness,
                         gcast_error *err)
{
    *witness = NULL;
    gcast_status status = r->risk_count ? try(w, gpu, RESIDENCY_NONE, witness, err) : GCAST_OK;
    for (size_t i = 0; i < r->risk_count && i < MAX_RISKS; i++) {
        uint32_t of[] = {r->risks[i].kernel, r->risks[i].waiter};
        for (int k = 0; k < 2 && status == GCAST_OK && !*witness; k++)
            status = try(w, gpu, of[k], witness, err);
    }
    return status;
}
