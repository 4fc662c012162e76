/* The search for late executions of an answer: which responses are searched for, and for how long; then what was seen,
 * and an execution that shows it. */
#include <stdlib.h>

#include "analyze/answer.h"
#include "base/api.h"
#include "base/integers.h"
#include "model/workload/workload.h"

/* Is the response searched for? */
static bool is_wanted(const gcast_answer *a, const gcast_response *r, const gcast_search_options *search)
{
    gcast_deadline_verdict v = gcast_answer_verdict(a, r);
    return search->all || r->op == search->op || v == GCAST_DEADLINE_MISSED || v == GCAST_DEADLINE_OPEN;
}

static bool any_wanted(const gcast_answer *a, const gcast_search_options *search)
{
    for (size_t i = 0; i < a->response_count; i++)
        if (is_wanted(a, &a->responses[i], search))
            return true;
    return false;
}

/* For each op the response time that ends the search for it: its bound; 0: the op does not matter. NULL without
 * memory. */
static int64_t *enough_responses(const gcast_answer *a, const gcast_search_options *search)
{
    int64_t *enough_ns = calloc(a->workload->op_count + 1, sizeof *enough_ns);
    for (size_t i = 0; enough_ns && i < a->response_count; i++) {
        const gcast_response *r = &a->responses[i];
        if (is_wanted(a, r, search))
            enough_ns[r->op] = r->never_called ? 0 : r->worst_ns;
    }
    return enough_ns;
}

/* Has some op of a task no bound, although all its jobs count? */
static bool may_grow(const gcast_answer *a, const gcast_analyze_options *options)
{
    bool unbounded = false;
    for (size_t i = 0; i < a->response_count; i++)
        unbounded = unbounded || (!a->responses[i].never_called && a->responses[i].worst_ns == GCAST_NO_BOUND);
    return unbounded && a->workload->task_count && !options->horizon_ns;
}

/* How many hyperperiods show the worst response of method exact, which simulated `states` of them. */
static uint32_t exact_hyperperiods(const gcast_answer *a)
{
    const gcast_workload *w = a->workload;
    int64_t hyperperiod, release = 0;
    uint64_t count = 0;
    for (size_t i = 0; i < a->analysis_count; i++)
        if (a->analyses[i]->complete && a->analyses[i]->method == GCAST_METHOD_EXACT)
            count = a->analyses[i]->states;
    if (!count || !gcast_workload_hyperperiod(w, &hyperperiod))
        return 0;
    for (size_t i = w->once_count; i < w->op_count; i++)
        release = max_i64(release, w->ops[i].release_ns);
    count += (uint64_t)div_up(release, hyperperiod) + 1;
    return (uint32_t)min_u64(count, UINT32_MAX);
}

static gcast_witness_options witness_options(const gcast_answer *a, const gcast_search_options *search,
                                             const gcast_analyze_options *options)
{
    gcast_witness_options own = gcast_witness_options_default();
    own.any_order = options->any_order;
    own.horizon_ns = options->horizon_ns;
    own.launch_min_ns = options->launch_min_ns;
    own.launch_max_ns = options->launch_max_ns;
    own.copy_min_ns = options->copy_min_ns;
    own.copy_max_ns = options->copy_max_ns;
    own.quantile = options->quantile;
    own.growth = may_grow(a, options);
    own.progress = options->progress;
    own.progress_data = options->progress_data;
    if (search->max_ms) {
        own.max_ms = search->max_ms;
        own.max_executions = own.max_operations = 0;
    }
    if (a->attained) { /* some execution attains the worst time: it is searched as long as an analysis may take */
        own.without_noise = true;
        own.hyperperiods = exact_hyperperiods(a);
        own.max_ms = options->max_ms;
    }
    return own;
}

static gcast_status check(const gcast_workload *w, const gcast_search_options *o, gcast_error *err)
{
    if (o->max_ms < 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a search cannot take less than no time");
    if (o->op != GCAST_NO_OP && (o->op >= w->op_count || !gcast_kind_on_gpu(w->ops[o->op].kind)))
        return gcast_error_set(err, GCAST_USAGE, NULL, "the op of a search is none on the GPU");
    return GCAST_OK;
}

gcast_status answer_search(gcast_answer *a, const gcast_search_options *given, const gcast_analyze_options *options,
                           gcast_error *err)
{
    owned_answer *o = a->memory;
    gcast_search_options search = gcast_search_options_default();
    gcast_status status = options_copy(&search, sizeof search, given, "gcast_search_options", err);
    if (status == GCAST_OK)
        status = check(a->workload, &search, err);
    if (status != GCAST_OK || (a->attained && !search.attained) || !any_wanted(a, &search))
        return status;
    gcast_witness_options own = witness_options(a, &search, options);
    int64_t *enough_ns = enough_responses(a, &search);
    if (!enough_ns)
        return gcast_error_set_memory(err);
    own.enough_ns = enough_ns;
    if (options->begins)
        options->begins(options->progress_data, "trying executions", own.max_ms);
    status = gcast_workload_witness(a->workload, a->gpu, &own, &o->late, err);
    free(enough_ns);
    if (status != GCAST_OK)
        return status;
    a->search_why_not = o->late->why_not;
    return a->attained || o->late->why_not ? GCAST_OK : gcast_answer_add_witness(a, o->late, err);
}

/* What was seen of a response. */
static gcast_late late_of(const gcast_answer *a, const gcast_response *r, const gcast_witness *seen)
{
    int64_t end_ns = a->workload->ops[r->op].release_ns + seen->seen_ns[r->op];
    return (gcast_late){r->op, seen->seen_ns[r->op], r->deadline_ns ? end_ns - r->deadline_ns : 0};
}

/* Is x the later of the two? */
static bool is_later(const gcast_late *x, const gcast_late *than, bool has_deadlines)
{
    return has_deadlines ? x->late_ns > than->late_ns : x->response_ns > than->response_ns;
}

bool gcast_answer_find_late(const gcast_answer *a, size_t op, gcast_late *late)
{
    const gcast_witness *seen = a ? ((const owned_answer *)a->memory)->late : NULL;
    bool found = false, has_deadlines = false;
    if (!seen || !late)
        return false;
    for (size_t i = 0; i < a->response_count; i++)
        has_deadlines = has_deadlines || a->responses[i].deadline_ns;
    for (size_t i = 0; i < a->response_count; i++) {
        const gcast_response *r = &a->responses[i];
        gcast_late x = late_of(a, r, seen);
        if (!x.response_ns || (op != GCAST_NO_OP ? r->op != op : has_deadlines && !r->deadline_ns))
            continue;
        if (!found || is_later(&x, late, has_deadlines))
            *late = x;
        found = true;
    }
    return found;
}

gcast_status gcast_answer_late_execution(const gcast_answer *a, size_t op, gcast_workload **execution, size_t *late,
                                         gcast_error *err)
{
    if (execution)
        *execution = NULL;
    if (!a || !execution)
        return argument_missing(err);
    const gcast_witness *seen = ((const owned_answer *)a->memory)->late;
    if (!seen)
        return gcast_error_set(err, GCAST_USAGE, NULL, "no late executions were searched for");
    return gcast_witness_workload(seen, op, execution, late, err);
}
