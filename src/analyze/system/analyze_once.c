/* Responses of cores and GPU grow together, until none grows any more. */
#include "analyze/system/analyze_once.h"

#include <string.h>

#include "analyze/system/answer_make.h"
#include "analyze/system/cores/core_response.h"
#include "analyze/system/gpu/gpu_cache_state.h"
#include "analyze/system/gpu/gpu_part.h"
#include "analyze/system/limits/limits_answer.h"
#include "analyze/system/system_work.h"
#include "base/checked.h"

#define PERIODS 64               /* no busy time is followed for longer than so many of the longest period */
#define PATIENCE 100000000       /* terms of busy times, before all that is still open has no bound */
#define FEW_JOBS 100             /* of the GPU in a hyperperiod */
#define OFFSET_PATIENCE 10000000 /* those with offsets */

/* Responses grow from the least that they can be, until none grows any more. */
static void solve(system_work *x)
{
    for (bool again = true; again && x->status == GCAST_OK; x->rounds++) {
        again = false;
        for (uint32_t i = 0; i < x->order_count; i++)
            if (x->tasks[x->order[i]].dirty) {
                core_respond(x, (int)x->order[i]);
                again = true;
            }
        if (!again && x->gpu_dirty) {
            x->gpu_dirty = false;
            gpu_respond(x);
            again = true;
        }
    }
}

/* Jobs of tasks on the GPU until their roots are as they were; INT64_MAX: very many. */
static int64_t gpu_jobs(const system_work *x)
{
    int64_t all = 1, jobs = 0;
    for (size_t i = 0; i < x->s->task_count; i++) {
        int64_t period = x->s->tasks[i].period_ns;
        if (x->places[i].core == SYS_GPU && !checked_mul(all, period / common_divisor(all, period), &all))
            return INT64_MAX;
    }
    for (size_t i = 0; i < x->s->task_count; i++)
        if (x->places[i].core == SYS_GPU && !checked_add(jobs, all / x->s->tasks[i].period_ns, &jobs))
            return INT64_MAX;
    return jobs;
}

static bool is_all_met(const system_work *x)
{
    for (size_t i = 0; i < x->s->task_count; i++) {
        const task_state *t = &x->tasks[i];
        const sys_task *of = &x->s->tasks[i];
        if (t->worst == SYS_UNBOUNDED || (of->deadline_ns && t->own_worst > of->deadline_ns))
            return false;
    }
    return true;
}

static void solve_from_start(system_work *x)
{
    x->patience = PATIENCE;
    x->offset_patience = OFFSET_PATIENCE;
    *x->gpu_why_not = 0;
    x->gpu_rounds = 0;
    cores_prepare(x);
    limits_mark(x);
    solve(x);
}

/* The analysis of the GPU with offsets takes long where there are many jobs: only if it is needed then. */
static gcast_status make(system_work *x, sys_answer **out)
{
    bool offsets = !x->options->ignore_offsets && !x->options->tasks_only;
    int64_t longest = 1;
    for (size_t i = 0; i < x->s->task_count; i++)
        longest = max_i64(longest, x->s->tasks[i].period_ns);
    x->cap = PERIODS * longest;
    x->use_offsets = offsets;
    x->gpu_offsets =
        offsets && !x->any_phase && (x->options->gpu_method != GCAST_METHOD_BOUND || gpu_jobs(x) <= FEW_JOBS);
    gpu_cache_trim(x->cache);
    if (!system_work_init(x))
        return gcast_error_set_memory(x->err);
    solve_from_start(x);
    if (x->status == GCAST_OK && x->uses_gpu && x->s->sharing == SYS_ONE_CONTEXT && offsets && !x->gpu_offsets &&
        !x->any_phase && !is_all_met(x)) {
        x->gpu_offsets = true;
        solve_from_start(x);
    }
    return x->status == GCAST_OK ? system_answer_make(x, out) : x->status;
}

gcast_status system_analyze_once(const sys_system *s, const sys_place *places, const sys_analyze_options *options,
                                 bool any_phase, sys_answer **out, gcast_error *err)
{
    sys_gpu_cache cache = {0};
    gcast_status status = system_check_places(s, places, err);
    if (status != GCAST_OK)
        return status;
    system_work x = {.s = s,
                     .places = places,
                     .options = options,
                     .err = err,
                     .any_phase = any_phase,
                     .cache = options->cache ? options->cache : &cache};
    status = make(&x, out);
    gpu_cache_clear(&cache);
    return status;
}
