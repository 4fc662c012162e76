/* The ready queue, and the tables of an execution. */
#include "simulate/system/system_state.h"

#include <stdlib.h>

#include "base/api.h"
#include "base/integers.h"
#include "simulate/system/drawn_times.h"

static bool is_before(const ready_item *a, const ready_item *b)
{
    if (a->isr != b->isr || a->priority != b->priority)
        return ready_is_higher(a, b);
    return a->release_ns != b->release_ns ? a->release_ns < b->release_ns : a->task < b->task;
}

bool ready_add(ready_queue *q, ready_item item)
{
    if (!vec_push(&q->items, item))
        return false;
    ready_item *at = q->items.at;
    size_t i = q->items.count - 1;
    for (; i && is_before(&item, &at[(i - 1) / 2]); i = (i - 1) / 2)
        at[i] = at[(i - 1) / 2];
    at[i] = item;
    return true;
}

const ready_item *ready_first(const ready_queue *q)
{
    return q->items.count ? &q->items.at[0] : NULL;
}

ready_item ready_take(ready_queue *q)
{
    ready_item *at = q->items.at, first = at[0], last = at[--q->items.count];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < q->items.count) {
        if (child + 1 < q->items.count && is_before(&at[child + 1], &at[child]))
            child++;
        if (!is_before(&at[child], &last))
            break;
        at[i] = at[child];
        i = child;
    }
    at[i] = last;
    return first;
}

static bool is_root(const sys_task *t)
{
    return t->arrival != SYS_TRIGGERED;
}

/* Sets the horizon: as given, or one hyperperiod after the largest offset. */
static gcast_status find_horizon(system_sim *x)
{
    int64_t hyperperiod = 1, offset = 0;
    x->horizon_ns = x->options->horizon_ns;
    if (x->horizon_ns > SYSTEM_MAX_NS / 2)
        return gcast_error_set(x->err, GCAST_USAGE, NULL, "the horizon is at most 2^60 ns");
    if (x->horizon_ns > 0)
        return GCAST_OK;
    for (size_t i = 0; i < x->s->task_count; i++) {
        const sys_task *t = &x->s->tasks[i];
        if (!is_root(t))
            continue;
        offset = max_i64(offset, x->tasks[i].offset_ns);
        if (t->once)
            continue;
        if (!checked_mul(hyperperiod, t->period_ns / common_divisor(hyperperiod, t->period_ns), &hyperperiod) ||
            hyperperiod > SYSTEM_MAX_NS / 4)
            return hint_add(x->err, GCAST_HINT_HORIZON,
                            gcast_error_set(x->err, GCAST_INPUT, NULL,
                                            "the least common multiple of the periods is 2^59 ns or more; give a "
                                            "horizon"));
    }
    x->horizon_ns = hyperperiod + offset;
    return GCAST_OK;
}

/* Counts the most jobs that each task has before the horizon, and gives them places in jobs[]. */
static gcast_status count_jobs(system_sim *x)
{
    size_t total = 0;
    for (size_t i = 0; i < x->s->task_count; i++) {
        task_state *t = &x->tasks[i];
        int root = x->s->tasks[i].root;
        int64_t offset = x->tasks[root].offset_ns, period = x->s->tasks[root].period_ns;
        int64_t jobs = x->horizon_ns <= offset ? 0 : (x->horizon_ns - offset - 1) / period + 1;
        if (x->s->tasks[root].once)
            jobs = min_i64(jobs, 1);
        if (jobs > SYSTEM_MAX_JOBS || total + (size_t)jobs > SYSTEM_MAX_JOBS)
            return hint_add(x->err, GCAST_HINT_HORIZON,
                            gcast_error_set(x->err, GCAST_INPUT, NULL,
                                            "more than %d jobs before the horizon; give a shorter horizon",
                                            SYSTEM_MAX_JOBS));
        t->first_job = (uint32_t)total;
        t->job_limit = (uint32_t)jobs;
        total += (size_t)jobs;
    }
    x->job_count = total;
    return GCAST_OK;
}

static void push_first_releases(system_sim *x)
{
    for (size_t i = 0; i < x->s->task_count; i++) {
        const sys_task *t = &x->s->tasks[i];
        int64_t jitter = drawn_jitter_ns(x->options, (int)i, 0, t->jitter_ns);
        if (is_root(t) && x->tasks[i].job_limit)
            system_push(x, x->tasks[i].nominal_ns + jitter, SYSTEM_EVENT_RELEASE, (uint32_t)i);
    }
}

gcast_status system_setup(system_sim *x, arena *memory)
{
    x->tasks = calloc(x->s->task_count + 1, sizeof *x->tasks);
    x->cores = calloc(x->s->core_count + 1, sizeof *x->cores);
    if (!x->tasks || !x->cores)
        return gcast_error_set_memory(x->err);
    for (size_t i = 0; i < x->s->task_count; i++)
        if (is_root(&x->s->tasks[i]))
            x->tasks[i].offset_ns = x->tasks[i].nominal_ns = drawn_offset_ns(x->options, (int)i, &x->s->tasks[i]);
    for (size_t c = 0; c < x->s->core_count; c++) {
        x->cores[c].running = SYS_NONE;
        x->cores[c].end_ns = INT64_MAX;
        x->cores[c].open_ns = -1;
    }
    gcast_status status = find_horizon(x);
    if (status == GCAST_OK)
        status = count_jobs(x);
    if (status != GCAST_OK)
        return status;
    x->jobs = arena_alloc_array(memory, x->job_count + 1, sizeof *x->jobs);
    if (!x->jobs)
        return gcast_error_set_memory(x->err);
    push_first_releases(x);
    return x->status;
}

void system_setup_free(system_sim *x)
{
    for (size_t c = 0; c < x->s->core_count && x->cores; c++)
        vec_free(&x->cores[c].ready.items);
    free(x->tasks);
    free(x->cores);
    vec_free(&x->events.items);
    vec_free(&x->step_ends);
    vec_free(&x->releases);
    vec_free(&x->resumed);
    vec_free(&x->slices);
}
