/* Contexts with their operations, the copy engine and the slices. */
#include "simulate/system/gpu_slices.h"

#include <stdlib.h>

#include "base/integers.h"
#include "simulate/system/core_steps.h"
#include "simulate/system/drawn_times.h"

#define NO_CONTEXT UINT32_MAX

static const sys_step *step_of(const system_sim *x, const gpu_context *c)
{
    return &x->s->tasks[c->task].steps[c->step];
}

static void record(system_sim *x, const gpu_context *c, int64_t start, int64_t end)
{
    sys_slice slice = {.core = SYS_GPU,
                       .job = (uint32_t)(system_job(x, c->task) - x->jobs),
                       .step = c->step,
                       .start_ns = start,
                       .end_ns = end};
    if ((x->options->record || x->options->record_slices) && !vec_push(&x->slices, slice))
        system_fail_memory(x);
}

/* How long the operation takes by itself: at least 1 ns, as in the engine. */
static int64_t operation_ns(const system_sim *x, const gpu_context *c)
{
    const sys_step *step = step_of(x, c);
    sys_range copy = {step->op.min_ns, step->op.max_ns};
    return max_i64(1, drawn_step_ns(x->options, c->task, x->tasks[c->task].ended, c->step,
                                    step->op.kind == GCAST_KIND_KERNEL ? step->alone : copy));
}

/* The next operation of the context has arrived, and the previous ones have ended. */
static void operation_ready(system_sim *x, uint32_t i)
{
    gpu_slices *g = x->turns;
    gpu_context *c = &g->contexts[i];
    if (step_of(x, c)->op.kind == GCAST_KIND_KERNEL) {
        c->phase = CONTEXT_KERNEL;
        c->left_ns = operation_ns(x, c);
        return;
    }
    c->phase = CONTEXT_QUEUED;
    c->next = NO_CONTEXT;
    *(g->copy_first == NO_CONTEXT ? &g->copy_first : &g->contexts[g->copy_last].next) = i;
    g->copy_last = i;
}

/* The context goes on to its next operation. All operations of a job are called, and their latencies begin, when the
 * job is released. */
static void begin_operation(system_sim *x, uint32_t i)
{
    gpu_slices *g = x->turns;
    gpu_context *c = &g->contexts[i];
    bool kernel = step_of(x, c)->op.kind == GCAST_KIND_KERNEL;
    int64_t latency = kernel ? x->s->gpu->launch_latency_ns : x->s->gpu->copy_latency_ns;
    c->time_ns = system_job(x, c->task)->release_ns + latency;
    if (c->time_ns <= x->now) {
        operation_ready(x, i);
        return;
    }
    c->phase = CONTEXT_ARRIVES;
    g->arriving_count++;
    system_push(x, c->time_ns, SYSTEM_EVENT_GPU, 0);
}

/* The context goes on with its next job, if there is one. */
static void begin_job(system_sim *x, uint32_t i)
{
    gpu_context *c = &x->turns->contexts[i];
    const task_state *t = &x->tasks[c->task];
    c->phase = CONTEXT_IDLE;
    c->step = 0;
    c->first_ns = -1;
    if (t->released > t->ended)
        begin_operation(x, i);
}

static void end_operation(system_sim *x, uint32_t i)
{
    gpu_context *c = &x->turns->contexts[i];
    if (++c->step < x->s->tasks[c->task].step_count) {
        begin_operation(x, i);
        return;
    }
    cores_gpu_job_ends(x, c->task, c->first_ns);
    begin_job(x, i);
}

void gpu_slices_release(system_sim *x, int task)
{
    uint32_t i = x->tasks[task].gpu_task;
    if (x->turns->contexts[i].phase == CONTEXT_IDLE)
        begin_job(x, i);
}

static void end_copy(system_sim *x)
{
    gpu_slices *g = x->turns;
    uint32_t i = g->copy_first;
    gpu_context *c = &g->contexts[i];
    record(x, c, c->started_ns, x->now);
    g->copy_first = c->next;
    end_operation(x, i);
}

static void end_slice(system_sim *x)
{
    gpu_slices *g = x->turns;
    gpu_context *c = &g->contexts[g->served];
    record(x, c, g->slice_start_ns, x->now);
    g->is_served = false;
    c->left_ns -= x->now - g->slice_start_ns;
    if (!c->left_ns)
        end_operation(x, g->served);
}

void gpu_slices_end(system_sim *x)
{
    gpu_slices *g = x->turns;
    const gpu_context *copy = g->copy_first == NO_CONTEXT ? NULL : &g->contexts[g->copy_first];
    if (copy && copy->phase == CONTEXT_COPIES && copy->time_ns <= x->now)
        end_copy(x);
    if (g->is_served && g->slice_end_ns <= x->now)
        end_slice(x);
    for (uint32_t i = 0; i < g->context_count && g->arriving_count; i++)
        if (g->contexts[i].phase == CONTEXT_ARRIVES && g->contexts[i].time_ns <= x->now) {
            g->arriving_count--;
            operation_ready(x, i);
        }
}

static void start_copy(system_sim *x)
{
    gpu_slices *g = x->turns;
    gpu_context *c = g->copy_first == NO_CONTEXT ? NULL : &g->contexts[g->copy_first];
    if (!c || c->phase == CONTEXT_COPIES)
        return;
    c->phase = CONTEXT_COPIES;
    c->started_ns = x->now;
    c->time_ns = system_after(x, operation_ns(x, c));
    if (c->first_ns < 0)
        c->first_ns = x->now;
    system_push(x, c->time_ns, SYSTEM_EVENT_GPU, 0);
}

/* The context whose turn it is: the next one with a kernel in cyclic order, from the one served last. */
static uint32_t next_context(const gpu_slices *g)
{
    uint32_t before = g->served == NO_CONTEXT ? g->context_count - 1 : g->served;
    for (uint32_t k = 1; k <= g->context_count; k++) {
        uint32_t i = (uint32_t)(((uint64_t)before + k) % g->context_count);
        if (g->contexts[i].phase == CONTEXT_KERNEL)
            return i;
    }
    return NO_CONTEXT;
}

static void start_slice(system_sim *x)
{
    gpu_slices *g = x->turns;
    uint32_t i = next_context(g);
    if (i == NO_CONTEXT)
        return;
    gpu_context *c = &g->contexts[i];
    int64_t own = x->s->tasks[c->task].slice_ns, slice = own > 0 ? own : x->s->slice_ns;
    bool switches = g->served != NO_CONTEXT && g->served != i;
    g->served = i;
    g->is_served = true;
    g->slice_start_ns = system_after(x, switches ? x->s->switch_ns : 0);
    g->slice_end_ns = g->slice_start_ns + (slice > 0 ? min_i64(slice, c->left_ns) : c->left_ns);
    if (c->first_ns < 0)
        c->first_ns = g->slice_start_ns;
    system_push(x, g->slice_end_ns, SYSTEM_EVENT_GPU, 0);
}

void gpu_slices_start(system_sim *x)
{
    start_copy(x);
    if (!x->turns->is_served)
        start_slice(x);
}

bool gpu_slices_init(system_sim *x, gpu_slices *g)
{
    g->contexts = calloc(x->s->task_count + 1, sizeof *g->contexts);
    g->copy_first = g->copy_last = g->served = NO_CONTEXT;
    for (size_t i = 0; i < x->s->task_count && g->contexts; i++)
        if (x->places[i].core == SYS_GPU) {
            x->tasks[i].gpu_task = g->context_count;
            g->contexts[g->context_count++] = (gpu_context){.task = (int)i, .next = NO_CONTEXT, .first_ns = -1};
        }
    x->turns = g;
    return g->contexts != NULL;
}

void gpu_slices_free(gpu_slices *g)
{
    free(g->contexts);
}
