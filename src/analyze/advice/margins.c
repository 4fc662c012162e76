/* Margins of an answer, by bisection. gcast_answer_find_durations: how much shorter must kernels be so that open
 * deadlines are met? gcast_answer_find_limit: how long may calls take, where that was not measured, so that deadlines
 * stay met? */
#include <stdlib.h>

#include "analyze/added_method.h"
#include "analyze/advice/judge.h"
#include "analyze/answer.h"
#include "analyze/call_latency.h"
#include "analyze/time_limit.h"
#include "base/api.h"
#include "base/integers.h"
#include "change/variant.h"
#include "model/gpu.h"
#include "model/workload/workload.h"

#define TRIALS 7 /* bisection of 100 */

/* gcast_answer_find_limit */
#define MAX_TRIALS 12
#define MAX_MS 20000     /* a safeguard; usually not reached, so that outputs do not depend on the machine */
#define PRECISION 32     /* the search ends when the limit is known to one part in so many, */
#define PRECISION_NS 100 /* or to this time */
#define MAX_STATES 1000  /* of explore */

/* gcast_answer_find_durations tries shares of all durations in hundredths, and judges each by bound. It may stop any
 * time: every share with which all deadlines were met is an answer. */

/* The caller's options, and the number of trials so far. */
typedef struct trials {
    gcast_analyze_options options;
    int done;
} trials;

static bool show_trial(void *data, double fraction)
{
    const trials *t = data;
    return t->options.progress(t->options.progress_data, (t->done + (fraction > 0 ? fraction : 0)) / TRIALS);
}

/* Is a deadline open, and is bound one of the methods of the answer? */
static bool is_wanted(const gcast_answer *a)
{
    bool is_open = false, has_bound = false;
    for (size_t i = 0; i < a->response_count; i++)
        is_open = is_open || gcast_answer_verdict(a, &a->responses[i]) == GCAST_DEADLINE_OPEN;
    for (size_t i = 0; i < a->analysis_count; i++)
        has_bound = has_bound || a->analyses[i]->method == GCAST_METHOD_BOUND;
    return is_open && has_bound;
}

/* Limits the blocks of each kernel to a share of its longest block. */
static gcast_status shorten(variant *copy, int percent, gcast_error *err)
{
    const gcast_workload *w = copy->base->w;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++) {
        int64_t longest_ns = workload_longest_block(&w->ops[i]);
        if (w->ops[i].kind != GCAST_KIND_KERNEL || longest_ns == GCAST_UNKNOWN_NS)
            continue;
        int64_t share_ns = longest_ns / 100 * percent + longest_ns % 100 * percent / 100;
        change c = {.kind = CHANGE_DURATION, .at = i, .value = max_i64(share_ns, 1)};
        status = variant_change(copy, &c, err);
    }
    return status;
}

/* Sets duration_percent to the largest share found with all deadlines met; 0: none. */
static gcast_status find_longest_share(gcast_answer *answer, trials *t, variant *copy, gcast_error *err)
{
    gcast_analyze_options options = t->options;
    judge by_bound = judge_by_method(GCAST_METHOD_BOUND, &options);
    time_limit limit = limit_from_now(t->options.max_ms);
    int failed = 100;
    options.progress = t->options.progress ? show_trial : NULL;
    options.progress_data = t;
    for (; failed - answer->duration_percent > 1; t->done++) {
        int percent = (answer->duration_percent + failed) / 2;
        judgement verdict;
        gcast_status status = shorten(copy, percent, err);
        options.max_ms = limit_left_ms(&limit);
        if (status == GCAST_OK)
            status = judge_ends(&by_bound, copy->w, answer->gpu, &verdict, NULL, err);
        if (status != GCAST_OK)
            return status;
        *(verdict.known && verdict.meets ? &answer->duration_percent : &failed) = percent;
        if (limit_passed(&limit)) {
            answer->percent_may_be_larger = true;
            break;
        }
    }
    return GCAST_OK;
}

gcast_status gcast_answer_find_durations(gcast_answer *answer, const gcast_analyze_options *given, gcast_error *err)
{
    if (!answer)
        return argument_missing(err);
    trials t = {.options = gcast_analyze_options_default()};
    variant_base base = {.w = answer->workload};
    variant copy;
    gcast_status status = options_copy(&t.options, sizeof t.options, given, "gcast_analyze_options", err);
    if (status != GCAST_OK || !is_wanted(answer))
        return status;
    status = variant_open(&base, &copy, err);
    if (status == GCAST_OK)
        status = find_longest_share(answer, &t, &copy, err);
    variant_free(&copy);
    return status;
}

/* gcast_answer_find_limit tries longer latencies of calls. Each analysis covers all shorter ones, so it may stop any
 * time: the longest latency with which the deadlines were met is an answer. */

typedef struct limit_search {
    owned_answer *o;
    gcast_analyze_options options; /* of the trials */
    bool *shown;                   /* by response: the trial shows its deadline to be met */
    time_limit limit;              /* of the whole search */
    int trials;                    /* so far */
    gcast_error *err;
} limit_search;

/* Is this response's deadline met on condition of an assumed latency? Only such deadlines are asked about. */
static bool is_asked_about(const limit_search *s, size_t i)
{
    return s->o->a.conditional && gcast_answer_verdict(&s->o->a, &s->o->responses[i]) == GCAST_DEADLINE_MET_IF;
}

static int64_t relative_deadline(const limit_search *s, size_t i)
{
    const gcast_response *r = &s->o->responses[i];
    return r->deadline_ns - s->o->a.workload->ops[r->op].release_ns;
}

/* Marks the deadlines that this method shows to be met. *all: now all that are asked about are marked. */
static gcast_status try_method(limit_search *s, gcast_method method, bool *all)
{
    gcast_analysis *a;
    s->options.max_ms = limit_left_ms(&s->limit);
    gcast_status status = gcast_workload_analyze(s->o->a.workload, s->o->a.gpu, method, &s->options, &a, s->err);
    if (status != GCAST_OK)
        return status;
    *all = true;
    for (size_t i = 0; i < a->response_count; i++) {
        s->shown[i] = s->shown[i] || (a->complete && a->responses[i].worst_ns <= relative_deadline(s, i));
        *all = *all && (s->shown[i] || !is_asked_about(s, i));
    }
    gcast_analysis_free(a);
    return GCAST_OK;
}

/* Did explore succeed? If it did not, it hardly would with longer latencies. */
static bool has_explored(const gcast_answer *a)
{
    for (size_t i = 0; i < a->analysis_count; i++)
        if (a->analyses[i]->method == GCAST_METHOD_EXPLORE && a->analyses[i]->complete)
            return true;
    return false;
}

/* Are all deadlines shown to be met if calls take up to max_ns? */
static gcast_status try_latency(limit_search *s, int64_t max_ns, bool *all)
{
    const gcast_answer *a = &s->o->a;
    s->trials++;
    if (call_latency_is_assumed(&a->launch))
        s->options.launch_max_ns = max_i64(max_ns, a->launch.max_ns);
    if (call_latency_is_assumed(&a->copy))
        s->options.copy_max_ns = max_i64(max_ns, a->copy.max_ns);
    for (size_t i = 0; i < a->response_count; i++)
        s->shown[i] = false;
    gcast_status status = try_method(s, GCAST_METHOD_BOUND, all);
    if (status == GCAST_OK && !*all && has_explored(a))
        status = try_method(s, GCAST_METHOD_EXPLORE, all);
    for (size_t i = 0; status == GCAST_OK && i < a->response_count; i++)
        if (s->shown[i] && is_asked_about(s, i))
            s->o->responses[i].launch_limit_ns = max_i64(s->o->responses[i].launch_limit_ns, max_ns);
    return status;
}

/* The assumed latency in the answer. */
static int64_t assumed_ns(const gcast_answer *a)
{
    int64_t launch_ns = call_latency_is_assumed(&a->launch) ? a->launch.max_ns : 0;
    return max_i64(launch_ns, call_latency_is_assumed(&a->copy) ? a->copy.max_ns : 0);
}

/* Is the latency of the response's own call assumed? Then a latency of its deadline makes it late. */
static bool call_is_assumed(const limit_search *s, size_t i)
{
    const gcast_answer *a = &s->o->a;
    bool is_kernel = a->workload->ops[a->responses[i].op].kind == GCAST_KIND_KERNEL;
    return call_latency_is_assumed(is_kernel ? &a->launch : &a->copy);
}

/* The longest latency to consider; *fails: some deadline is surely missed with it. */
static int64_t longest_ns(const limit_search *s, bool *fails)
{
    int64_t longest = 0;
    *fails = false;
    for (size_t i = 0; i < s->o->a.response_count; i++)
        if (is_asked_about(s, i)) {
            longest = max_i64(longest, relative_deadline(s, i));
            *fails = *fails || call_is_assumed(s, i);
        }
    *fails = *fails && longest <= LATENCY_MAX_NS;
    return min_i64(longest, LATENCY_MAX_NS);
}

/* The latency to try next: about the geometric mean if the two are of different magnitudes, else the middle. */
static int64_t between(int64_t held_ns, int64_t failed_ns)
{
    int64_t lower = max_i64(held_ns, PRECISION_NS), upper = failed_ns;
    if (upper / 4 <= lower)
        return held_ns + (failed_ns - held_ns) / 2;
    for (; lower < upper / 2; upper /= 2)
        lower *= 2;
    return lower;
}

static gcast_status find_longest_latency(limit_search *s)
{
    gcast_answer *a = &s->o->a;
    bool all = false, fails;
    int64_t held_ns = assumed_ns(a), failed_ns = longest_ns(s, &fails);
    gcast_status status = try_latency(s, held_ns, &all);
    if (status != GCAST_OK || !all)
        return status;
    if (!fails && failed_ns > held_ns) {
        status = try_latency(s, failed_ns, &all);
        held_ns = all ? failed_ns : held_ns;
        a->limit_may_be_longer = all;
    }
    while (status == GCAST_OK && failed_ns - held_ns > max_i64(PRECISION_NS, held_ns / PRECISION)) {
        if (s->trials >= MAX_TRIALS || limit_passed(&s->limit)) {
            a->limit_may_be_longer = true;
            break;
        }
        int64_t middle_ns = between(held_ns, failed_ns);
        if ((status = try_latency(s, middle_ns, &all)) != GCAST_OK)
            return status;
        *(all ? &held_ns : &failed_ns) = middle_ns;
    }
    a->launch_limit_ns = held_ns;
    a->limit_may_be_longer = a->limit_may_be_longer || limit_passed(&s->limit);
    return status;
}

gcast_status gcast_answer_find_limit(gcast_answer *answer, const gcast_analyze_options *given, gcast_error *err)
{
    if (!answer)
        return argument_missing(err);
    limit_search s = {.o = answer->memory, .options = gcast_analyze_options_default(), .err = err};
    size_t count = 0;
    gcast_status status = options_copy(&s.options, sizeof s.options, given, "gcast_analyze_options", err);
    for (size_t i = 0; i < answer->response_count; i++)
        count += is_asked_about(&s, i);
    if (status != GCAST_OK || !count || answer_has_own_deadlines(answer))
        return status;
    s.options.max_states = MAX_STATES;
    s.options.progress = NULL;
    s.limit = limit_from_now(MAX_MS);
    s.shown = malloc(answer->response_count * sizeof *s.shown);
    status = s.shown ? find_longest_latency(&s) : gcast_error_set_memory(err);
    free(s.shown);
    return status;
}
