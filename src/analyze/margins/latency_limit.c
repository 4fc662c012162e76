/* gcast_answer_find_limit: how long may calls take to reach the GPU, where that was not measured, so that deadlines
 * which are met are still shown to be met? Found by bisection. Each analysis holds for all latencies up to the one that
 * it is given, so that the longest one tried is a limit, wherever the search stops. */
#include <stdlib.h>

#include "analyze/answer.h"
#include "analyze/call_latency.h"
#include "analyze/time_limit.h"
#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "base/minmax.h"
#include "model/gpu/latency.h"

#define MAX_TRIALS 12
#define MAX_MS 20000     /* a safeguard: what is printed must not hang on how fast a machine is */
#define PRECISION 32     /* it ends where the limit is known to one part in so many, */
#define PRECISION_NS 100 /* or to this */
#define MAX_STATES 1000  /* of explore */

typedef struct limit_search {
    owned_answer *o;               /* the answer, whose responses get their limits */
    gcast_analyze_options options; /* of the analyses that are tried */
    bool *shown;                   /* by response: its deadline is shown to be met in the trial */
    time_limit limit;              /* of the whole search */
    int trials;                    /* number of trials so far */
    gcast_error *err;              /* the caller's */
} limit_search;

/* Must the deadline of this response be met in a trial? */
static bool counts(const limit_search *s, size_t i)
{
    return s->o->a.conditional && gcast_answer_verdict(&s->o->a, &s->o->responses[i]) == GCAST_DEADLINE_MET_IF;
}

static int64_t relative_deadline(const limit_search *s, size_t i)
{
    const gcast_response *r = &s->o->responses[i];
    return r->deadline_ns - s->o->a.workload->ops[r->op].release_ns;
}

/* Notes which deadlines this method shows to be met. *all: every one that counts has been. */
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
        *all = *all && (s->shown[i] || !counts(s, i));
    }
    gcast_analysis_free(a);
    return GCAST_OK;
}

/* Did explore answer? Where it did not, it hardly would with longer latencies. */
static bool has_explored(const gcast_answer *a)
{
    for (size_t i = 0; i < a->analysis_count; i++)
        if (a->analyses[i]->method == GCAST_METHOD_EXPLORE && a->analyses[i]->complete)
            return true;
    return false;
}

/* Are all deadlines shown to be met if calls take up to `max_ns`? */
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
        if (s->shown[i] && counts(s, i))
            s->o->responses[i].launch_limit_ns = max_i64(s->o->responses[i].launch_limit_ns, max_ns);
    return status;
}

/* The latency that the analyses of the answer have. */
static int64_t assumed_ns(const gcast_answer *a)
{
    int64_t launch_ns = call_latency_is_assumed(&a->launch) ? a->launch.max_ns : 0;
    return max_i64(launch_ns, call_latency_is_assumed(&a->copy) ? a->copy.max_ns : 0);
}

/* Is the latency of its own call assumed? Then it misses its deadline where calls take that long. */
static bool call_is_assumed(const limit_search *s, size_t i)
{
    const gcast_answer *a = &s->o->a;
    bool is_kernel = a->workload->ops[a->responses[i].op].kind == GCAST_KIND_KERNEL;
    return call_latency_is_assumed(is_kernel ? &a->launch : &a->copy);
}

/* A latency from which on some deadline is missed, or the longest that is looked at; *fails: it is the former. */
static int64_t longest_ns(const limit_search *s, bool *fails)
{
    int64_t longest = 0;
    *fails = false;
    for (size_t i = 0; i < s->o->a.response_count; i++)
        if (counts(s, i)) {
            longest = max_i64(longest, relative_deadline(s, i));
            *fails = *fails || call_is_assumed(s, i);
        }
    *fails = *fails && longest <= LATENCY_MAX_NS;
    return min_i64(longest, LATENCY_MAX_NS);
}

/* The latency to try next: about the geometric mean while the two are of different magnitudes. */
static int64_t between(int64_t held_ns, int64_t failed_ns)
{
    int64_t lower = max_i64(held_ns, PRECISION_NS), upper = failed_ns;
    if (upper / 4 <= lower)
        return held_ns + (failed_ns - held_ns) / 2;
    for (; lower < upper / 2; upper /= 2)
        lower *= 2;
    return lower;
}

static gcast_status bisect(limit_search *s)
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
        count += counts(&s, i);
    if (status != GCAST_OK || !count || s.options.periods_ns) /* periods that only the thesis has */
        return status;
    s.options.max_states = MAX_STATES;
    s.options.progress = NULL;
    s.limit = limit_from_now(MAX_MS);
    s.shown = malloc(answer->response_count * sizeof *s.shown);
    status = s.shown ? bisect(&s) : gcast_error_set_memory(err);
    free(s.shown);
    return status;
}
