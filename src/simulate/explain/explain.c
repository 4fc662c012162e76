/* Why an operation ended when it did. The response time, from release to end, is divided into waits, each for one
 * thing. That works on any run with its blocks, from the times of its operations alone. */
#include "simulate/explain/explain.h"

#include <stdlib.h>

#include "base/api.h"
#include "gridcast/names.h"
#include "model/workload/workload.h"
#include "simulate/explain/child_waits.h"
#include "simulate/explain/explanation.h"
#include "simulate/explain/kernel_waits.h"
#include "simulate/explain/programmatic_waits.h"
#include "simulate/explain/queue_waits.h"
#include "simulate/run_ops.h"

/* The waits must cover the response time without a gap; a gap is a defect of the explanation. */
static gcast_status check_sum(const explain *e, gcast_error *err)
{
    int64_t t = e->out.release_ns;
    for (size_t i = 0; i < e->waits.count; i++) {
        if (e->waits.at[i].from_ns != t)
            break;
        t = e->waits.at[i].to_ns;
    }
    return t == e->out.end_ns
               ? GCAST_OK
               : gcast_error_set(err, GCAST_INTERNAL, NULL, "the waits of %s do not add up to its response time",
                                 run_spec(e->run, e->subject)->label);
}

/* When the goal of an explanation is reached. */
static int64_t time_of(const gcast_run_op *r, explain_goal goal)
{
    return goal == EXPLAIN_FIRST_START ? r->start_ns : goal == EXPLAIN_LAST_START ? r->dispatched_ns : r->end_ns;
}

static bool explain_op(explain *e, explain_goal goal)
{
    const gcast_run *run = e->run;
    const gcast_run_op *r = &run->ops[e->subject];
    gcast_kind kind = run_spec(e->run, e->subject)->kind;
    explain_add(e, GCAST_WHY_HOST, r->release_ns, r->call_ns, 0, NULL, 0);
    if (!gcast_kind_on_gpu(kind)) {
        explain_add(e, GCAST_WHY_HOST_WAIT, r->call_ns, time_of(r, goal), 0, NULL, 0);
        return true;
    }
    bool by_host = e->subject < run->op_count;
    if (!(by_host ? explain_queue(e, run, e->subject) : explain_child_path(e, run, e->subject)))
        return false;
    if (kind == GCAST_KIND_KERNEL) {
        bool ok = explain_blocks(e, run, e->subject, goal, &e->out.critical_block) &&
                  (goal != EXPLAIN_END || explain_children(e, run, e->subject));
        if (ok && goal == EXPLAIN_END && by_host)
            explain_in_order(e, run, e->subject);
        return ok;
    }
    explain_copy(e, run, e->subject);
    explain_add(e, GCAST_WHY_COPY_RUN, r->start_ns, time_of(r, goal), 0, NULL, 0);
    return true;
}

static explain *explain_new(const gcast_run *run, const run_index *index, size_t i)
{
    explain *e = calloc(1, sizeof *e);
    if (e)
        *e = (explain){
            .run = run, .index = index, .subject = i, .out = {.run_op = i, .critical_block = -1, .memory = e}};
    return e;
}

static gcast_status finish(explain *e, bool ok, gcast_explanation **out, gcast_error *err)
{
    gcast_status status = ok && !e->failed ? check_sum(e, err) : gcast_error_set_memory(err);
    e->out.waits = e->waits.at;
    e->out.wait_count = e->waits.count;
    if (status != GCAST_OK)
        gcast_explanation_free(&e->out);
    else
        *out = &e->out;
    return status;
}

gcast_status explain_check_run(const gcast_run *run, gcast_error *err)
{
    if (!run->blocks_recorded)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the run has no recorded blocks, which an explanation needs");
    if (run->hang)
        return gcast_error_set(err, GCAST_INPUT, NULL, "the run hangs at %lld ns: nothing happens after that",
                               (long long)run->hang->time_ns);
    return GCAST_OK;
}

static gcast_status explain_one(const gcast_run *run, const run_index *index, size_t i, explain_goal goal, bool brief,
                                gcast_explanation **out, gcast_error *err)
{
    gcast_status status = explain_check_run(run, err);
    if (status != GCAST_OK)
        return status;
    if (i >= run_total(run) || run->ops[i].skipped)
        return gcast_error_set(err, GCAST_INPUT, NULL, "the operation was never called");
    explain *e = explain_new(run, index, i);
    if (!e)
        return gcast_error_set_memory(err);
    e->brief = brief;
    e->out.release_ns = run->ops[i].release_ns;
    e->out.end_ns = time_of(&run->ops[i], goal);
    return finish(e, explain_op(e, goal), out, err);
}

gcast_status explain_to(const gcast_run *run, const run_index *index, size_t i, explain_goal goal,
                        gcast_explanation **out, gcast_error *err)
{
    return explain_one(run, index, i, goal, false, out, err);
}

gcast_status explain_briefly(const gcast_run *run, const run_index *index, size_t i, explain_goal goal,
                             gcast_explanation **out, gcast_error *err)
{
    return explain_one(run, index, i, goal, true, out, err);
}

gcast_status gcast_run_explain(const gcast_run *run, size_t i, gcast_explanation **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    run_index index = {0};
    if (!run || !out)
        return argument_missing(err);
    gcast_status status = explain_check_run(run, err);
    if (status == GCAST_OK && !run_index_init(&index, run))
        status = gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = explain_to(run, &index, i, EXPLAIN_END, out, err);
    run_index_free(&index);
    return status;
}

/* Adds the waits of an operation of a job, from this time on. */
static gcast_status add_part(explain *e, size_t i, int64_t start, gcast_error *err)
{
    gcast_explanation *part = NULL;
    gcast_status status = explain_to(e->run, e->index, i, EXPLAIN_END, &part, err);
    if (!part)
        return status;
    e->subject = e->out.run_op = i;
    e->out.critical_block = part->critical_block;
    explain_add(e, GCAST_WHY_CALL, start, part->release_ns, 0, NULL, 0);
    for (size_t k = 0; k < part->wait_count; k++) {
        gcast_wait wait = part->waits[k];
        wait.from_ns = wait.from_ns < start ? start : wait.from_ns;
        e->subject = wait.run_op; /* the operation, or the rest of one of its blocks */
        explain_add_wait(e, wait);
    }
    e->subject = i;
    gcast_explanation_free(part);
    return GCAST_OK;
}

/* The next operation of a job to be complete after t; SIZE_MAX: none. */
static size_t next_of_job(const explain *e, size_t task, uint32_t job, int64_t t)
{
    const gcast_run_op *ops = e->run->ops;
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < e->run->op_count; i++)
        if (run_spec(e->run, i)->task == (int)task && ops[i].job == job && !ops[i].skipped && ops[i].end_ns > t &&
            (next == SIZE_MAX || ops[i].end_ns < ops[next].end_ns))
            next = i;
    return next;
}

gcast_status gcast_run_explain_job(const gcast_run *run, size_t task, uint32_t job, gcast_explanation **out,
                                   gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!run || !out)
        return argument_missing(err);
    if (task >= run->workload->task_count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no task %zu", task);
    const gcast_task *t = &run->workload->tasks[task];
    run_index index = {0};
    gcast_status status = explain_check_run(run, err);
    explain *e = status == GCAST_OK ? explain_new(run, &index, 0) : NULL;
    if (status == GCAST_OK && (!e || !run_index_init(&index, run)))
        status = gcast_error_set_memory(err);
    if (!e) {
        run_index_free(&index);
        return status;
    }
    e->out.release_ns = e->out.end_ns = t->offset_ns + (int64_t)job * t->period_ns;
    for (size_t i; status == GCAST_OK && (i = next_of_job(e, task, job, e->out.end_ns)) != SIZE_MAX;) {
        status = add_part(e, i, e->out.end_ns, err);
        e->out.end_ns = run->ops[i].end_ns;
    }
    if (status == GCAST_OK && e->out.end_ns == e->out.release_ns)
        status = gcast_error_set(err, GCAST_INPUT, NULL, "the operation was never called");
    run_index_free(&index);
    if (status == GCAST_OK)
        return finish(e, true, out, err);
    gcast_explanation_free(&e->out);
    return status;
}

void gcast_explanation_free(gcast_explanation *x)
{
    if (!x)
        return;
    explain *e = x->memory;
    vec_free(&e->waits);
    arena_free(&e->memory);
    free(e);
}

/* R2 is about threads, and the warps and blocks that they are in; R3 about all other resources. */
const char *gcast_wait_rule(gcast_reason r, unsigned resources)
{
    const unsigned r2 = 1u << GCAST_RES_THREADS | 1u << GCAST_RES_WARPS | 1u << GCAST_RES_BLOCKS;
    if (r != GCAST_WHY_RESOURCES || !resources)
        return gcast_name(GCAST_NAMES_REASON, r);
    return !(resources & r2) ? "R3" : resources & ~r2 ? "R2 R3" : "R2";
}
