/* gcast_system_analyze: the analysis of a system, compared with executions, and what it says of each task. */
#include <stdlib.h>

#include "analyze/system/late_runs.h"
#include "base/api.h"
#include "system/system_handle.h"

static gcast_status check(const gcast_system_analyze_options *o, gcast_error *err)
{
    if ((unsigned)o->method > GCAST_METHODS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the GPU of a system is analyzed by bound, explore or exact");
    if ((unsigned)o->communication >= GCAST_COMMUNICATIONS || (unsigned)o->reaction >= GCAST_REACTIONS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "communication or reaction is none that there is");
    return GCAST_OK;
}

gcast_status system_analyze_options_take(const gcast_system_analyze_options *given, sys_analyze_options *out,
                                         gcast_error *err)
{
    gcast_system_analyze_options own = gcast_system_analyze_options_default();
    *out = system_analyze_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_system_analyze_options", err);
    if (status == GCAST_OK)
        status = check(&own, err);
    if (status == GCAST_OK)
        status = options_copy(&out->gpu, sizeof out->gpu, own.gpu, "gcast_analyze_options", err);
    out->gpu_method = own.method;
    out->communication = own.communication;
    out->reaction = own.reaction;
    out->ignore_offsets = own.ignore_offsets;
    return status;
}

gcast_status system_answer_take(sys_answer *answer, bool ignore_offsets, const sys_search *search,
                                gcast_system_answer **out, gcast_error *err)
{
    *out = NULL;
    gcast_system_answer *x = malloc(sizeof *x);
    if (!x) {
        system_answer_free(answer);
        return gcast_error_set_memory(err);
    }
    *x = (gcast_system_answer){.answer = answer, .search = search};
    gcast_status status = system_error_in(answer->of, system_look_for_late(answer, ignore_offsets, err), err);
    if (status == GCAST_OK && !(x->why = system_verdict(answer, &x->verdict)))
        status = gcast_error_set_memory(err);
    if (status == GCAST_OK)
        *out = x;
    else
        gcast_system_answer_free(x);
    return status;
}

gcast_status gcast_system_analyze(const gcast_system *x, const gcast_system_analyze_options *options,
                                  gcast_system_answer **answer, gcast_error *err)
{
    sys_answer *made;
    sys_analyze_options o;
    if (answer)
        *answer = NULL;
    if (!x || !answer)
        return argument_missing(err);
    gcast_status status = system_analyze_options_take(options, &o, err);
    if (status != GCAST_OK)
        return status;
    status = system_analyze(x->s, NULL, &o, &made, err);
    if (status != GCAST_OK)
        return system_error_in(x->s, status, err);
    return system_answer_take(made, o.ignore_offsets, NULL, answer, err);
}

void gcast_system_answer_free(gcast_system_answer *x)
{
    if (!x)
        return;
    system_answer_free(x->answer);
    free(x->why);
    free(x);
}

gcast_deadline_verdict gcast_system_answer_verdict(const gcast_system_answer *x, const char **why)
{
    if (why)
        *why = x ? x->why : "";
    return x ? x->verdict : GCAST_DEADLINE_NONE;
}

bool gcast_system_answer_get_task(const gcast_system_answer *x, size_t number, gcast_system_task *task)
{
    if (!x || !task || number >= x->answer->of->task_count)
        return false;
    const sys_system *s = x->answer->of;
    const sys_task_answer *a = &x->answer->tasks[number];
    int core = x->answer->places[number].core;
    *task = (gcast_system_task){.name = s->tasks[number].name,
                                .core = core == SYS_GPU ? NULL : s->cores[core].name,
                                .best_ns = a->best_ns,
                                .worst_ns = a->worst_ns,
                                .deadline_ns = s->tasks[number].deadline_ns,
                                .verdict = a->verdict};
    return true;
}
