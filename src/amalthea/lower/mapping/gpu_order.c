#include "amalthea/lower/mapping/gpu_order.h"

#include <string.h>

#include "amalthea/lower/findings.h"
#include "amalthea/lower/mapping/given_tasks.h"
#include "amalthea/lower/mapping/task_units.h"

static const sys_given_kernel *given_kernel(const lowering *l, const char *name)
{
    for (size_t i = 0; i < l->given->kernel_count; i++)
        if (strcmp(l->given->kernels[i].runnable, name) == 0)
            return &l->given->kernels[i];
    return NULL;
}

int64_t stream_priority(const lowering *l, const sys_task *t)
{
    int64_t least = 0;
    for (size_t i = 0; i < t->step_count; i++) {
        const sys_given_kernel *k = given_kernel(l, t->steps[i].name);
        if (k && k->priority < least)
            least = k->priority;
    }
    return -least;
}

/* Does the user say the priority of its stream? */
static bool is_given(const lowering *l, const sys_task *t)
{
    for (size_t i = 0; i < t->step_count; i++) {
        const sys_given_kernel *k = given_kernel(l, t->steps[i].name);
        if (k && k->has_priority)
            return true;
    }
    return false;
}

/* On the GPU, or where a search may put it there. */
static const lowered_task *gpu_task(const lowering *l, size_t task)
{
    const lowered_task *t = &l->tasks[task];
    bool may = l->given->searched && t->gpu_candidate && !t->why_not_gpu;
    return t->index >= 0 && (may || l->places[t->index].core == SYS_GPU) ? t : NULL;
}

/* Where only some have one, the others come last. */
static bool model_priority(const lowering *l, const lowered_task *t, int64_t *priority)
{
    const am_allocation *a = t->allocation < 0 ? NULL : &l->m->allocations[t->allocation];
    *priority = a && a->has_priority ? a->priority : INT64_MIN;
    return a && a->has_priority;
}

static int sign(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static bool other_order(const lowering *l, const lowered_task *a, const lowered_task *b)
{
    int64_t of_a, of_b;
    bool a_said = model_priority(l, a, &of_a), b_said = model_priority(l, b, &of_b);
    if ((!a_said && !b_said) || (is_given(l, &l->made[a->index]) && is_given(l, &l->made[b->index])))
        return false;
    return sign(of_a, of_b) != sign(stream_priority(l, &l->made[a->index]), stream_priority(l, &l->made[b->index]));
}

static gcast_status tell_priorities(lowering *l)
{
    for (size_t i = 0; i < l->m->task_count; i++)
        for (size_t k = 0; gpu_task(l, i) && k < i; k++) {
            const lowered_task *b = gpu_task(l, k);
            if (!b || !other_order(l, gpu_task(l, i), b))
                continue;
            return finding_of_task(l, l->m->allocations[b->allocation < 0 ? l->tasks[i].allocation : b->allocation].at,
                                   i, SYS_CONDITION | SYS_APPROXIMATED,
                                   "The priorities that the model has for tasks on the GPU, such as %s and %s, are not "
                                   "used: those of their streams count (--kernels).",
                                   l->m->tasks[k].name, l->m->tasks[i].name);
        }
    return GCAST_OK;
}

/* Fixed priorities are those of streams; slices of time are told of by themselves, or asked for. */
static bool is_other(const lowering *l, const am_scheduler *s)
{
    bool fixed = s->algorithm == AM_SCHEDULING_FIXED_PRIORITY || s->algorithm == AM_SCHEDULING_OSEK;
    return *s->algorithm_name && !fixed && !l->given->has_sharing && !l->told_slices;
}

static gcast_status tell_algorithms(lowering *l)
{
    size_t count = 0;
    for (size_t i = 0; i < l->m->task_count; i++)
        count += gpu_task(l, i) != NULL;
    for (size_t i = 0; count > 1 && i < l->m->task_count; i++) {
        const lowered_task *t = gpu_task(l, i);
        const am_scheduler *s = t ? task_scheduler(l, t) : NULL;
        if (s && is_other(l, s))
            return finding_of_task(l, s->at, i, SYS_CONDITION | SYS_APPROXIMATED,
                                   "Scheduler %s of task %s on the GPU is %s, which is not used: each task on the GPU "
                                   "has a stream of its own.",
                                   s->name, l->m->tasks[i].name, s->algorithm_name);
    }
    return GCAST_OK;
}

gcast_status gpu_order_check(lowering *l)
{
    gcast_status status = tell_priorities(l);
    return status == GCAST_OK ? tell_algorithms(l) : status;
}
