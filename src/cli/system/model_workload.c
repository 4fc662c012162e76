#include "cli/system/model_workload.h"

#include "amalthea/thesis_workload.h"
#include "analyze/system/system_analysis.h"
#include "cli/say.h"
#include "cli/system/opened_system.h"

const option_spec convert_system_shared[] = {
    {"output", 0, NULL, "where the part on the GPU goes; - is standard output"},
    {"to", 0, NULL, NULL},
    {"force", 0, NULL, NULL},
    {"gpu", 0, NULL, NULL},
    {"sms", 0, NULL, NULL},
    {NULL, 0, NULL, NULL},
};

/* Is it known when tasks on the GPU are released? */
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

static gcast_status make_workload(const sys_system *s, gcast_workload **w)
{
    gcast_error err;
    sys_answer *r;
    sys_analyze_options o = system_analyze_options_default();
    if (!has_gpu_tasks(s))
        return say(GCAST_INPUT, "%s: no task is on the GPU", s->source);
    if (s->sharing == SYS_SLICES)
        return say(GCAST_INPUT,
                   "%s: contexts take turns on the GPU, which a workload cannot say; \"sharing\": \"streams\" in the "
                   "file of --kernels takes them as one",
                   s->source);
    o.gpu_method = GCAST_METHOD_BOUND;
    if (system_analyze(s, NULL, &o, &r, &err) != GCAST_OK)
        return say_system_error(s, &err);
    bool known = releases_known(r);
    if (!known)
        say_note("no bound is known for when tasks on the GPU are released: the workload releases them with the tasks "
                 "that start them");
    gcast_status status = system_gpu_workload(s, r->places, known ? r->tasks : NULL, w, NULL, &err);
    if (status != GCAST_OK)
        say_system_error(s, &err);
    system_answer_free(r);
    return status;
}

gcast_status model_workload_from_args(const args *a, gcast_workload **w, gcast_gpu **gpu)
{
    opened_system opened;
    *w = NULL;
    *gpu = NULL;
    gcast_status status = opened_system_from_args(a, &opened);
    if (status != GCAST_OK)
        return status;
    status = make_workload(opened.s, w);
    if (status == GCAST_OK) {
        *gpu = opened.gpu;
        opened.gpu = NULL;
    }
    opened_system_free(&opened);
    return status;
}

gcast_status model_thesis_from_args(const args *a, gcast_workload **w, gcast_gpu **gpu, int64_t **periods)
{
    gcast_error err;
    opened_system opened;
    *w = NULL;
    *gpu = NULL;
    *periods = NULL;
    gcast_status status = opened_model_from_args(a, &opened);
    if (status != GCAST_OK)
        return status;
    if (!opened.gpu)
        status = say(GCAST_USAGE, "%s names no GPU; --gpu does, and gridcast gpus lists them", a->operands[0]);
    else if (amalthea_thesis(opened.model, opened.gpu, opened.given, w, periods, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK) {
        *gpu = opened.gpu;
        opened.gpu = NULL;
    }
    opened_system_free(&opened);
    return status;
}
