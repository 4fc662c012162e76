#include "analyze/system/assumed/answer_rests.h"

static bool is_met(gcast_deadline_verdict v)
{
    return v == GCAST_DEADLINE_MET || v == GCAST_DEADLINE_MET_IF;
}

/* Does the GPU make a limit's tasks later? */
static bool limit_reaches(const sys_answer *a, const sys_limit *l)
{
    bool reaches = l->kind == SYS_LIMIT_RESPONSE && a->tasks[l->task].reaches_gpu;
    for (size_t i = 0; i < l->span_count; i++)
        reaches |= a->tasks[l->spans[i].task].reaches_gpu;
    if (l->kind == SYS_LIMIT_DELAY)
        reaches |= a->tasks[l->source.task].reaches_gpu || a->tasks[l->target.task].reaches_gpu;
    return reaches;
}

static bool chain_reaches(const sys_answer *a, const sys_chain *chain)
{
    for (size_t i = 0; i < chain->task_count; i++)
        if (a->tasks[chain->tasks[i]].reaches_gpu)
            return true;
    return false;
}

bool answer_may_rest(const sys_answer *a)
{
    const sys_system *s = a->of;
    for (size_t i = 0; i < s->task_count; i++)
        if (a->tasks[i].reaches_gpu && is_met(a->tasks[i].verdict))
            return true;
    for (size_t i = 0; a->chains && i < s->chain_count; i++)
        if (chain_reaches(a, &s->chains[i]) &&
            (is_met(a->chains[i].reaction_verdict) || is_met(a->chains[i].age_verdict)))
            return true;
    for (size_t i = 0; a->limits && i < s->limit_count; i++)
        if (limit_reaches(a, &s->limits[i]) &&
            (is_met(a->limits[i].verdict) || a->limits[i].verdict == GCAST_DEADLINE_MISSED))
            return true;
    return false;
}

/* Of one that the GPU can make later, and what the other analysis says of it; GCAST_DEADLINE_NONE: it says nothing. */
static bool compare(sys_answer *a, gcast_deadline_verdict *v, gcast_deadline_verdict other)
{
    if (!is_met(*v) || is_met(other))
        return true;
    a->rests_on_assumed = true;
    *v = GCAST_DEADLINE_MET_IF;
    return false;
}

/* A least time that all of the limit's times are below may be reached. */
static void doubt_missed(const sys_limit *l, sys_limit_answer *r, const sys_limit_answer *other)
{
    bool too_soon = r->verdict == GCAST_DEADLINE_MISSED && r->worst_ns < l->min_ns;
    if (too_soon && (!other || other->verdict != GCAST_DEADLINE_MISSED))
        r->verdict = GCAST_DEADLINE_OPEN;
}

bool answer_compare(sys_answer *a, const sys_answer *other)
{
    const sys_system *s = a->of;
    sys_task_answer *tasks = (sys_task_answer *)(uintptr_t)a->tasks; /* in the answer's memory */
    sys_chain_answer *chains = (sys_chain_answer *)(uintptr_t)a->chains;
    sys_limit_answer *limits = (sys_limit_answer *)(uintptr_t)a->limits;
    const gcast_deadline_verdict none = GCAST_DEADLINE_NONE;
    bool shown = true;
    for (size_t i = 0; i < s->task_count; i++)
        if (tasks[i].reaches_gpu)
            shown &= compare(a, &tasks[i].verdict, other ? other->tasks[i].verdict : none);
    for (size_t i = 0; chains && i < s->chain_count; i++)
        if (chain_reaches(a, &s->chains[i])) {
            shown &= compare(a, &chains[i].reaction_verdict, other ? other->chains[i].reaction_verdict : none);
            shown &= compare(a, &chains[i].age_verdict, other ? other->chains[i].age_verdict : none);
        }
    for (size_t i = 0; limits && i < s->limit_count; i++)
        if (limit_reaches(a, &s->limits[i])) {
            shown &= compare(a, &limits[i].verdict, other ? other->limits[i].verdict : none);
            doubt_missed(&s->limits[i], &limits[i], other ? &other->limits[i] : NULL);
        }
    return shown;
}
