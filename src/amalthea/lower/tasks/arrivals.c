#include "amalthea/lower/tasks/arrivals.h"

#include "amalthea/lower/findings.h"

#define DAY_NS INT64_C(86400000000000)
#define PS 1000

typedef struct arriving {
    lowering *l;
    const am_task *task;
    const am_stimulus *st;
    sys_task *t;
} arriving;

static gcast_status bad(const arriving *a, const char *what)
{
    return lower_error(a->l, a->st->at, "Stimulus %s of task %s %s.", a->st->name, a->task->name, what);
}

/* The offset, down to ns: a release may be a nanosecond later than that. */
static gcast_status set_offset(const arriving *a, int64_t offset_ps)
{
    if (offset_ps < 0 || offset_ps / PS > DAY_NS)
        return bad(a, "has an offset below 0 or above a day");
    a->t->offset_ns = offset_ps / PS;
    if (offset_ps % PS)
        a->t->jitter_ns++;
    return GCAST_OK;
}

/* Releases at least so far apart. */
static gcast_status sporadic(const arriving *a, int64_t distance_ps)
{
    if (distance_ps / PS < 1)
        return bad(a, "does not say how far releases are apart at least");
    a->t->arrival = SYS_SPORADIC;
    a->t->period_ns = distance_ps / PS < DAY_NS ? distance_ps / PS : DAY_NS;
    return GCAST_OK;
}

static gcast_status regular(const arriving *a, int64_t period_ps)
{
    if (period_ps < PS)
        return bad(a, "does not say how often it comes: it has no recurrence of at least 1 ns");
    if (period_ps / PS > DAY_NS)
        return bad(a, "has a recurrence above a day");
    if (period_ps % PS == 0) {
        a->t->arrival = SYS_PERIODIC;
        a->t->period_ns = period_ps / PS;
        return GCAST_OK;
    }
    gcast_status status = finding_of_task(a->l, a->st->at, (size_t)(a->task - a->l->m->tasks), SYS_APPROXIMATED,
                                          "The recurrence of stimulus %s is no whole number of nanoseconds: task %s is "
                                          "taken as sporadic.",
                                          a->st->name, a->task->name);
    return status == GCAST_OK ? sporadic(a, period_ps) : status;
}

/* A release may be so much later than its regular time, or earlier: the earliest is the nominal one here. */
static gcast_status jitter_of(const arriving *a, int64_t *offset_ps)
{
    const am_value *j = &a->st->jitter;
    if (!j->given)
        return GCAST_OK;
    if (!j->bounded_above || !j->bounded_below)
        return bad(a, "has a jitter without bounds");
    if (j->upper < j->lower || j->upper / PS > DAY_NS || j->lower / PS < -DAY_NS)
        return bad(a, "has a jitter out of range");
    a->t->jitter_ns += (j->upper - j->lower + PS - 1) / PS;
    *offset_ps += j->lower;
    for (int tries = 0; *offset_ps < 0 && tries < 1000; tries++)
        *offset_ps += a->st->recurrence_ps; /* the first release is later: what comes before 0 does not matter */
    return GCAST_OK;
}

static gcast_status periodic(const arriving *a)
{
    int64_t offset_ps = a->st->offset_ps;
    gcast_status status = regular(a, a->st->recurrence_ps);
    if (status == GCAST_OK)
        status = jitter_of(a, &offset_ps);
    if (status == GCAST_OK)
        status = set_offset(a, offset_ps);
    if (status == GCAST_OK && a->st->min_distance_ps > a->st->recurrence_ps)
        status = finding_doubt_of_task(
            a->l, a->st->at, (size_t)(a->task - a->l->m->tasks), SYS_APPROXIMATED,
            "Stimulus %s has a minimum distance that is longer than its recurrence: the recurrence "
            "is taken.",
            a->st->name);
    else if (status == GCAST_OK && a->st->min_distance_ps > a->st->recurrence_ps - a->t->jitter_ns * PS)
        status = finding_of_task(a->l, a->st->at, (size_t)(a->task - a->l->m->tasks), SYS_APPROXIMATED,
                                 "The minimum distance of stimulus %s is not used: its jitter may bring releases of "
                                 "task %s closer.",
                                 a->st->name, a->task->name);
    return status;
}

/* The next so much after the last. */
static gcast_status by_distance(const arriving *a)
{
    const am_value *next = &a->st->next_ps;
    if (!next->given || !next->bounded_below)
        return bad(a, "does not say how far releases are apart at least");
    gcast_status status = sporadic(a, next->lower);
    if (next->bounded_above && next->upper / PS <= DAY_NS)
        a->t->longest_ns = next->upper / PS > a->t->period_ns ? next->upper / PS : a->t->period_ns;
    return status == GCAST_OK ? set_offset(a, a->st->offset_ps) : status;
}

static gcast_status once(const arriving *a)
{
    a->t->arrival = SYS_SPORADIC;
    a->t->once = true;
    a->t->period_ns = DAY_NS;
    return set_offset(a, a->st->occurrence_ps);
}

/* Distance from an occurrence to the next, that of the next round after the last. */
static int64_t gap(const am_stimulus *st, size_t i)
{
    bool last = i + 1 == st->occurrence_count;
    int64_t next = last ? st->occurrences[0] : st->occurrences[i + 1], d;
    if (__builtin_sub_overflow(next, st->occurrences[i], &d))
        return -1;
    if (last && __builtin_add_overflow(d, st->recurrence_ps, &d))
        return -1;
    return d;
}

/* A list of times, over and over. */
static gcast_status synthetic(const arriving *a)
{
    const am_stimulus *st = a->st;
    if (!st->occurrence_count)
        return bad(a, "has no times at which it comes");
    if (st->recurrence_ps < PS)
        return bad(a, "does not say how often it comes: it has no recurrence of at least 1 ns");
    int64_t least = INT64_MAX, most = 0;
    for (size_t i = 0; i < st->occurrence_count; i++) {
        int64_t d = gap(st, i);
        least = d < least ? d : least;
        most = d > most ? d : most;
    }
    if (least < PS)
        return bad(a, "has times that are not in order, or are the same");
    int64_t first = st->occurrences[0];
    if (__builtin_add_overflow(first, st->offset_ps, &first))
        return bad(a, "has an offset below 0 or above a day");
    if (least == most) {
        gcast_status status = regular(a, least);
        return status == GCAST_OK ? set_offset(a, first) : status;
    }
    gcast_status status = finding_of_task(a->l, st->at, (size_t)(a->task - a->l->m->tasks), SYS_APPROXIMATED,
                                          "Stimulus %s comes at times that are not evenly apart: task %s is taken as "
                                          "sporadic, with the least distance.",
                                          st->name, a->task->name);
    return status == GCAST_OK ? sporadic(a, least) : status;
}

static gcast_status arrival_curve(const arriving *a)
{
    if (!a->st->occurrence_count)
        return bad(a, "has no arrival curve: the least distance of two releases is missing");
    gcast_status status = sporadic(a, a->st->occurrences[0]);
    if (status != GCAST_OK || a->st->occurrence_count < 2)
        return status;
    return finding_of_task(a->l, a->st->at, (size_t)(a->task - a->l->m->tasks), SYS_APPROXIMATED,
                           "Of the arrival curve of stimulus %s only the distance of two releases is used: bounds are "
                           "larger than they need be.",
                           a->st->name);
}

gcast_status arrival_of(lowering *l, size_t task, sys_task *t)
{
    arriving a = {l, &l->m->tasks[task], &l->m->stimuli[l->tasks[task].stimulus], t};
    switch (a.st->kind) {
    case AM_STIMULUS_PERIODIC:
        return periodic(&a);
    case AM_STIMULUS_RELATIVE:
    case AM_STIMULUS_SPORADIC:
        return by_distance(&a);
    case AM_STIMULUS_SINGLE:
        return once(&a);
    case AM_STIMULUS_SYNTHETIC:
        return synthetic(&a);
    case AM_STIMULUS_ARRIVAL_CURVE:
        return arrival_curve(&a);
    case AM_STIMULUS_VARIABLE_RATE:
        return bad(&a, "has a rate that varies: the least distance of two releases is missing");
    case AM_STIMULUS_EVENT:
        return bad(&a, "comes with events: how far these are apart at least is missing");
    default:
        return bad(&a, "is of the modeller's own kind: the least distance of two releases is missing");
    }
}
