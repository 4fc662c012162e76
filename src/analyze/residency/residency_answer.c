/* Makes the answer: proves, then searches a schedule that hangs, conditions of the proof, or remedies. */
#include "analyze/residency/residency_answer.h"

#include <stdlib.h>

#include "analyze/residency/schedules.h"
#include "base/api.h"
#include "base/clock.h"
#include "base/text.h"
#include "simulate/launchable.h"

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
    *a = (residency_answer){.verdict = GCAST_HANG_MAY_HANG};
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
        a->verdict = a->condition_count ? GCAST_HANG_SAFE_IF : GCAST_HANG_SAFE;
    else if (a->witness)
        a->verdict = GCAST_HANG_HANGS;
    return status;
}

void residency_answer_free(residency_answer *a)
{
    gcast_workload_free(a->witness);
    residency_free(&a->r);
    *a = (residency_answer){0};
}

/* Puts the conditions into words. */
static gcast_status keep_conditions(gcast_residency *r, gcast_error *err)
{
    for (size_t i = 0; i < r->a.condition_count; i++) {
        text t;
        text_open(&t, NULL, NULL);
        safe_condition_say(&r->a.conditions[i], r->w, r->gpu, &t);
        char *words = text_take(&t, NULL);
        r->conditions[i] = words ? arena_strdup(&r->memory, words) : NULL;
        free(words);
        if (!r->conditions[i])
            return gcast_error_set_memory(err);
    }
    return GCAST_OK;
}

gcast_status gcast_workload_find_hangs(const gcast_workload *w, const gcast_gpu *gpu, gcast_residency **out,
                                       gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!w || !out)
        return argument_missing(err);
    gpu = gpu ? gpu : w->gpu;
    if (!gpu)
        return hint_add(err, GCAST_HINT_GPU, gcast_error_set(err, GCAST_INPUT, "/gpu", "no GPU is named"));
    gcast_residency *r = calloc(1, sizeof *r);
    if (!r)
        return gcast_error_set_memory(err);
    r->w = w;
    gcast_status status = gcast_workload_check(w, err);
    if (status == GCAST_OK)
        status = gcast_gpu_copy(gpu, &r->gpu, err);
    if (status == GCAST_OK)
        status = gcast_gpu_check(r->gpu, err);
    if (status == GCAST_OK && w->partition_sms)
        status = gcast_gpu_partition(r->gpu, w->partition_sms, err);
    if (status == GCAST_OK)
        status = residency_answer_make(&r->a, w, r->gpu, err);
    if (status == GCAST_OK)
        status = keep_conditions(r, err);
    if (status == GCAST_OK)
        *out = r;
    else
        gcast_residency_free(r);
    return status;
}

void gcast_residency_free(gcast_residency *r)
{
    if (!r)
        return;
    residency_answer_free(&r->a);
    gcast_gpu_free(r->gpu);
    arena_free(&r->memory);
    free(r);
}

gcast_hang_verdict gcast_residency_verdict(const gcast_residency *r)
{
    return r ? r->a.verdict : GCAST_HANG_MAY_HANG;
}

const char *gcast_residency_condition(const gcast_residency *r, size_t number)
{
    return r && number < r->a.condition_count ? r->conditions[number] : NULL;
}

const gcast_workload *gcast_residency_witness(const gcast_residency *r)
{
    return r ? r->a.witness : NULL;
}
