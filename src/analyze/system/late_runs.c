/* Executions against an answer: responses of tasks, limits, and latencies of chains. */
#include "analyze/system/late_runs.h"

#include <stdlib.h>

#include "analyze/system/answer_caveats.h"
#include "base/integers.h"
#include "model/system_answer.h"
#include "model/system_run.h"
#include "simulate/system/system_simulate.h"

#define MAX_WORK 100000    /* jobs of all executions together, where */
#define BLOCKS_OF_A_JOB 64 /* so many blocks of a kernel count as one more job */
#define MAX_TRIED 32       /* executions */

/* Limits on the comparison of one execution. */
#define MOST_LIMIT_VISITS 100000000 /* of jobs and slices, for limits */
#define MOST_CHAIN_VISITS 1000000   /* of jobs, for chains */

/* Jobs of a task, in the order of their releases: jobs first to end - 1 of the run. */
typedef struct job_row {
    size_t first, end;
} job_row;

static job_row jobs_of(const sys_run *run, int task)
{
    job_row row = {0, 0};
    while (row.first < run->job_count && run->jobs[row.first].task != task)
        row.first++;
    for (row.end = row.first; row.end < run->job_count && run->jobs[row.end].task == task;)
        row.end++;
    return row;
}

/* Does a step surely execute for some time, so that slices show when it begins? */
static bool takes_time(const sys_run *run, int task, size_t step)
{
    const sys_step *s = &run->of->tasks[task].steps[step];
    return s->kind == SYS_RUN && system_step_time(run->of, s, run->places[task].core).min_ns > 0;
}

/* What an execution shows of one limit: a time that it surely reaches, and a time that it surely does not exceed.
 * Nothing is released after the horizon, so events after it prove nothing. */
typedef struct limit_view {
    const sys_answer *a;
    const sys_run *run;
    const sys_limit *l;
    bool has_longest, has_shortest;
    int64_t longest, shortest; /* below 0 where a target comes before its source */
    int64_t *from, *to;        /* by job: times of source and target; -1: not shown */
} limit_view;

/* Can an execution with the shortest times break a limit of the system? */
static bool limits_from_below(const sys_system *s)
{
    for (size_t i = 0; i < s->limit_count; i++)
        if (s->limits[i].min_ns > 0)
            return true;
    return false;
}

/* Are slices needed to observe a limit of the system? */
static bool limits_need_slices(const sys_system *s)
{
    for (size_t i = 0; i < s->limit_count; i++)
        if (s->limits[i].kind == SYS_LIMIT_RUNNABLE)
            return true;
    return false;
}

/* `is_exact`: the time is this long in the execution; else it is at least this long. */
static void note_time(limit_view *view, int64_t time, bool is_exact)
{
    view->longest = view->has_longest ? max_i64(view->longest, time) : time;
    view->has_longest = true;
    if (!is_exact)
        return;
    view->shortest = view->has_shortest ? min_i64(view->shortest, time) : time;
    view->has_shortest = true;
}

static void view_responses(limit_view *view)
{
    for (size_t i = 0; i < view->run->job_count; i++) {
        const sys_job *job = &view->run->jobs[i];
        if (job->task == view->l->task && job->end_ns >= 0 && job->end_ns <= view->run->horizon_ns)
            note_time(view, job->end_ns - job->release_ns, true);
    }
}

/* From the first executed step of a span to the last; that is the whole span if its first and last steps take time. */
static void view_span(limit_view *view, const sys_span *span)
{
    const sys_run *run = view->run;
    for (size_t i = 0; i < run->job_count; i++)
        view->from[i] = view->to[i] = -1;
    for (size_t i = 0; i < run->slice_count; i++) {
        const sys_slice *s = &run->slices[i];
        if (run->jobs[s->job].task != span->task || s->waits || s->step < span->first || s->step >= span->end)
            continue;
        if (view->from[s->job] < 0)
            view->from[s->job] = s->start_ns;
        view->to[s->job] = max_i64(view->to[s->job], s->end_ns);
    }
    bool is_whole = takes_time(run, span->task, span->first) && takes_time(run, span->task, span->end - 1);
    for (size_t i = 0; i < run->job_count; i++) {
        int64_t end = min_i64(view->to[i], run->horizon_ns);
        if (view->from[i] >= 0 && end >= view->from[i] && run->jobs[i].end_ns >= 0)
            note_time(view, end - view->from[i], is_whole && view->to[i] <= run->horizon_ns);
    }
}

/* Fills in the times of an event by job. False if it is not the release, the start or the end of a job. */
static bool times_of_event(const limit_view *view, const sys_event *e, int64_t *times)
{
    const sys_run *run = view->run;
    const sys_task *task = &run->of->tasks[e->task];
    const sys_point *p = &e->points[0];
    bool is_data = e->data != SYS_NO_DATA && view->a->communication != GCAST_COMMUNICATION_DIRECT;
    bool is_start = is_data ? e->data == SYS_READ : p->at == SYS_AT_START && p->step == 0;
    bool is_end = is_data ? e->data == SYS_WRITE : p->at == SYS_AT_END && p->step + 1 == task->step_count;
    bool is_release = !is_data && p->at == SYS_AT_RELEASE;
    if ((is_data && view->a->communication == GCAST_COMMUNICATION_LET) || (!is_data && e->point_count > 1) ||
        (is_start && !takes_time(run, e->task, 0)) || (!is_start && !is_end && !is_release))
        return false;
    for (size_t i = 0; i < run->job_count; i++) {
        const sys_job *job = &run->jobs[i];
        int64_t time = is_release ? job->release_ns : is_start ? job->start_ns : job->end_ns;
        times[i] = job->task == e->task ? time : -1;
    }
    return true;
}

/* Jobs are in the order of time, and so are sources and targets. */
static void view_reactions(limit_view *view)
{
    job_row sources = jobs_of(view->run, view->l->source.task), targets = jobs_of(view->run, view->l->target.task);
    int64_t least = max_i64(0, view->l->min_ns), horizon = view->run->horizon_ns;
    size_t target = targets.first;
    for (size_t source = sources.first; source < sources.end; source++) {
        int64_t from = view->from[source];
        if (from < 0 || from >= horizon)
            continue;
        while (target < targets.end && view->to[target] >= 0 && view->to[target] < from + least)
            target++;
        int64_t to = target < targets.end && view->to[target] >= 0 ? min_i64(view->to[target], horizon) : horizon;
        note_time(view, to - from, to < horizon);
    }
}

/* Pairs the n-th source with the n-th target, whichever comes first. Both must lie before the horizon. */
static void view_pairs(limit_view *view)
{
    job_row sources = jobs_of(view->run, view->l->source.task), targets = jobs_of(view->run, view->l->target.task);
    size_t source = sources.first, target = targets.first;
    for (; source < sources.end && target < targets.end; source++, target++)
        if (view->from[source] >= 0 && view->from[source] < view->run->horizon_ns && view->to[target] >= 0 &&
            view->to[target] < view->run->horizon_ns)
            note_time(view, view->to[target] - view->from[source], true);
}

static void view_limit(limit_view *view)
{
    const sys_limit *l = view->l;
    if (l->kind == SYS_LIMIT_RESPONSE)
        view_responses(view);
    for (size_t i = 0; i < l->span_count; i++)
        if (l->spans[i].first < l->spans[i].end && !l->spans[i].inside)
            view_span(view, &l->spans[i]);
    if (l->kind != SYS_LIMIT_DELAY || !times_of_event(view, &l->source, view->from) ||
        !times_of_event(view, &l->target, view->to))
        return;
    if (l->mapping == SYS_MAPPING_ONE_TO_ONE)
        view_pairs(view);
    else
        view_reactions(view);
}

/* Sets the verdict if the execution breaks the limit. If the model allows more than the real system can do, an
 * execution does not prove a miss. */
static gcast_status check_limit(limit_view *view, sys_limit_answer *r, int tried, gcast_error *err)
{
    const sys_limit *l = view->l;
    int64_t least =
        l->kind == SYS_LIMIT_DELAY ? max_i64(0, l->min_ns) : l->min_ns; /* a target comes after its source */
    bool is_late = view->has_longest && l->max_ns != SYS_NO_LIMIT && view->longest > l->max_ns;
    bool is_early = view->has_shortest && view->shortest < least;
    bool is_above = view->has_longest && view->longest > r->worst_ns;
    int64_t seen = is_late ? view->longest : view->shortest;
    if (is_above || (view->has_shortest && view->shortest < r->best_ns))
        return gcast_error_set(err, GCAST_INTERNAL, NULL,
                               "limit %s: %lld ns in an execution, beyond its bounds from %lld to %lld ns. This is a "
                               "defect of gridcast: please report it with this file",
                               l->name, (long long)(is_above ? view->longest : view->shortest), (long long)r->best_ns,
                               (long long)r->worst_ns);
    bool grows = l->kind != SYS_LIMIT_DELAY && is_late;
    if ((is_late || is_early) && r->seen_in == SYS_NONE &&
        verdict_with_effects(GCAST_DEADLINE_MISSED, limit_effects(view->a->tasks, l), grows, true) ==
            GCAST_DEADLINE_MISSED) {
        r->verdict = GCAST_DEADLINE_MISSED;
        r->why_not = NULL;
        r->seen_ns = seen;
        r->seen_in = tried;
    }
    return GCAST_OK;
}

/* Checks all limits that the execution shows; `tried`: its index in tried[]. A time out of bounds is GCAST_INTERNAL. */
static gcast_status check_limits(sys_answer *a, const sys_run *run, int tried, gcast_error *err)
{
    sys_limit_answer *limits = (sys_limit_answer *)a->limits; /* the answer's own memory */
    size_t count = limits ? a->of->limit_count : 0, visits = run->job_count + run->slice_count + 1;
    gcast_status status = GCAST_OK;
    if (!count)
        return GCAST_OK;
    int64_t *times = calloc(2 * run->job_count + 1, sizeof *times);
    if (!times)
        return gcast_error_set_memory(err);
    for (size_t i = 0, left = MOST_LIMIT_VISITS / visits; i < count && left && status == GCAST_OK; i++, left--) {
        limit_view view = {.a = a, .run = run, .l = &a->of->limits[i]};
        view.from = times;
        view.to = times + run->job_count;
        view_limit(&view);
        status = check_limit(&view, &limits[i], tried, err);
        a->all_met &= limits[i].verdict != GCAST_DEADLINE_MISSED;
        left -= min_size(left - 1, view.l->span_count);
    }
    free(times);
    return status;
}

/* Does data go from job to job only by reading and writing, without triggers and waits? And are all readings shown? */
static bool is_sampled(const sys_run *run, const sys_chain *chain)
{
    const sys_system *s = run->of;
    for (size_t i = 0; i < chain->task_count; i++)
        if (!takes_time(run, chain->tasks[i], 0))
            return false;
    for (size_t i = 0; i < chain->task_count; i++)
        for (size_t k = 0; k < i; k++)
            if (s->tasks[chain->tasks[i]].root == s->tasks[chain->tasks[k]].root)
                return false;
    return true;
}

static bool is_over(const sys_run *run, const sys_job *job)
{
    return job->start_ns >= 0 && job->end_ns >= 0 && job->end_ns <= run->horizon_ns;
}

/* From the release of a job of the first task to the first output that depends on it; -1: not shown. */
static int64_t first_output(const sys_run *run, const sys_chain *chain, const sys_job *from)
{
    const sys_job *job = from;
    for (size_t i = 1; i < chain->task_count && job; i++) {
        job_row row = jobs_of(run, chain->tasks[i]);
        int64_t written = job->end_ns;
        job = NULL;
        for (size_t k = row.first; k < row.end && !job; k++)
            if (run->jobs[k].start_ns >= written)
                job = is_over(run, &run->jobs[k]) ? &run->jobs[k] : NULL;
            else if (run->jobs[k].start_ns < 0)
                break;
    }
    return job ? job->end_ns - from->root_release_ns : -1;
}

/* From the reading of the first task to this output that depends on it; -1: nothing had been written yet. */
static int64_t age_of(const sys_run *run, const sys_chain *chain, const sys_job *last)
{
    const sys_job *job = last;
    for (size_t i = chain->task_count - 1; i-- > 0 && job;) {
        job_row row = jobs_of(run, chain->tasks[i]);
        int64_t read = job->start_ns;
        job = NULL;
        for (size_t k = row.first; k < row.end; k++)
            if (is_over(run, &run->jobs[k]) && run->jobs[k].end_ns <= read)
                job = &run->jobs[k];
    }
    return job ? last->end_ns - job->start_ns : -1;
}

static gcast_status chain_contradicts(const sys_chain *chain, const char *what, int64_t seen, int64_t bound,
                                      gcast_error *err)
{
    return gcast_error_set(err, GCAST_INTERNAL, NULL,
                           "chain %s: its %s is %lld ns in an execution, more than its bound of %lld ns. This is a "
                           "defect of gridcast: please report it with this file",
                           chain->name, what, (long long)seen, (long long)bound);
}

static gcast_status check_chain(const sys_answer *a, const sys_run *run, size_t chain, gcast_error *err)
{
    const sys_chain *def = &a->of->chains[chain];
    const sys_latency *l = &a->chains[chain].by[GCAST_COMMUNICATION_IMPLICIT];
    job_row firsts = jobs_of(run, def->tasks[0]), lasts = jobs_of(run, def->tasks[def->task_count - 1]);
    for (size_t i = firsts.first; i < firsts.end; i++) {
        int64_t seen = is_over(run, &run->jobs[i]) ? first_output(run, def, &run->jobs[i]) : -1;
        if (seen > l->first_worst_ns)
            return chain_contradicts(def, "reaction", seen, l->first_worst_ns, err);
    }
    for (size_t i = lasts.first; i < lasts.end; i++) {
        int64_t seen = is_over(run, &run->jobs[i]) ? age_of(run, def, &run->jobs[i]) : -1;
        if (seen > l->age_worst_ns)
            return chain_contradicts(def, "age", seen, l->age_worst_ns, err);
    }
    return GCAST_OK;
}

/* Follows data from job to job in sampled chains. A latency beyond its bound is GCAST_INTERNAL. */
static gcast_status check_chains(const sys_answer *a, const sys_run *run, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    size_t visits = 0;
    for (size_t i = 0; a->chains && i < a->of->chain_count && status == GCAST_OK; i++) {
        const sys_chain *chain = &a->of->chains[i];
        job_row firsts = jobs_of(run, chain->tasks[0]), lasts = jobs_of(run, chain->tasks[chain->task_count - 1]);
        size_t ends = firsts.end - firsts.first + lasts.end - lasts.first;
        visits += ends * chain->task_count * run->job_count;
        if (visits > MOST_CHAIN_VISITS)
            break;
        if (is_sampled(run, chain))
            status = check_chain(a, run, i, err);
    }
    return status;
}

static int64_t longest_period(const sys_system *s)
{
    int64_t longest = 1;
    for (size_t i = 0; i < s->task_count; i++)
        longest = max_i64(longest, (system_runs_once(s, (int)i) ? 1 : s->tasks[i].period_ns) + s->tasks[i].offset_ns);
    return longest;
}

/* The work to simulate one job of a task, in jobs; at most MAX_WORK + 1. */
static int64_t work_of(const sys_answer *a, size_t task)
{
    const sys_task *t = &a->of->tasks[task];
    uint64_t work = 1;
    for (size_t i = 0; a->places[task].core == SYS_GPU && i < t->step_count && work <= MAX_WORK; i++)
        if (t->steps[i].op.kind == GCAST_KIND_KERNEL)
            work +=
                (uint64_t)t->steps[i].op.grid[0] * t->steps[i].op.grid[1] / BLOCKS_OF_A_JOB * t->steps[i].op.grid[2];
    return work > MAX_WORK ? MAX_WORK + 1 : (int64_t)work;
}

/* The work to simulate an execution up to the horizon, in jobs; at most MAX_WORK + 1. */
static int64_t count_work(const sys_answer *a, int64_t horizon_ns)
{
    int64_t work = 0;
    for (size_t i = 0; i < a->of->task_count && work <= MAX_WORK; i++) {
        int64_t jobs = min_i64(horizon_ns / a->of->tasks[i].period_ns + 1, MAX_WORK + 1);
        work += jobs * work_of(a, i);
    }
    return min_i64(work, MAX_WORK + 1);
}

/* The number of jobs up to the horizon; at most MAX_WORK + 1. */
static int64_t count_jobs(const sys_answer *a, int64_t horizon_ns)
{
    int64_t jobs = 0;
    for (size_t i = 0; i < a->of->task_count && jobs <= MAX_WORK; i++)
        jobs += min_i64(horizon_ns / a->of->tasks[i].period_ns + 1, MAX_WORK + 1);
    return min_i64(jobs, MAX_WORK + 1);
}

/* A horizon so long that the slowest task meets the others in many ways, and so short that several executions can be
 * tried. If the slowest task is very rare, such as one that runs once, the horizon covers only a part of its period. */
static int64_t choose_horizon(const sys_answer *a)
{
    int64_t horizon = longest_period(a->of);
    while (horizon > 1 && count_jobs(a, horizon) > MAX_WORK / 2)
        horizon /= 2;
    for (int doubled = 0; doubled < 5 && count_work(a, horizon * 2) <= MAX_WORK / 8; doubled++)
        horizon *= 2;
    return horizon;
}

static gcast_status task_contradicts(const sys_task *def, const sys_job *job, int64_t response, int64_t worst_ns,
                                     gcast_error *err)
{
    return gcast_error_set(err, GCAST_INTERNAL, NULL,
                           "task %s: job %u takes %lld ns in an execution, more than its bound of %lld ns. This is a "
                           "defect of gridcast: please report it with this file",
                           def->name, job->number, (long long)response, (long long)worst_ns);
}

/* Nothing is released after the horizon, so a job that has not ended there counts as ending there: it takes at least
 * that long. */
static gcast_status check_jobs(sys_answer *a, sys_task_answer *tasks, const sys_run *run, int tried, gcast_error *err)
{
    for (size_t i = 0; i < run->job_count; i++) {
        const sys_job *job = &run->jobs[i];
        sys_task_answer *t = &tasks[job->task];
        const sys_task *def = &a->of->tasks[job->task];
        bool ended = job->end_ns >= 0 && job->end_ns <= run->horizon_ns;
        int64_t until = ended ? job->end_ns : run->horizon_ns;
        int64_t response = until - job->root_release_ns, own = until - job->release_ns;
        if (t->worst_ns != SYS_UNBOUNDED && response > t->worst_ns)
            return task_contradicts(def, job, response, t->worst_ns, err);
        if (t->own_worst_ns != SYS_UNBOUNDED && own > t->own_worst_ns)
            return task_contradicts(def, job, own, t->own_worst_ns, err);
        if (response > t->seen_ns) {
            t->seen_ns = response;
            t->seen_in = tried;
        }
        if (!def->deadline_ns || own <= def->deadline_ns)
            continue;
        a->all_met = false;
        if (t->verdict == GCAST_DEADLINE_MISSED)
            continue;
        t->verdict = verdict_with_effects(GCAST_DEADLINE_MISSED, t->effects, true, true);
        t->missed_in = t->verdict == GCAST_DEADLINE_MISSED ? tried : SYS_NONE;
    }
    return GCAST_OK;
}

static gcast_status try_one(sys_answer *a, sys_task_answer *tasks, const sys_tried *own, gcast_error *err)
{
    sys_simulate_options o = {.durations = own->longest    ? GCAST_DURATIONS_MAX
                                           : own->shortest ? GCAST_DURATIONS_MIN
                                                           : GCAST_DURATIONS_RANDOM,
                              .seed = own->seed,
                              .random_offsets = own->random_offsets,
                              .random_jitter = own->seed > 0,
                              .horizon_ns = own->horizon_ns,
                              .record_slices = limits_need_slices(a->of)};
    sys_run *run;
    gcast_status status = system_simulate(a->of, a->places, &o, &run, err);
    if (status != GCAST_OK)
        return status;
    status = check_jobs(a, tasks, run, (int)a->tried_count, err);
    if (status == GCAST_OK)
        status = check_limits(a, run, (int)a->tried_count, err);
    if (status == GCAST_OK)
        status = check_chains(a, run, err);
    system_run_free(run);
    return status;
}

gcast_status system_look_for_late(sys_answer *a, bool ignore_offsets, gcast_error *err)
{
    sys_tried *tried = arena_alloc_array(&a->memory, MAX_TRIED, sizeof *tried);
    if (!tried)
        return gcast_error_set_memory(err);
    sys_task_answer *tasks = (sys_task_answer *)a->tasks; /* the answer's own memory */
    int64_t horizon = choose_horizon(a);
    int64_t times = max_i64(2, min_i64(MAX_WORK / count_work(a, horizon), MAX_TRIED));
    for (size_t i = 0; i < a->of->task_count; i++) {
        tasks[i].seen_ns = -1;
        tasks[i].seen_in = tasks[i].missed_in = SYS_NONE;
    }
    a->tried = tried;
    for (a->tried_count = 0; (int64_t)a->tried_count < times; a->tried_count++) {
        sys_tried *current = &tried[a->tried_count];
        bool shortest = a->tried_count == 1 && (times > 2 || limits_from_below(a->of));
        *current = (sys_tried){.longest = a->tried_count == 0,
                               .shortest = shortest,
                               .seed = shortest ? 0 : a->tried_count,
                               .random_offsets = ignore_offsets && a->tried_count > 0 && !shortest,
                               .horizon_ns = horizon};
        gcast_status status = try_one(a, tasks, current, err);
        if (status != GCAST_OK)
            return status;
    }
    return GCAST_OK;
}
