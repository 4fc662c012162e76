#include "analyze/system/gpu/gpu_part.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/call_latency.h"
#include "analyze/system/cores/core_response.h"
#include "analyze/system/gpu/gpu_cache.h"

#define FREE_ROUNDS 16

/* Bounds of a workload may shrink a little where its releases vary more. For some rounds that is let be; then the
 * larger one is kept, so that times only grow, and the iteration ends. */
void gpu_set_end(system_work *x, int task, size_t step, int64_t own_end)
{
    const task_state *t = &x->tasks[task];
    step_state *s = &x->steps[t->first_step + step];
    bool only_grows = x->s->sharing == SYS_SLICES || x->gpu_rounds > FREE_ROUNDS;
    s->own_end = only_grows ? max_i64(s->own_end, own_end) : own_end;
    s->end_max = sum_of(t->release_max, s->own_end);
}

void gpu_set_task(system_work *x, int task)
{
    task_state *t = &x->tasks[task];
    const step_state *last = &x->steps[t->first_step + x->s->tasks[task].step_count - 1];
    if (t->worst == last->end_max && t->own_worst == last->own_end)
        return;
    t->worst = last->end_max;
    t->own_worst = last->own_end;
    task_changed(x, task);
}

/* No end of a task on the GPU is known. */
static void lose(system_work *x, int task, why_not why)
{
    task_state *t = &x->tasks[task];
    if (t->worst != SYS_UNBOUNDED) {
        t->why = t->release_max == SYS_UNBOUNDED ? WHY_RELEASE : why;
        t->other = t->release_max == SYS_UNBOUNDED ? x->s->tasks[task].trigger : SYS_NONE;
    }
    for (size_t k = 0; k < x->s->tasks[task].step_count; k++)
        gpu_set_end(x, task, k, SYS_UNBOUNDED);
    gpu_set_task(x, task);
}

/* A task whose releases are not known may be called so often that nothing is known of any other. */
static bool lose_unreleased(system_work *x)
{
    int unreleased = SYS_NONE;
    for (size_t i = 0; i < x->s->task_count && unreleased == SYS_NONE; i++)
        if (!x->tasks[i].on_core && x->tasks[i].release_max == SYS_UNBOUNDED)
            unreleased = (int)i;
    if (unreleased == SYS_NONE)
        return false;
    for (size_t i = 0; i < x->s->task_count; i++)
        if (!x->tasks[i].on_core)
            lose(x, (int)i, WHY_GPU);
    if (!*x->gpu_why_not)
        snprintf(x->gpu_why_not, sizeof x->gpu_why_not, "no bound is known for when %.200s is released",
                 x->s->tasks[unreleased].name);
    x->gpu_bounded = false;
    return true;
}

static void set_ends(system_work *x, const gpu_ends *ends)
{
    size_t op = 0;
    x->gpu_bounded = true;
    x->gpu_conditional = ends->conditional;
    for (size_t i = 0; i < x->s->task_count; i++) {
        task_state *t = &x->tasks[i];
        if (t->on_core)
            continue;
        for (size_t k = 0; k < x->s->tasks[i].step_count; k++) {
            int64_t worst = ends->worst[op++];
            if (worst == GCAST_NO_BOUND && t->why == WHY_BOUNDED)
                t->why = WHY_GPU;
            x->gpu_bounded &= worst != GCAST_NO_BOUND;
            gpu_set_end(x, (int)i, k, worst);
        }
        gpu_set_task(x, (int)i);
    }
    if (!x->gpu_bounded && !*x->gpu_why_not)
        snprintf(x->gpu_why_not, sizeof x->gpu_why_not, "%s",
                 *ends->why_not ? ends->why_not : "some operations may wait for ever");
}

void gpu_respond(system_work *x)
{
    const gpu_ends *ends;
    x->gpu_rounds++;
    if (x->s->sharing == SYS_SLICES) {
        gpu_respond_by_slices(x);
    } else if (!lose_unreleased(x)) {
        x->status = gpu_cache_find(x->cache, x, &ends);
        if (x->status == GCAST_OK)
            set_ends(x, ends);
    }
}
