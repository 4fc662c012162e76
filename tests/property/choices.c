/* What is open of a system, the memory of choices, and their execution. */
#include "property/choices.h"

#include <stdlib.h>
#include <string.h>

#include "model/workload/jobs.h"

#define MAX_LISTED 64       /* blocks of an op that have durations of their own */
#define MAX_OPERATIONS 2000 /* where three hyperperiods have more, one must do */

static size_t value_count(const choices *c)
{
    const gcast_workload *w = c->s->workload;
    return w->once_count + w->task_count + 2 * c->job_count + c->operation_count + 3 * w->op_count + c->block_count;
}

choice choice_make(const choices *c)
{
    const gcast_workload *w = c->s->workload;
    choice x = {.order = calloc(value_count(c) + 1, sizeof *x.order)};
    assert_non_null(x.order);
    x.tasks = x.order + w->once_count;
    x.late_ns = x.tasks + w->task_count;
    x.distance_ns = x.late_ns + c->job_count;
    x.latency_ns = x.distance_ns + c->job_count;
    x.low_ns = x.latency_ns + c->operation_count;
    x.high_ns = x.low_ns + w->op_count;
    x.is_listed = x.high_ns + w->op_count;
    x.block_ns = x.is_listed + w->op_count;
    return x;
}

void choice_free(choice *x)
{
    free(x->order);
    *x = (choice){0};
}

void choice_copy(const choices *c, choice *to, const choice *from)
{
    to->durations = from->durations;
    to->seed = from->seed;
    to->noise_ns = from->noise_ns;
    to->noise_seed = from->noise_seed;
    memcpy(to->order, from->order, value_count(c) * sizeof *to->order);
}

/* Numbers the jobs, operations and blocks. */
static void number_all(choices *c, const gcast_run_op *ops, size_t count)
{
    const gcast_workload *w = c->s->workload;
    size_t jobs[CHOICES_MAX_OPS] = {0};
    for (size_t i = 0; i < count; i++)
        if (w->ops[ops[i].op].task != GCAST_ONCE && ops[i].job >= jobs[w->ops[ops[i].op].task])
            jobs[w->ops[ops[i].op].task] = ops[i].job + 1;
    for (size_t i = 0; i < w->task_count; i++) {
        c->first_job[i] = c->job_count;
        c->job_count += jobs[i];
    }
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        c->first_operation[i] = c->operation_count;
        c->operation_count += op->task == GCAST_ONCE ? 1 : jobs[op->task];
        bool may_list = op->kind == GCAST_KIND_KERNEL && op->blocks <= MAX_LISTED &&
                        (op->block_ns ? c->noise_ns > 0 : op->min_ns < op->max_ns + c->noise_ns);
        c->first_block[i] = may_list ? c->block_count : SIZE_MAX;
        c->block_count += may_list ? op->blocks : 0;
    }
}

static bool all_fixed(const choices *c)
{
    const random_system *s = c->s;
    const gcast_workload *w = s->workload;
    if (s->any_order || s->g.gpu->noise_ns || s->launch_max_ns || s->copy_max_ns)
        return false;
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].min_ns < w->ops[i].max_ns && !w->ops[i].block_ns)
            return false;
    for (size_t i = 0; i < w->task_count; i++)
        if (w->tasks[i].jitter_ns || w->tasks[i].sporadic)
            return false;
    return true;
}

static void expand(choices *c)
{
    gcast_error err;
    gcast_run_op *ops;
    size_t count;
    int64_t horizon_ns = c->horizon_ns;
    assert_ok(jobs_horizon(c->s->workload, &horizon_ns, &err), &err);
    assert_ok(jobs_expand(c->s->workload, horizon_ns, &ops, &count, &err), &err);
    if (c->horizon_ns && count > MAX_OPERATIONS) {
        free(ops);
        c->horizon_ns = 0;
        expand(c);
        return;
    }
    number_all(c, ops, count);
    free(ops);
}

bool choices_open(choices *c, const random_system *s, support_random *r)
{
    const gcast_workload *w = s->workload;
    int64_t hyperperiod_ns;
    *c = (choices){.s = s, .noise_ns = percent(r, 70) ? s->g.gpu->noise_ns : 0};
    if (w->child_count || w->op_count > CHOICES_MAX_OPS || w->task_count > CHOICES_MAX_OPS)
        return false;
    if (percent(r, 30) && gcast_workload_hyperperiod(w, &hyperperiod_ns))
        c->horizon_ns = 3 * hyperperiod_ns + 200;
    expand(c);
    c->is_fixed = all_fixed(c);
    c->last = choice_make(c);
    c->releases = malloc((c->operation_count + 1) * sizeof *c->releases);
    c->latencies = malloc((c->operation_count + 1) * sizeof *c->latencies);
    assert_true(c->releases && c->latencies);
    return true;
}

static void drop_order(choices *c)
{
    quick_run_free(&c->quick);
    gcast_workload_free(c->ordered);
    c->ordered = NULL;
}

void choices_close(choices *c)
{
    drop_order(c);
    choice_free(&c->last);
    free(c->releases);
    free(c->latencies);
}

static bool order_workload(choices *c, const choice *x)
{
    const gcast_workload *w = c->s->workload;
    size_t order[CHOICES_MAX_OPS];
    gcast_error err;
    for (size_t i = 0; i < w->once_count; i++)
        order[i] = (size_t)x->order[i];
    for (size_t i = 0; i < w->task_count; i++)
        c->original_task[i] = (size_t)x->tasks[i];
    drop_order(c);
    c->ordered = random_system_ordered(c->s, order, c->original_task, c->original);
    return gcast_workload_check(c->ordered, &err) == GCAST_OK;
}

/* Makes the workload in the order chosen, where the last execution had another. */
static void set_order(choices *c, choice *x)
{
    const gcast_workload *w = c->s->workload;
    size_t bytes = (w->once_count + w->task_count) * sizeof *x->order;
    if (c->ordered && memcmp(c->last.order, x->order, bytes) == 0)
        return;
    if (!order_workload(c, x)) { /* an op is called before one that it is after */
        for (size_t i = 0; i < w->once_count; i++)
            x->order[i] = (int64_t)i;
        assert_true(order_workload(c, x));
    }
    memcpy(c->last.order, x->order, bytes);
    c->quick = quick_run_make(c->ordered, c->s->g.gpu, c->horizon_ns);
    assert_int_equal(c->quick.op_count, c->operation_count);
}

static void set_durations(choices *c, const choice *x)
{
    for (size_t i = 0; i < c->ordered->op_count; i++) {
        size_t original = c->original[i];
        gcast_op *op = (gcast_op *)&c->ordered->ops[i];
        op->min_ns = x->low_ns[original];
        op->max_ns = x->high_ns[original];
        op->block_ns =
            x->is_listed[original] ? x->block_ns + c->first_block[original] : c->s->workload->ops[original].block_ns;
    }
}

static void set_times(choices *c, const choice *x)
{
    int64_t lag_ns[CHOICES_MAX_OPS] = {0};
    size_t job_end[CHOICES_MAX_OPS] = {0}; /* by task: jobs whose distances are in lag_ns */
    for (size_t i = 0; i < c->quick.op_count; i++) {
        const gcast_run_op *o = &c->quick.untouched[i];
        const gcast_op *op = &c->ordered->ops[o->op];
        bool is_kernel = op->kind == GCAST_KIND_KERNEL;
        c->releases[i] = o->release_ns;
        c->latencies[i] = (is_kernel ? c->s->g.gpu->launch_latency_ns : c->s->g.gpu->copy_latency_ns) +
                          x->latency_ns[c->first_operation[c->original[o->op]] + o->job];
        if (op->task == GCAST_ONCE)
            continue;
        size_t task = c->original_task[op->task], first = c->first_job[task];
        for (; job_end[task] <= o->job; job_end[task]++)
            lag_ns[task] += x->distance_ns[first + job_end[task]];
        c->releases[i] += x->late_ns[first + o->job] + lag_ns[task];
    }
}

void choices_execute(choices *c, choice *x)
{
    set_order(c, x);
    set_durations(c, x);
    set_times(c, x);
    c->options = gcast_simulate_options_default();
    c->options.durations = x->durations;
    c->options.seed = x->seed;
    c->options.noise_ns = x->noise_ns;
    c->options.noise_seed = x->noise_seed;
    c->options.horizon_ns = c->horizon_ns;
    c->options.releases = c->releases;
    c->options.release_count = c->operation_count;
    if (c->s->launch_max_ns || c->s->copy_max_ns) {
        c->options.latencies = c->latencies;
        c->options.latency_count = c->operation_count;
    }
    quick_run_simulate(&c->quick, &c->options);
}
