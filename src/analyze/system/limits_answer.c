/* Limits on responses, on runnables and on delays: their times, verdicts, and why there is no bound. */
#include "analyze/system/limits_answer.h"

#include "analyze/system/answer_caveats.h"
#include "analyze/system/event_delay.h"

void limits_mark(system_work *x)
{
    for (size_t i = 0; i < x->s->limit_count; i++) {
        const sys_limit *l = &x->s->limits[i];
        for (size_t k = 0; k < l->span_count; k++)
            x->tasks[l->spans[k].task].limited = true;
        /* job_difference climbs along triggers, whose ends are always computed */
        if (l->kind == SYS_LIMIT_DELAY)
            x->tasks[l->source.task].limited = x->tasks[l->target.task].limited = true;
    }
}

static bool is_bad(gcast_deadline_verdict v)
{
    return v == GCAST_DEADLINE_OPEN || v == GCAST_DEADLINE_MISSED;
}

/* The verdict on times that lie in a range. */
static gcast_deadline_verdict verdict(const sys_limit *l, sys_range r, bool conditional)
{
    int64_t most = l->max_ns == SYS_NO_LIMIT ? INT64_MAX - 1 : l->max_ns;
    if (r.min_ns >= l->min_ns && (l->max_ns == SYS_NO_LIMIT || r.max_ns <= most))
        return conditional && l->max_ns != SYS_NO_LIMIT ? GCAST_DEADLINE_MET_IF : GCAST_DEADLINE_MET;
    return r.min_ns > most || (r.max_ns < l->min_ns && !conditional) ? GCAST_DEADLINE_MISSED : GCAST_DEADLINE_OPEN;
}

/* Searches need no sentences. */
static bool needs_why(const system_work *x, const sys_limit_answer *r)
{
    return !x->options->tasks_only && !r->why_not;
}

/* Explains the missing bound of a task. False without memory. */
static bool why_of_task(const system_work *x, sys_answer *a, sys_limit_answer *r, int task)
{
    if (!needs_why(x, r) || x->tasks[task].worst != SYS_UNBOUNDED)
        return true;
    const char *reason = system_why_not(x, task, &a->memory);
    if (reason)
        r->why_not =
            system_sentence(&a->memory, "no bound is known for %.200s: %.700s", x->s->tasks[task].name, reason);
    return r->why_not != NULL;
}

static bool why_named(const system_work *x, sys_answer *a, sys_limit_answer *r, const char *before, const char *name,
                      const char *behind)
{
    if (needs_why(x, r))
        r->why_not = system_sentence(&a->memory, "%s%.200s%s", before, name, behind);
    return x->options->tasks_only || r->why_not;
}

static bool answer_response(const system_work *x, sys_answer *a, const sys_limit *l, sys_limit_answer *r)
{
    const task_state *t = &x->tasks[l->task];
    sys_range range = {t->best - t->release_min, t->own_worst};
    r->best_ns = range.min_ns;
    r->worst_ns = range.max_ns;
    r->verdict = verdict(l, range, x->group_of[l->task]);
    return !(r->verdict == GCAST_DEADLINE_OPEN && l->max_ns != SYS_NO_LIMIT) || why_of_task(x, a, r, l->task);
}

/* The span of one call of a runnable. */
static bool answer_span(limit_work *w, sys_answer *a, const sys_limit *l, const sys_span *span, sys_limit_answer *r)
{
    system_work *x = w->x;
    sys_range range = {0, 0};
    if (span->first < span->end) {
        int64_t from = start_of_step(span->first), to = end_of_step(span->end - 1);
        range.min_ns = span->inside ? 0 : job_least(w, span->task, from, to);
        range.max_ns = job_most(w, span->task, from, to);
    }
    gcast_deadline_verdict v = verdict(l, range, x->group_of[span->task]);
    if (v == GCAST_DEADLINE_MISSED && span->inside)
        v = GCAST_DEADLINE_OPEN; /* it may not be called at all */
    r->best_ns = min_i64(r->best_ns, range.min_ns);
    r->worst_ns = max_i64(r->worst_ns, range.max_ns);
    if (r->verdict == GCAST_DEADLINE_NONE || v == GCAST_DEADLINE_MISSED ||
        (v == GCAST_DEADLINE_OPEN && r->verdict != GCAST_DEADLINE_MISSED) ||
        (v == GCAST_DEADLINE_MET_IF && r->verdict == GCAST_DEADLINE_MET))
        r->verdict = v;
    if (v != GCAST_DEADLINE_OPEN)
        return true;
    if (range.max_ns == SYS_UNBOUNDED && !why_of_task(x, a, r, span->task))
        return false;
    return !span->inside ||
           why_named(x, a, r, "it is called inside of ", x->s->tasks[span->task].steps[span->first].name,
                     ", and only the outer call as a whole is analysed");
}

static bool answer_runnable(limit_work *w, sys_answer *a, const sys_limit *l, sys_limit_answer *r)
{
    r->best_ns = INT64_MAX;
    bool good = true;
    for (size_t i = 0; i < l->span_count && good; i++)
        good = answer_span(w, a, l, &l->spans[i], r);
    return good;
}

/* Does the time of an event rest on assumed latencies of the GPU? group_of says so by task. */
static bool rests_on_gpu(const system_work *x, const sys_event *e)
{
    return x->group_of[e->task] && (e->data == SYS_NO_DATA || x->options->communication != GCAST_COMMUNICATION_LET);
}

static bool tell_delay(const system_work *x, sys_answer *a, const sys_limit *l, delay_why reason, sys_limit_answer *r)
{
    const char *target = l->target.name, *root = x->s->tasks[x->s->tasks[l->target.task].root].name;
    switch (reason) {
    case DELAY_BOUNDED:
        return true;
    case DELAY_SPORADIC:
        return why_named(x, a, r, "", root, " is sporadic, and may never come");
    case DELAY_NOT_SURE:
        return why_named(x, a, r, "it is not certain that ", target, " happens in every job");
    case DELAY_SEVERAL:
        return why_named(x, a, r, "", "", "one of its events may happen several times in a job");
    case DELAY_DRIFTS:
        return why_named(x, a, r, "", "", "one of its events comes more often than the other");
    case DELAY_TWO_IN_ONE:
        return why_named(x, a, r, "", target, " may happen twice within the limits");
    case DELAY_NO_BOUND:
        break;
    }
    return why_of_task(x, a, r, l->target.task) && why_of_task(x, a, r, l->source.task);
}

static bool answer_delay(limit_work *w, sys_answer *a, const sys_limit *l, sys_limit_answer *r)
{
    system_work *x = w->x;
    limit_delay d = limit_delay_of(w, l);
    sys_limit least = *l;
    least.min_ns = max_i64(0, l->min_ns); /* a target comes after its source */
    if (l->mapping == SYS_MAPPING_ONE_TO_ONE && d.why == DELAY_BOUNDED) {
        bool conditional = rests_on_gpu(x, &l->source) || rests_on_gpu(x, &l->target);
        r->verdict = verdict(&least, d.range, conditional);
        if (r->verdict == GCAST_DEADLINE_MET && conditional)
            r->verdict = GCAST_DEADLINE_MET_IF; /* the source must not be too late */
    } else if (d.why == DELAY_BOUNDED) {
        r->verdict = verdict(&least, d.range, rests_on_gpu(x, &l->source) || rests_on_gpu(x, &l->target));
    } else {
        r->verdict = GCAST_DEADLINE_OPEN;
    }
    if (d.too_late || d.out_of_it)
        r->verdict = GCAST_DEADLINE_MISSED;
    r->best_ns = d.range.min_ns;
    r->worst_ns = d.range.max_ns;
    return !is_bad(r->verdict) || tell_delay(x, a, l, d.why, r);
}

static bool answer_one(limit_work *w, sys_answer *a, const sys_limit *l, sys_limit_answer *r)
{
    *r = (sys_limit_answer){.verdict = GCAST_DEADLINE_NONE, .seen_in = SYS_NONE};
    switch (l->kind) {
    case SYS_LIMIT_RESPONSE:
        return answer_response(w->x, a, l, r);
    case SYS_LIMIT_RUNNABLE:
        return answer_runnable(w, a, l, r);
    default:
        return answer_delay(w, a, l, r);
    }
}

bool limits_answer(system_work *x, sys_answer *a)
{
    size_t count = x->s->limit_count, longest = 0;
    if (!count)
        return true;
    for (size_t i = 0; i < x->s->task_count; i++)
        longest = max_size(longest, x->s->tasks[i].step_count);
    sys_limit_answer *limits = arena_alloc_array(&a->memory, count, sizeof *limits);
    limit_work w = {x, arena_alloc_array(&a->memory, longest + 1, sizeof *w.step_ends)};
    if (!limits || !w.step_ends)
        return false;
    a->limits = limits;
    for (size_t i = 0; i < count; i++) {
        const sys_limit *l = &x->s->limits[i];
        if (!answer_one(&w, a, l, &limits[i]))
            return false;
        bool grows = l->kind != SYS_LIMIT_DELAY && limits[i].best_ns > l->max_ns && l->max_ns != SYS_NO_LIMIT;
        limits[i].verdict = verdict_with_effects(limits[i].verdict, limit_effects(a->tasks, l), grows, false);
        a->all_met &= !is_bad(limits[i].verdict);
    }
    return true;
}
