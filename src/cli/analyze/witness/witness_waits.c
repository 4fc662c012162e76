#include "cli/analyze/witness/witness_waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "base/text/text.h"
#include "cli/explain/phrases.h"

#define MAX_DEPTH 20
#define MAX_HOLDERS 4

/* A collection of waits. */
typedef struct collector {
    const gcast_run *run;     /* whose operations waited */
    const witness_jobs *jobs; /* of the run */
    witness_waits *found;     /* so far, up to to_ns of the last */
    gcast_error *err;         /* of the first failure */
} collector;

/* The names of what was waited for; NULL without memory. */
static char *name_holders(const gcast_run *run, const gcast_wait *w)
{
    text t;
    text_open(&t, NULL, NULL);
    for (size_t i = 0; i < w->holder_count && i < MAX_HOLDERS; i++) {
        text_str(&t, i ? ", " : "");
        phrase_op(&t, run, w->holders[i].run_op);
    }
    if (w->holder_count > MAX_HOLDERS)
        text_printf(&t, " and %zu more", w->holder_count - MAX_HOLDERS);
    return text_take(&t, NULL);
}

/* Adds a wait from from_ns to to_ns; one that only goes on with the last one makes that longer. */
static gcast_status add(const collector *c, const gcast_wait *w, int64_t from_ns, int64_t to_ns)
{
    char *holders = name_holders(c->run, w);
    gcast_report_wait wait = {.from_ns = from_ns,
                              .to_ns = to_ns,
                              .runs = w->reason == GCAST_WHY_RUN || w->reason == GCAST_WHY_COPY_RUN,
                              .op = c->run->workload->ops[c->run->ops[w->run_op].op].label,
                              .rule = gcast_wait_rule(w->reason, w->resources),
                              .reason = gcast_reason_text(w->reason),
                              .holders = holders};
    gcast_report_wait *last = c->found->waits.count ? &c->found->waits.at[c->found->waits.count - 1] : NULL;
    if (!holders)
        return gcast_error_set_memory(c->err);
    if (last && strcmp(last->op, wait.op) == 0 && strcmp(last->rule, wait.rule) == 0 &&
        strcmp(last->reason, wait.reason) == 0 && strcmp(last->holders, holders) == 0) {
        last->to_ns = to_ns;
        free(holders);
        return GCAST_OK;
    }
    if (vec_push(&c->found->waits, wait))
        return GCAST_OK;
    free(holders);
    return gcast_error_set_memory(c->err);
}

/* The operation of the job of `op` that is waited for; NO_JOB: it is none of the job. */
static size_t earlier_of_job(const collector *c, size_t op, const gcast_wait *w)
{
    bool is_order = w->reason == GCAST_WHY_STREAM || w->reason == GCAST_WHY_AFTER;
    for (size_t i = 0; is_order && i < w->holder_count; i++) {
        size_t holder = w->holders[i].run_op;
        if (holder < c->run->op_count && holder != op && c->jobs->job_of[holder] != NO_JOB &&
            c->jobs->job_of[holder] == c->jobs->job_of[op])
            return holder;
    }
    return NO_JOB;
}

/* Adds what an operation waited for from from_ns to to_ns. */
static gcast_status collect(const collector *c, size_t op, int64_t from_ns, int64_t to_ns, int depth)
{
    gcast_explanation *e;
    gcast_status status = gcast_run_explain(c->run, op, &e, c->err);
    if (status != GCAST_OK)
        return status;
    for (size_t i = 0; i < e->wait_count && status == GCAST_OK; i++) {
        const gcast_wait *w = &e->waits[i];
        int64_t start_ns = max_i64(w->from_ns, from_ns), end_ns = min_i64(w->to_ns, to_ns);
        size_t earlier = depth < MAX_DEPTH ? earlier_of_job(c, op, w) : NO_JOB;
        if (start_ns >= end_ns)
            continue;
        if (earlier != NO_JOB) {
            int64_t known_from = max_i64(start_ns, c->run->ops[earlier].release_ns);
            int64_t known_to = min_i64(end_ns, c->run->ops[earlier].end_ns);
            if (known_from < known_to) {
                if (start_ns < known_from)
                    status = add(c, w, start_ns, known_from);
                if (status == GCAST_OK)
                    status = collect(c, earlier, known_from, known_to, depth + 1);
                start_ns = known_to;
            }
        }
        if (status == GCAST_OK && start_ns < end_ns)
            status = add(c, w, start_ns, end_ns);
    }
    gcast_explanation_free(e);
    return status;
}

gcast_status witness_waits_make(witness_waits *v, const gcast_run *run, const witness_jobs *jobs, size_t late,
                                gcast_error *err)
{
    *v = (witness_waits){0};
    collector c = {run, jobs, v, err};
    gcast_status status = collect(&c, late, INT64_MIN, INT64_MAX, 0);
    if (status != GCAST_OK)
        witness_waits_free(v);
    return status;
}

void witness_waits_free(witness_waits *v)
{
    for (size_t i = 0; i < v->waits.count; i++)
        free((char *)v->waits.at[i].holders);
    vec_free(&v->waits);
}
