/* What a name means: an operation, a job of a task, or the worst of several. */
#include <stdio.h>
#include <string.h>

#include "gridcast/explain.h"
#include "model/workload/edit.h"
#include "simulate/run_ops.h"

/* One that a name may mean: an operation, or a job by its last one. */
typedef struct choice {
    int task;
    size_t run_op;
    bool deadline;
    int64_t ns; /* after its deadline, or without one the response time */
} choice;

/* A deadline counts from the release of the job, also for each of its ops. */
static choice choice_of(const gcast_run *run, size_t i, bool whole_job)
{
    const gcast_op *op = run_spec(run, i);
    choice c = {.task = whole_job ? op->task : -1, .run_op = i, .ns = gcast_response_ns(&run->ops[i])};
    if (op->task == GCAST_ONCE)
        return c;
    const gcast_task *t = &run->workload->tasks[op->task];
    int64_t since = run->ops[i].end_ns - (t->offset_ns + (int64_t)run->ops[i].job * t->period_ns);
    c.deadline = t->deadline_ns > 0;
    if (c.deadline || whole_job)
        c.ns = since - t->deadline_ns;
    return c;
}

/* Those with a deadline go before those without. */
static bool is_worse(const choice *a, const choice *b)
{
    return a->deadline != b->deadline ? a->deadline : a->ns > b->ns;
}

static void consider(gcast_subject *s, choice *best, const choice *c)
{
    if (!s->of++ || is_worse(c, best))
        *best = *c;
}

/* Is it `name`, or NAME#JOB of a task's? */
static bool is_named(const char *own, uint32_t job, bool of_task, const char *name)
{
    size_t length = strlen(own);
    char number[16];
    snprintf(number, sizeof number, "#%u", job);
    return strncmp(own, name, length) == 0 && (!name[length] || (of_task && strcmp(name + length, number) == 0));
}

/* Is the op an iteration of the call `name`? */
static bool is_iteration(const gcast_op *op, const char *name)
{
    size_t stem = workload_label_stem(op->label);
    return op->task == GCAST_ONCE && stem == strlen(name) && strncmp(op->label, name, stem) == 0;
}

/* Is it the one of its job that ends last, of those that were called? The ops of a job are side by side. */
static bool ends_job(const gcast_run *run, size_t i)
{
    const gcast_task *t = &run->workload->tasks[run_spec(run, i)->task];
    size_t first = i - (run->ops[i].op - t->first_op);
    for (size_t k = first; k < first + t->op_count; k++) {
        const gcast_run_op *other = &run->ops[k];
        if (!other->skipped && (other->end_ns > run->ops[i].end_ns || (other->end_ns == run->ops[i].end_ns && k > i)))
            return false;
    }
    return true;
}

typedef enum { OPS, JOBS, ALL } what;

static bool is_meant(const gcast_run *run, size_t i, what kind, const char *name, bool worst)
{
    const gcast_op *op = run_spec(run, i);
    if (kind == OPS)
        return is_named(op->label, run->ops[i].job, op->task != GCAST_ONCE, name) || (worst && is_iteration(op, name));
    if (op->task == GCAST_ONCE)
        return kind == ALL && gcast_kind_on_gpu(op->kind);
    return ends_job(run, i) &&
           (kind == ALL || is_named(run->workload->tasks[op->task].name, run->ops[i].job, true, name));
}

/* The first that was called, or the worst, of one kind; how many have the name, called or not. */
static size_t pick(const gcast_run *run, what kind, const char *name, bool worst, gcast_subject *s)
{
    size_t found = 0;
    choice best = {0};
    s->of = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        if (!is_meant(run, i, kind, name, worst))
            continue;
        found++;
        if (run->ops[i].skipped)
            continue;
        choice c = choice_of(run, i, kind != OPS && run_spec(run, i)->task != GCAST_ONCE);
        if (worst)
            consider(s, &best, &c);
        else if (!s->of++)
            best = c;
    }
    if (!s->of)
        return found;
    s->task = best.task;
    s->run_op = best.run_op;
    s->by_lateness = worst && best.deadline;
    s->late_ns = s->by_lateness ? best.ns : 0;
    return found;
}

gcast_status gcast_run_find_subject(const gcast_run *run, const char *name, bool worst, gcast_subject *out,
                                    gcast_error *err)
{
    gcast_subject s = {0};
    size_t found = name ? pick(run, OPS, name, worst, &s) : pick(run, ALL, NULL, true, &s);
    if (name && !found)
        found = pick(run, JOBS, name, worst, &s);
    if (!found && !name)
        return gcast_error_set(err, GCAST_INPUT, NULL, "nothing runs on the GPU");
    if (!found)
        return gcast_error_set(err, GCAST_USAGE, NULL, "no operation or task is called %s", name);
    if (!s.of)
        return gcast_error_set(err, GCAST_INPUT, NULL, "the operation was never called");
    *out = s;
    return GCAST_OK;
}
