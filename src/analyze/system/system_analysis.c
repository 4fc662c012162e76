/* system_analyze: iterates cores and GPU to a fixed point, then checks what rests on assumed numbers of the GPU. */
#include "analyze/system/system_analysis.h"

#include <string.h>

#include "analyze/system/answer_make.h"
#include "analyze/system/core_response.h"
#include "analyze/system/gpu_cache.h"
#include "analyze/system/gpu_response.h"
#include "analyze/system/limits_answer.h"
#include "analyze/system/system_assumed.h"
#include "analyze/system/system_work.h"
#include "base/integers.h"

#define PERIODS 64               /* a busy time longer than so many of the longest period has no bound */
#define PATIENCE 100000000       /* terms of busy times to compute; what is open then has no bound */
#define OFFSET_PATIENCE 10000000 /* the same for windows with offsets */
#define FEW_JOBS 100             /* with more jobs in a hyperperiod the GPU is first analyzed without offsets */

/* Response times grow from their least values until none grows any more. */
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

/* Jobs of tasks on the GPU in their hyperperiod; INT64_MAX: too many to count. */
static int64_t gpu_jobs(const system_work *x)
{
    int64_t hyperperiod = 1, jobs = 0;
    for (size_t i = 0; i < x->s->task_count; i++)
        if (x->places[i].core == SYS_GPU && !add_period(&hyperperiod, x->s->tasks[i].period_ns))
            return INT64_MAX;
    for (size_t i = 0; i < x->s->task_count; i++)
        if (x->places[i].core == SYS_GPU && !checked_add(jobs, hyperperiod / x->s->tasks[i].period_ns, &jobs))
            return INT64_MAX;
    return jobs;
}

static bool all_deadlines_met(const system_work *x)
{
    for (size_t i = 0; i < x->s->task_count; i++) {
        const task_state *t = &x->tasks[i];
        const sys_task *def = &x->s->tasks[i];
        if (t->worst == SYS_UNBOUNDED || (def->deadline_ns && t->own_worst > def->deadline_ns))
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

/* With many jobs the analysis of the GPU with offsets takes long: it is made only where a deadline is open without. */
static gcast_status analyze(system_work *x, sys_answer **out)
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
        !x->any_phase && !all_deadlines_met(x)) {
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
    status = analyze(&x, out);
    gpu_cache_clear(&cache);
    return status;
}

sys_analyze_options system_analyze_options_default(void)
{
    return (sys_analyze_options){.gpu_method = GCAST_METHOD_BOUND,
                                 .gpu = gcast_analyze_options_default(),
                                 .communication = GCAST_COMMUNICATION_IMPLICIT};
}

gcast_status system_analyze(const sys_system *s, const sys_place *places, const sys_analyze_options *options,
                            sys_answer **out, gcast_error *err)
{
    sys_analyze_options own = system_analyze_options_default();
    if (!options)
        options = &own;
    gcast_status status = system_analyze_once(s, places ? places : s->places, options, false, out, err);
    if (status != GCAST_OK || options->tasks_only)
        return status;
    status = system_assumed_try(*out, options, err);
    if (status != GCAST_OK) {
        system_answer_free(*out);
        *out = NULL;
    }
    return status;
}
