/* gcast_system_workload: the part of a system on the GPU. */
#include "analyze/system/system_analysis.h"
#include "base/api.h"
#include "system/system_handle.h"

/* Are there bounds on when tasks on the GPU are released? */
static bool releases_known(const sys_answer *r)
{
    for (size_t i = 0; i < r->of->task_count; i++)
        if (r->places[i].core == SYS_GPU && r->tasks[i].release_max_ns == SYS_UNBOUNDED)
            return false;
    return true;
}

static bool has_gpu_tasks(const sys_system *s)
{
    for (size_t i = 0; i < s->task_count; i++)
        if (s->places[i].core == SYS_GPU)
            return true;
    return false;
}

static gcast_status make(const sys_system *s, gcast_workload **w, bool *bounded, gcast_error *err)
{
    sys_answer *r;
    sys_analyze_options o = system_analyze_options_default();
    o.gpu_method = GCAST_METHOD_BOUND;
    gcast_status status = system_analyze(s, NULL, &o, &r, err);
    if (status != GCAST_OK)
        return status;
    *bounded = releases_known(r);
    status = system_gpu_workload(s, r->places, *bounded ? r->tasks : NULL, w, NULL, err);
    system_answer_free(r);
    return status;
}

gcast_status gcast_system_workload(const gcast_system *x, gcast_workload **w, bool *bounded, gcast_error *err)
{
    bool own;
    gcast_status status;
    if (w)
        *w = NULL;
    if (!x || !w)
        return argument_missing(err);
    const sys_system *s = x->s;
    if (!has_gpu_tasks(s))
        status = gcast_error_set(err, GCAST_INPUT, NULL, "no task is on the GPU");
    else if (s->sharing == SYS_SLICES)
        status = gcast_error_set(err, GCAST_INPUT, NULL,
                                 "contexts share the GPU by time slices, which a workload cannot express; \"sharing\": "
                                 "\"streams\" in the file beside the model treats them as one");
    else
        status = make(s, w, bounded ? bounded : &own, err);
    return system_error_in(s, status, err);
}
