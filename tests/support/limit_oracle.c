#include "support/limit_oracle.h"

#include "base/integers.h"
#include "base/vec.h"
#include "support/support.h"

typedef struct occurrence {
    uint32_t number; /* of the job */
    int64_t time;
} occurrence;

typedef VEC(occurrence) occurrence_list;

/* When a step of a job first executed, and when it last did; false: it is not shown. */
static bool step_times(const sys_run *run, size_t job, size_t step, int64_t *start, int64_t *end)
{
    bool found = false;
    for (size_t i = 0; i < run->slice_count; i++) {
        const sys_slice *s = &run->slices[i];
        if (s->job != job || s->step != step || s->waits)
            continue;
        *start = found ? min_i64(*start, s->start_ns) : s->start_ns;
        *end = found ? max_i64(*end, s->end_ns) : s->end_ns;
        found = true;
    }
    return found;
}

static void add(occurrence_list *list, uint32_t number, int64_t time)
{
    occurrence o = {number, time};
    assert_true(vec_push(list, o));
}

/* When a job first had its core: a trigger that it begins with takes no time. */
static int64_t start_of(const sys_run *run, size_t job)
{
    const sys_step *first = &run->of->tasks[run->jobs[job].task].steps[0];
    for (size_t i = 0; first->kind == SYS_TRIGGER && i < run->job_count; i++)
        if (run->jobs[i].task == first->task && run->jobs[i].number == run->jobs[job].number)
            return run->jobs[i].release_ns;
    return run->jobs[job].start_ns;
}

/* With LET all that counts are releases of the root. */
static occurrence_list with_let(const sys_run *run, const sys_event *e)
{
    occurrence_list list = {0};
    const sys_task *task = &run->of->tasks[e->task];
    for (size_t i = 0; i < run->job_count; i++)
        if (run->jobs[i].task == task->root)
            add(&list, run->jobs[i].number, run->jobs[i].root_release_ns + (e->data == SYS_READ ? 0 : task->period_ns));
    return list;
}

/* A source happens at the first and the last time that it can, a target at one of all times. */
static void add_any(const sys_job *j, int64_t start, int64_t end, bool is_source, uint64_t seed, occurrence_list *list)
{
    if (is_source) {
        add(list, j->number, start);
        add(list, j->number, end);
        return;
    }
    support_random r = {seed + j->number};
    support_next(&r);
    add(list, j->number, support_between(&r, start, end));
}

static occurrence_list occurrences(const sys_run *run, const sys_event *e, gcast_communication how, bool is_source,
                                   uint64_t seed)
{
    occurrence_list list = {0};
    const sys_point *p = &e->points[0];
    if (e->data != SYS_NO_DATA && how == GCAST_COMMUNICATION_LET)
        return with_let(run, e);
    for (size_t i = 0; i < run->job_count; i++) {
        const sys_job *j = &run->jobs[i];
        int64_t start, end;
        if (j->task != e->task)
            continue;
        if (e->data != SYS_NO_DATA && how == GCAST_COMMUNICATION_IMPLICIT && j->end_ns < 0)
            continue;
        if (e->data != SYS_NO_DATA && how == GCAST_COMMUNICATION_IMPLICIT)
            add(&list, j->number, e->data == SYS_READ ? start_of(run, i) : j->end_ns);
        else if (p->at == SYS_AT_RELEASE)
            add(&list, j->number, j->release_ns);
        else if (p->at == SYS_AT_END && p->step + 1 == run->of->tasks[e->task].step_count && j->end_ns >= 0)
            add(&list, j->number, j->end_ns);
        else if (!step_times(run, i, p->step, &start, &end))
            continue;
        else if (p->at == SYS_AT_ANY)
            add_any(j, start, end, is_source, seed, &list);
        else
            add(&list, j->number, p->at == SYS_AT_START ? start : end);
    }
    return list;
}

static void note(limit_seen *seen, int64_t time)
{
    seen->least = min_i64(seen->least, time);
    seen->most = max_i64(seen->most, time);
}

/* After the horizon jobs are missing: a target that is later need not be the first. */
static void note_reaction(const sys_run *run, int64_t source, const occurrence_list *targets, int64_t least,
                          limit_seen *seen)
{
    int64_t first = INT64_MAX;
    for (size_t k = 0; k < targets->count; k++)
        if (targets->at[k].time >= source + least)
            first = min_i64(first, targets->at[k].time);
    if (first < run->horizon_ns)
        note(seen, first - source);
    else
        seen->waited = max_i64(seen->waited, run->horizon_ns - source);
}

static void note_delays(const sys_run *run, const sys_limit *l, gcast_communication how, uint64_t seed,
                        limit_seen *seen)
{
    occurrence_list sources = occurrences(run, &l->source, how, true, seed);
    occurrence_list targets = occurrences(run, &l->target, how, false, seed);
    for (size_t i = 0; i < sources.count; i++) {
        if (l->mapping == SYS_MAPPING_REACTION)
            note_reaction(run, sources.at[i].time, &targets, max_i64(0, l->min_ns), seen);
        for (size_t k = 0; k < targets.count && l->mapping == SYS_MAPPING_ONE_TO_ONE; k++)
            if (targets.at[k].number == sources.at[i].number)
                note(seen, targets.at[k].time - sources.at[i].time);
    }
    vec_free(&sources);
    vec_free(&targets);
}

limit_seen limit_seen_in_run(const sys_run *run, const sys_limit *l, gcast_communication how, uint64_t seed)
{
    limit_seen seen = {INT64_MAX, INT64_MIN, INT64_MIN};
    for (size_t i = 0; i < run->job_count; i++)
        if (run->jobs[i].end_ns < 0)
            return seen; /* which of its steps have ended is not shown */
    if (l->kind == SYS_LIMIT_DELAY)
        note_delays(run, l, how, seed, &seen);
    for (size_t i = 0; i < run->job_count && l->kind != SYS_LIMIT_DELAY; i++) {
        const sys_job *j = &run->jobs[i];
        int64_t start, end, other;
        if (l->kind == SYS_LIMIT_RESPONSE && j->task == l->task && j->end_ns >= 0)
            note(&seen, j->end_ns - j->release_ns);
        for (size_t k = 0; k < l->span_count; k++)
            if (j->task == l->spans[k].task && step_times(run, i, l->spans[k].first, &start, &other) &&
                step_times(run, i, l->spans[k].end - 1, &other, &end))
                note(&seen, end - start);
    }
    return seen;
}
