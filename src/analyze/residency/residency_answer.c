/* Makes the answer: proves, then searches a schedule that hangs, conditions of the proof, or remedies. */
#include "analyze/residency/residency_answer.h"

#include "analyze/residency/schedules.h"
#include "base/clock.h"
#include "simulate/launchable.h"

static const char *const verdict_names[] = {
#define X(id, name) name,
    RESIDENCY_VERDICT_TABLE(X)
#undef X
};

const char *residency_verdict_name(residency_verdict v)
{
    return (unsigned)v < RESIDENCY_VERDICTS ? verdict_names[v] : "?";
}

/* Is it safe if ops without a host are called in the order of their releases? Asked only where there are several. */
static gcast_status prove_in_order(const gcast_workload *w, const gcast_gpu *gpu, bool *safe, gcast_error *err)
{
    size_t loose = 0;
    residency r;
    *safe = false;
    for (size_t i = 0; i < w->op_count; i++)
        loose += w->ops[i].host == GCAST_NO_HOST;
    if (loose < 2)
        return GCAST_OK;
    gcast_status status = residency_prove(w, gpu, &(needs_assumed){.in_file_order = true}, &r, err);
    *safe = status == GCAST_OK && !r.risk_count;
    residency_free(&r);
    return status;
}

gcast_status residency_answer_make(residency_answer *a, const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    int64_t start = clock_now_ns();
    bool safe = false;
    needs_assumed assumed = {0};
    *a = (residency_answer){.verdict = RESIDENCY_MAY_HANG};
    gcast_status status = launchable_check(w, gpu, err); /* a workload that cannot run is refused */
    if (status == GCAST_OK)
        status = residency_prove(w, gpu, NULL, &a->r, err);
    if (status == GCAST_OK && a->r.risk_count)
        status = prove_in_order(w, gpu, &assumed.in_file_order, err);
    safe = status == GCAST_OK && (!a->r.risk_count || assumed.in_file_order);
    if (status == GCAST_OK && a->r.risk_count)
        status = hang_search(w, gpu, &a->r, &a->witness, err);
    if (status == GCAST_OK && safe)
        status = safe_conditions_find(w, gpu, &assumed, a->conditions, &a->condition_count, err);
    if (status == GCAST_OK && safe)
        status = safe_check(w, gpu, assumed.in_file_order, clock_now_ns() - start, &a->simulated, err);
    else if (status == GCAST_OK)
        status = remedies_find(w, gpu, &a->r, a->remedies, &a->remedy_count, err);
    if (safe)
        a->verdict = a->condition_count ? RESIDENCY_SAFE_IF : RESIDENCY_SAFE;
    else if (a->witness)
        a->verdict = RESIDENCY_HANGS;
    return status;
}

void residency_answer_free(residency_answer *a)
{
    gcast_workload_free(a->witness);
    residency_free(&a->r);
    *a = (residency_answer){0};
}
