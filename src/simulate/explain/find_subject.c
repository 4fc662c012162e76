/* Finds the operation, job or child that a name stands for: of several the first or the worst, of children the last. */
#include <stdio.h>
#include <string.h>

#include "base/api.h"
#include "gridcast/explain.h"
#include "model/workload/workload.h"
#include "simulate/run_ops.h"

/* An operation, or a job, that a name may stand for. */
typedef struct choice {
    int task;      /* of the job; -1: it is an operation */
    size_t run_op; /* the operation, or the last one of the job */
    bool deadline; /* it has a deadline */
    int64_t ns;    /* how long after its deadline it ended; without one its response time */
} choice;

/* A deadline counts from the release of the job, for each of its operations too. */
static choice choice_of(const gcast_run *run, size_t i, bool is_job)
{
    const gcast_op *op = run_spec(run, i);
    choice c = {.task = is_job ? op->task : -1, .run_op = i, .ns = gcast_response_ns(&run->ops[i])};
    if (op->task == GCAST_ONCE)
        return c;
    const gcast_task *t = &run->workload->tasks[op->task];
    int64_t since = run->ops[i].end_ns - (t->offset_ns + (int64_t)run->ops[i].job * t->period_ns);
    c.deadline = t->deadline_ns > 0;
    if (c.deadline || is_job)
        c.ns = since - t->deadline_ns;
    return c;
}

/* One with a deadline is worse than one without. */
static bool is_worse(const choice *a, const choice *b)
{
    return a->deadline != b->deadline ? a->deadline : a->ns > b->ns;
}

static void consider(gcast_subject *s, choice *best, const choice *c)
{
    if (!s->matches++ || is_worse(c, best))
        *best = *c;
}

/* Is the name `own`, or for a task also own#JOB, `name`? */
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

/* Is it the operation of its job that ends last, of those that were called? The operations of a job have consecutive
 * indices. */
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

/* What is searched. */
typedef enum { OPS, JOBS, ALL } target;

static bool is_meant(const gcast_run *run, size_t i, target kind, const char *name, bool worst)
{
    const gcast_op *op = run_spec(run, i);
    if (kind == OPS)
        return is_named(op->label, run->ops[i].job, op->task != GCAST_ONCE, name) || (worst && is_iteration(op, name));
    if (op->task == GCAST_ONCE)
        return kind == ALL && gcast_kind_on_gpu(op->kind);
    return ends_job(run, i) &&
           (kind == ALL || is_named(run->workload->tasks[op->task].name, run->ops[i].job, true, name));
}

/* Finds the first operation or job with this name that was called, or the worst. Returns how many have the name, called
 * or not. */
static size_t pick(const gcast_run *run, target kind, const char *name, bool worst, gcast_subject *s)
{
    size_t found = 0;
    choice best = {0};
    s->matches = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        if (!is_meant(run, i, kind, name, worst))
            continue;
        found++;
        if (run->ops[i].skipped)
            continue;
        choice c = choice_of(run, i, kind != OPS && run_spec(run, i)->task != GCAST_ONCE);
        if (worst)
            consider(s, &best, &c);
        else if (!s->matches++)
            best = c;
    }
    if (!s->matches)
        return found;
    s->task = best.task;
    s->run_op = best.run_op;
    s->by_lateness = worst && best.deadline;
    s->late_ns = s->by_lateness ? best.ns : 0;
    return found;
}

/* Finds the child with this name that was complete last, or the one with the longest response time. Returns how many
 * have the name. */
static size_t pick_child(const gcast_run *run, const char *name, bool worst, gcast_subject *s)
{
    *s = (gcast_subject){.task = -1};
    for (size_t i = run->op_count; i < run_total(run); i++) {
        const gcast_run_op *r = &run->ops[i], *best = &run->ops[s->run_op];
        if (run_is_rest(run, i) || !is_named(run_spec(run, i)->label, r->job, true, name))
            continue;
        if (!s->matches++ || (worst ? gcast_response_ns(r) > gcast_response_ns(best) : r->end_ns > best->end_ns))
            s->run_op = i;
    }
    return s->matches;
}

gcast_status gcast_run_find_subject(const gcast_run *run, const char *name, bool worst, gcast_subject *out,
                                    gcast_error *err)
{
    if (!run || !out)
        return argument_missing(err);
    gcast_subject s = {0};
    size_t found = name ? pick(run, OPS, name, worst, &s) : pick(run, ALL, NULL, true, &s);
    if (name && !found)
        found = pick(run, JOBS, name, worst, &s);
    if (name && !found)
        found = pick_child(run, name, worst, &s);
    if (!found && !name)
        return gcast_error_set(err, GCAST_INPUT, NULL, "the workload runs nothing on the GPU");
    if (!found)
        return gcast_error_set(err, GCAST_USAGE, NULL, "no operation or task is called %s", name);
    if (!s.matches)
        return gcast_error_set(err, GCAST_INPUT, NULL, "the operation was never called");
    *out = s;
    return GCAST_OK;
}
