/* gcast_answer combines the analyses of a workload by several methods, gives verdicts on deadlines, and is checked
 * against simulated executions. */
#include "analyze/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/added_method.h"
#include "analyze/call_latency.h"
#include "analyze/time_limit.h"
#include "base/api.h"
#include "base/integers.h"
#include "gridcast/simulate.h"
#include "model/workload/jobs.h"
#include "model/workload/workload.h"

/* Budget of gcast_answer_check. */
#define PART_OF_TIME 10      /* the check takes at most one in so much of the time of the analyses */
#define MIN_MS 50            /* but this long after a fast analysis, too */
#define MAX_MS 5000          /* and never longer than this */
#define MAX_OPERATIONS 20000 /* in the simulation of the unchanged workload */
#define MAX_EXECUTIONS 60    /* in the search for late ones */
#define MAX_DRAWN 100000     /* operations in that search */
#define NS_OF_MS INT64_C(1000000)

bool gcast_method_attains(gcast_method m)
{
    return m == GCAST_METHOD_EXACT;
}

/* Every method's bound holds, so the tightest one does. */
static void merge(owned_answer *o, const gcast_analysis *analysis)
{
    for (size_t i = 0; i < o->a.response_count; i++) {
        const gcast_response *r = &analysis->responses[i];
        gcast_response *merged = &o->responses[i];
        merged->worst_ns = min_i64(merged->worst_ns, r->worst_ns);
        merged->best_ns = max_i64(merged->best_ns, r->best_ns);
        merged->reached_ns = max_i64(merged->reached_ns, r->reached_ns);
        merged->never_called = merged->never_called || r->never_called;
    }
    o->a.complete = o->a.complete || analysis->complete;
    o->a.attained = o->a.attained || (analysis->complete && analysis_attains(analysis));
}

/* Is analysis i the same object as an earlier one? */
static bool is_there_twice(gcast_analysis *const *analyses, size_t i)
{
    size_t before = 0;
    while (before < i && analyses[before] != analyses[i])
        before++;
    return before < i;
}

static void free_analyses(gcast_analysis *const *analyses, size_t count)
{
    for (size_t i = count; analyses && i--;)
        if (!is_there_twice(analyses, i))
            gcast_analysis_free(analyses[i]);
}

/* Refuses missing arguments, an analysis that is given twice, and analyses of another workload. */
static gcast_status check_given(const gcast_workload *w, const gcast_gpu *gpu, gcast_analysis *const *analyses,
                                size_t count, gcast_answer **answer, gcast_error *err)
{
    bool given = w && gpu && analyses && answer && count;
    for (size_t i = 0; given && i < count; i++)
        given = analyses[i];
    if (!given)
        return argument_missing(err);
    bool same = true;
    for (size_t i = 0; i < count; i++) {
        if (is_there_twice(analyses, i))
            return gcast_error_set(err, GCAST_USAGE, NULL, "the same analysis is given twice");
        same = same && analysis_is_of(analyses[i], w);
    }
    return same ? GCAST_OK : gcast_error_set(err, GCAST_USAGE, NULL, "the analyses are not all of this workload");
}

gcast_status gcast_answer_create(const gcast_workload *w, const gcast_gpu *gpu, gcast_analysis *const *analyses,
                                 size_t count, gcast_answer **answer, gcast_error *err)
{
    if (answer)
        *answer = NULL;
    gcast_status status = check_given(w, gpu, analyses, count, answer, err);
    if (status != GCAST_OK) {
        free_analyses(analyses, count);
        return status;
    }
    owned_answer *o = calloc(1, sizeof *o);
    size_t responses = analyses[0]->response_count;
    gcast_analysis **copy = malloc(count * sizeof *copy);
    gcast_response *merged = malloc((responses + 1) * sizeof *merged);
    if (!o || !copy || !merged) {
        free_analyses(analyses, count);
        free(o);
        free(copy);
        free(merged);
        return gcast_error_set_memory(err);
    }
    memcpy(copy, analyses, count * sizeof *copy);
    if (responses)
        memcpy(merged, analyses[0]->responses, responses * sizeof *merged);
    *o = (owned_answer){.analyses = copy, .responses = merged};
    o->a = (gcast_answer){.workload = w,
                          .gpu = gpu,
                          .analyses = copy,
                          .analysis_count = count,
                          .responses = merged,
                          .response_count = responses,
                          .launch = analyses[0]->launch,
                          .copy = analyses[0]->copy,
                          .launch_limit_ns = -1,
                          .memory = o};
    o->a.conditional = call_latency_is_assumed(&o->a.launch) || call_latency_is_assumed(&o->a.copy);
    for (size_t i = 0; i < count; i++)
        merge(o, analyses[i]);
    *answer = &o->a;
    return GCAST_OK;
}

void gcast_answer_free(gcast_answer *answer)
{
    if (!answer)
        return;
    owned_answer *o = answer->memory;
    for (size_t i = 0; i < o->a.analysis_count; i++)
        gcast_analysis_free(o->analyses[i]);
    free(o->analyses);
    free(o->responses);
    free(o->assumed);
    gcast_witness_free(o->late);
    free(o);
}

const owned_analysis *answer_added(const gcast_answer *a)
{
    for (size_t i = 0; i < a->analysis_count; i++) {
        const owned_analysis *o = a->analyses[i]->memory;
        if (o->result)
            return o;
    }
    return NULL;
}

bool answer_has_own_deadlines(const gcast_answer *a)
{
    for (size_t i = 0; i < a->analysis_count; i++)
        if (((const owned_analysis *)a->analyses[i]->memory)->own_deadlines)
            return true;
    return false;
}

/* An execution contradicts the answer, so one of the two is wrong: clears all times, so that no deadline is said to be
 * met. Returns GCAST_INTERNAL. */
static gcast_status answer_contradicted(owned_answer *o, const gcast_response *r, int64_t response_ns, gcast_error *err)
{
    bool is_longer = response_ns > r->worst_ns;
    gcast_error_set(err, GCAST_INTERNAL, NULL,
                    "a defect of gridcast: an execution of %.200s takes %lld ns, but the analysis says at %s %lld ns; "
                    "so no deadline is reported as met; please report it with this file",
                    o->a.workload->ops[r->op].label, (long long)response_ns, is_longer ? "most" : "least",
                    (long long)(is_longer ? r->worst_ns : r->best_ns));
    snprintf(err->file, sizeof err->file, "%s", o->a.workload->source ? o->a.workload->source : "");
    o->a.complete = o->a.attained = false;
    for (size_t i = 0; i < o->a.response_count; i++) {
        o->responses[i].best_ns = o->responses[i].reached_ns = o->responses[i].seen_ns = 0;
        o->responses[i].worst_ns = GCAST_NO_BOUND;
    }
    return GCAST_INTERNAL;
}

gcast_status gcast_answer_add_witness(gcast_answer *answer, const gcast_witness *witness, gcast_error *err)
{
    if (!answer || !witness)
        return argument_missing(err);
    if (witness->workload != answer->workload)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the executions are of another workload");
    owned_answer *o = answer->memory;
    o->a.searched = true;
    o->a.growth_searched = witness->growth_searched;
    o->a.growth = witness->growth;
    o->a.growth_hyperperiods = witness->growth_hyperperiods;
    if (witness->growth_why) {
        snprintf(o->growth_why, sizeof o->growth_why, "%s", witness->growth_why);
        o->a.growth_why = o->growth_why;
    }
    for (size_t i = 0; i < o->a.response_count; i++) {
        gcast_response *r = &o->responses[i];
        r->seen_ns = max_i64(r->seen_ns, witness->seen_ns[r->op]);
        r->growth_ns = witness->growth_ns ? witness->growth_ns[r->op] : 0;
        if (r->seen_ns > r->worst_ns)
            return answer_contradicted(o, r, r->seen_ns, err);
    }
    return GCAST_OK;
}

/* a - b, saturated. */
static int64_t saturated_sub(int64_t a, int64_t b)
{
    int64_t ns;
    return checked_sub(a, b, &ns) ? ns : a < b ? INT64_MIN : INT64_MAX;
}

/* The deadline, counted from the release of the op. */
static int64_t relative_deadline(const gcast_answer *a, const gcast_response *r)
{
    const gcast_op *op = &a->workload->ops[r->op];
    return op->task == GCAST_ONCE ? r->deadline_ns : saturated_sub(r->deadline_ns, op->release_ns);
}

/* Does `r` name an op of the answer's workload? */
static bool is_response_of(const gcast_answer *a, const gcast_response *r)
{
    return a && r && r->op < a->workload->op_count;
}

int64_t gcast_answer_slack_ns(const gcast_answer *a, const gcast_response *r)
{
    return is_response_of(a, r) ? saturated_sub(relative_deadline(a, r), r->worst_ns) : 0;
}

gcast_deadline_verdict gcast_answer_verdict(const gcast_answer *a, const gcast_response *r)
{
    if (!is_response_of(a, r))
        return GCAST_DEADLINE_NONE;
    if (!r->deadline_ns || r->never_called)
        return GCAST_DEADLINE_NONE;
    if (r->worst_ns != GCAST_NO_BOUND && gcast_answer_slack_ns(a, r) >= 0)
        return a->conditional || r->rests_on_assumed || a->workload->note_count ? GCAST_DEADLINE_MET_IF
                                                                                : GCAST_DEADLINE_MET;
    /* every execution takes best_ns or longer; some execution takes reached_ns, some seen_ns */
    int64_t happens_ns = max_i64(r->best_ns, max_i64(r->reached_ns, r->seen_ns));
    return a->attained || relative_deadline(a, r) < happens_ns ? GCAST_DEADLINE_MISSED : GCAST_DEADLINE_OPEN;
}

/* gcast_answer_check compares an answer with executions: with a simulation of the unchanged workload, then with
 * executions from the search for late ones. So the program prints no verdict that its own simulation contradicts. Only
 * the time limit makes the comparison depend on the machine. */

typedef struct check {
    owned_answer *o;
    const gcast_gpu *gpu;
    const gcast_analyze_options *options; /* of the analyses */
    time_limit limit;                     /* of the whole check */
    gcast_error *err;
} check;

static int64_t budget_ms(const gcast_answer *a)
{
    int64_t spent_ns = 0;
    for (size_t i = 0; i < a->analysis_count; i++)
        spent_ns += ((const owned_analysis *)a->analyses[i]->memory)->spent_ns;
    return min_i64(max_i64(spent_ns / NS_OF_MS / PART_OF_TIME, MIN_MS), MAX_MS);
}

static bool in_time(void *data, double fraction)
{
    const check *c = data;
    (void)fraction;
    return !limit_passed(&c->limit);
}

/* How many operations are released before the horizon. */
static uint64_t operations_before(const gcast_workload *w, int64_t horizon_ns)
{
    uint64_t count = w->once_count, jobs;
    for (size_t i = 0; i < w->task_count; i++) {
        const gcast_task *t = &w->tasks[i];
        jobs = horizon_ns <= t->offset_ns ? 0 : (uint64_t)((horizon_ns - t->offset_ns - 1) / t->period_ns) + 1;
        if (!checked_mul(jobs, (uint64_t)t->op_count, &jobs) || !checked_add(count, jobs, &count))
            return UINT64_MAX;
    }
    return count;
}

/* The usual latency of calls, if the answer covers it; otherwise the least that it covers. */
static int64_t covered_latency(const gcast_workload *w, const gcast_call_latency *range, int64_t usual_ns, bool kernels)
{
    int64_t extra_ns = 0;
    for (size_t i = 0; i < w->op_count; i++)
        if (gcast_kind_on_gpu(w->ops[i].kind) && (w->ops[i].kind == GCAST_KIND_KERNEL) == kernels)
            extra_ns = max_i64(extra_ns, w->ops[i].extra_latency_ns);
    return usual_ns >= range->min_ns && usual_ns <= range->max_ns - extra_ns ? usual_ns : range->min_ns;
}

/* The response of an op; NULL: the op does not run on the GPU. Responses are sorted by op. */
static const gcast_response *response_of(const gcast_answer *a, size_t op)
{
    size_t low = 0, high = a->response_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->responses[middle].op < op)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->response_count && a->responses[low].op == op ? &a->responses[low] : NULL;
}

/* Compares the operations that end by end_ns: jobs beyond the horizon could delay later ones. */
static gcast_status compare_run(const check *c, const gcast_run *run, int64_t end_ns)
{
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *x = &run->ops[i];
        const gcast_response *r = response_of(&c->o->a, x->op);
        int64_t ns = gcast_response_ns(x);
        if (r && !x->skipped && ns >= 0 && x->end_ns <= end_ns && (ns > r->worst_ns || ns < r->best_ns))
            return answer_contradicted(c->o, r, ns, c->err);
    }
    return GCAST_OK;
}

/* Simulates the unchanged workload with its longest durations. Skips what cannot be simulated. */
static gcast_status compare_plain(check *c)
{
    const gcast_answer *a = &c->o->a;
    const gcast_workload *w = a->workload;
    gcast_error own;
    gcast_gpu *gpu;
    gcast_run *run = NULL;
    gcast_simulate_options simulation = gcast_simulate_options_default();
    simulation.horizon_ns = c->options->horizon_ns;
    if (jobs_horizon(w, &simulation.horizon_ns, &own) != GCAST_OK)
        simulation.horizon_ns = INT64_MAX / 4;
    while (!c->options->horizon_ns && simulation.horizon_ns > 1 &&
           operations_before(w, simulation.horizon_ns) > MAX_OPERATIONS)
        simulation.horizon_ns /= 2;
    if (operations_before(w, simulation.horizon_ns) > MAX_OPERATIONS)
        return GCAST_OK;
    gcast_status status = gcast_gpu_copy(c->gpu, &gpu, c->err);
    if (status != GCAST_OK)
        return status;
    gpu->launch_latency_ns = covered_latency(w, &a->launch, gpu->launch_latency_ns, true);
    gpu->copy_latency_ns = covered_latency(w, &a->copy, gpu->copy_latency_ns, false);
    simulation.progress = in_time;
    simulation.progress_data = c;
    if (gcast_workload_simulate(w, gpu, &simulation, &run, &own) == GCAST_OK && !run->hang)
        status = compare_run(c, run, w->task_count && !c->options->horizon_ns ? simulation.horizon_ns : INT64_MAX);
    gcast_run_free(run);
    gcast_gpu_free(gpu);
    return status;
}

/* Searches for late executions until one is later than the answer allows. */
static gcast_status compare_drawn(check *c)
{
    const gcast_answer *a = &c->o->a;
    const gcast_analyze_options *o = c->options;
    gcast_witness_options search = gcast_witness_options_default();
    gcast_witness *seen;
    gcast_status status = GCAST_OK;
    int64_t *enough_ns = calloc(a->workload->op_count + 1, sizeof *enough_ns);
    if (!enough_ns)
        return gcast_error_set_memory(c->err);
    for (size_t i = 0; i < a->response_count; i++)
        if (a->responses[i].worst_ns < GCAST_NO_BOUND)
            enough_ns[a->responses[i].op] = a->responses[i].worst_ns + 1;
    search.enough_ns = enough_ns;
    search.any_order = o->any_order;
    search.any_phase = o->any_phase;
    search.horizon_ns = o->horizon_ns;
    search.launch_min_ns = o->launch_min_ns;
    search.launch_max_ns = o->launch_max_ns;
    search.copy_min_ns = o->copy_min_ns;
    search.copy_max_ns = o->copy_max_ns;
    search.quantile = o->quantile;
    search.max_executions = MAX_EXECUTIONS;
    search.max_operations = MAX_DRAWN;
    search.max_ms = limit_left_ms(&c->limit);
    if (gcast_workload_witness(a->workload, c->gpu, &search, &seen, &(gcast_error){0}) == GCAST_OK) {
        for (size_t i = 0; i < a->response_count && status == GCAST_OK; i++)
            if (seen->seen_ns[a->responses[i].op] > a->responses[i].worst_ns)
                status = answer_contradicted(c->o, &a->responses[i], seen->seen_ns[a->responses[i].op], c->err);
        gcast_witness_free(seen);
    }
    free(enough_ns);
    return status;
}

gcast_status gcast_answer_check(gcast_answer *answer, const gcast_analyze_options *given, gcast_error *err)
{
    gcast_analyze_options own = gcast_analyze_options_default();
    if (!answer)
        return argument_missing(err);
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_analyze_options", err);
    if (status != GCAST_OK || !answer->complete)
        return status;
    check c = {.o = answer->memory,
               .gpu = answer->gpu ? answer->gpu : answer->workload->gpu,
               .options = &own,
               .limit = limit_from_now(budget_ms(answer)),
               .err = err};
    status = compare_plain(&c);
    return status == GCAST_OK && !limit_passed(&c.limit) ? compare_drawn(&c) : status;
}
