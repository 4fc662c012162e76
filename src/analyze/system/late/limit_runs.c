#include "analyze/system/late/limit_runs.h"

#include <stdlib.h>

#include "analyze/system/effects/task_effects.h"
#include "base/minmax.h"

#define MOST_LOOKS 100000000 /* at jobs and slices, of one execution */

/* What an execution shows of one limit: times that surely are as long, and times that surely are as short. After the
 * horizon nothing is released: what happens then need not happen. */
typedef struct limit_look {
    const sys_answer *a;
    const sys_run *run;
    const sys_limit *l;
    bool has_longest, has_shortest; /* one was seen */
    int64_t longest, shortest;      /* of a pair whose target comes before its source: below 0 */
    int64_t *from, *to;             /* by job: when it happens; -1: it is not shown */
} limit_look;

bool limits_from_below(const sys_system *s)
{
    for (size_t i = 0; i < s->limit_count; i++)
        if (s->limits[i].min_ns > 0)
            return true;
    return false;
}

bool limits_need_slices(const sys_system *s)
{
    for (size_t i = 0; i < s->limit_count; i++)
        if (s->limits[i].kind == SYS_LIMIT_RUNNABLE)
            return true;
    return false;
}

static void note(limit_look *k, int64_t time, bool is_exact)
{
    k->longest = k->has_longest ? max_i64(k->longest, time) : time;
    k->has_longest = true;
    if (!is_exact)
        return;
    k->shortest = k->has_shortest ? min_i64(k->shortest, time) : time;
    k->has_shortest = true;
}

static void look_at_responses(limit_look *k)
{
    for (size_t i = 0; i < k->run->job_count; i++) {
        const sys_job *job = &k->run->jobs[i];
        if (job->task == k->l->task && job->end_ns >= 0 && job->end_ns <= k->run->horizon_ns)
            note(k, job->end_ns - job->release_ns, true);
    }
}

static bool takes_time(const limit_look *k, int task, size_t step)
{
    const sys_step *s = &k->run->of->tasks[task].steps[step];
    return s->kind == SYS_RUN && system_step_time(k->run->of, s, k->run->places[task].core).min_ns > 0;
}

/* From the first step of it that executes to the last: all of it, where both take time. */
static void look_at_span(limit_look *k, const sys_span *span)
{
    const sys_run *run = k->run;
    for (size_t i = 0; i < run->job_count; i++)
        k->from[i] = k->to[i] = -1;
    for (size_t i = 0; i < run->slice_count; i++) {
        const sys_slice *s = &run->slices[i];
        if (run->jobs[s->job].task != span->task || s->waits || s->step < span->first || s->step >= span->end)
            continue;
        if (k->from[s->job] < 0)
            k->from[s->job] = s->start_ns;
        k->to[s->job] = max_i64(k->to[s->job], s->end_ns);
    }
    bool is_whole = takes_time(k, span->task, span->first) && takes_time(k, span->task, span->end - 1);
    for (size_t i = 0; i < run->job_count; i++) {
        int64_t end = min_i64(k->to[i], run->horizon_ns);
        if (k->from[i] >= 0 && end >= k->from[i] && run->jobs[i].end_ns >= 0)
            note(k, end - k->from[i], is_whole && k->to[i] <= run->horizon_ns);
    }
}

/* Where an event is the release, the start or the end of a job. */
static bool times_of_event(const limit_look *k, const sys_event *e, int64_t *times)
{
    const sys_run *run = k->run;
    const sys_task *task = &run->of->tasks[e->task];
    const sys_point *p = &e->points[0];
    bool is_data = e->data != SYS_NO_DATA && k->a->communication != SYS_DIRECT;
    bool is_start = is_data ? e->data == SYS_READ : p->at == SYS_AT_START && p->step == 0;
    bool is_end = is_data ? e->data == SYS_WRITE : p->at == SYS_AT_END && p->step + 1 == task->step_count;
    bool is_release = !is_data && p->at == SYS_AT_RELEASE;
    if ((is_data && k->a->communication == SYS_LET) || (!is_data && e->point_count > 1) ||
        (is_start && !takes_time(k, e->task, 0)) || (!is_start && !is_end && !is_release))
        return false;
    for (size_t i = 0; i < run->job_count; i++) {
        const sys_job *job = &run->jobs[i];
        int64_t time = is_release ? job->release_ns : is_start ? job->start_ns : job->end_ns;
        times[i] = job->task == e->task ? time : -1;
    }
    return true;
}

/* The first job of a task, and the one behind its last; jobs are in order by task. */
static void jobs_of(const sys_run *run, int task, size_t *begin, size_t *end)
{
    for (*begin = 0; *begin < run->job_count && run->jobs[*begin].task != task; ++*begin)
        ;
    for (*end = *begin; *end < run->job_count && run->jobs[*end].task == task; ++*end)
        ;
}

/* Sources and targets are in the order of their jobs, and so in that of time. */
static void look_at_reactions(limit_look *k)
{
    size_t source, source_end, target, target_end;
    int64_t least = max_i64(0, k->l->min_ns), horizon = k->run->horizon_ns;
    jobs_of(k->run, k->l->source.task, &source, &source_end);
    jobs_of(k->run, k->l->target.task, &target, &target_end);
    for (; source < source_end; source++) {
        int64_t from = k->from[source];
        if (from < 0 || from >= horizon)
            continue;
        while (target < target_end && k->to[target] >= 0 && k->to[target] < from + least)
            target++;
        int64_t to = target < target_end && k->to[target] >= 0 ? min_i64(k->to[target], horizon) : horizon;
        note(k, to - from, to < horizon);
    }
}

/* The n-th of both, whichever comes first. Both must have happened when the run has shown all that comes before. */
static void look_at_pairs(limit_look *k)
{
    size_t source, source_end, target, target_end;
    jobs_of(k->run, k->l->source.task, &source, &source_end);
    jobs_of(k->run, k->l->target.task, &target, &target_end);
    for (; source < source_end && target < target_end; source++, target++)
        if (k->from[source] >= 0 && k->from[source] < k->run->horizon_ns && k->to[target] >= 0 &&
            k->to[target] < k->run->horizon_ns)
            note(k, k->to[target] - k->from[source], true);
}

static void look(limit_look *k)
{
    const sys_limit *l = k->l;
    if (l->kind == SYS_LIMIT_RESPONSE)
        look_at_responses(k);
    for (size_t i = 0; i < l->span_count; i++)
        if (l->spans[i].first < l->spans[i].end && !l->spans[i].inside)
            look_at_span(k, &l->spans[i]);
    if (l->kind != SYS_LIMIT_DELAY || !times_of_event(k, &l->source, k->from) || !times_of_event(k, &l->target, k->to))
        return;
    if (l->mapping == SYS_MAPPING_ONE_TO_ONE)
        look_at_pairs(k);
    else
        look_at_reactions(k);
}

/* An execution that breaks the limit; one of a system that can do more than its model shows nothing that surely
 * happens. */
static gcast_status take(limit_look *k, sys_limit_answer *r, int tried, gcast_error *err)
{
    const sys_limit *l = k->l;
    int64_t least = l->kind == SYS_LIMIT_DELAY ? max_i64(0, l->min_ns) : l->min_ns; /* a target follows its source */
    bool is_late = k->has_longest && l->max_ns != SYS_NO_LIMIT && k->longest > l->max_ns;
    bool is_early = k->has_shortest && k->shortest < least;
    bool is_above = k->has_longest && k->longest > r->worst_ns;
    int64_t seen = is_late ? k->longest : k->shortest;
    if (is_above || (k->has_shortest && k->shortest < r->best_ns))
        return gcast_error_set(err, GCAST_INTERNAL, NULL,
                               "limit %s: %lld ns in an execution, beyond its bounds from %lld to %lld ns. This is a "
                               "mistake of gridcast: please report it with this file",
                               l->name, (long long)(is_above ? k->longest : k->shortest), (long long)r->best_ns,
                               (long long)r->worst_ns);
    bool grows = l->kind != SYS_LIMIT_DELAY && is_late;
    if ((is_late || is_early) && r->seen_in == SYS_NONE &&
        verdict_with_effects(GCAST_DEADLINE_MISSED, limit_effects(k->a->tasks, l), grows, true) ==
            GCAST_DEADLINE_MISSED) {
        r->verdict = GCAST_DEADLINE_MISSED;
        r->why_not = NULL;
        r->seen_ns = seen;
        r->seen_in = tried;
    }
    return GCAST_OK;
}

gcast_status limits_look(sys_answer *a, const sys_run *run, int tried, gcast_error *err)
{
    sys_limit_answer *limits = (sys_limit_answer *)a->limits; /* of the answer's own memory */
    size_t count = limits ? a->of->limit_count : 0, looks = run->job_count + run->slice_count + 1;
    gcast_status status = GCAST_OK;
    if (!count)
        return GCAST_OK;
    int64_t *times = calloc(2 * run->job_count + 1, sizeof *times);
    if (!times)
        return gcast_error_set_memory(err);
    for (size_t i = 0, left = MOST_LOOKS / looks; i < count && left && status == GCAST_OK; i++, left--) {
        limit_look k = {.a = a, .run = run, .l = &a->of->limits[i]};
        k.from = times;
        k.to = times + run->job_count;
        look(&k);
        status = take(&k, &limits[i], tried, err);
        a->all_met &= limits[i].verdict != GCAST_DEADLINE_MISSED;
        left -= min_size(left - 1, k.l->span_count);
    }
    free(times);
    return status;
}
