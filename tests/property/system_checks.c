#include "property/system_checks.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/integers.h"
#include "support/draw_system.h"
#include "support/limit_oracle.h"

static bool complain(const sys_system *s, uint64_t seed, const sys_job *job, const char *what, int64_t is,
                     int64_t limit)
{
    fprintf(stderr,
            "seed %" PRIu64 ": job %u of task %d, of %" PRId64 ", released %" PRId64 ", ended %" PRId64 ": %s %" PRId64
            ", limit %" PRId64 "\n",
            seed, job->number, job->task, job->root_release_ns, job->release_ns, job->end_ns, what, is, limit);
    draw_print(s);
    return false;
}

bool system_job_holds(const sys_system *s, uint64_t seed, const sys_task_answer *a, const sys_job *job)
{
    int64_t release = job->release_ns - job->root_release_ns, end = job->end_ns - job->root_release_ns;
    if (release < a->release_min_ns)
        return complain(s, seed, job, "release", release, a->release_min_ns);
    if (release > a->release_max_ns)
        return complain(s, seed, job, "release", release, a->release_max_ns);
    if (job->end_ns < 0)
        return a->worst_ns == SYS_UNBOUNDED || complain(s, seed, job, "never ends", 0, a->worst_ns);
    if (end > a->worst_ns)
        return complain(s, seed, job, "end", end, a->worst_ns);
    if (end < a->best_ns)
        return complain(s, seed, job, "best", end, a->best_ns);
    if (job->end_ns - job->release_ns > a->own_worst_ns)
        return complain(s, seed, job, "own", job->end_ns - job->release_ns, a->own_worst_ns);
    return true;
}

bool system_steps_hold(const sys_run *run, uint64_t seed, const sys_answer *answer)
{
    for (size_t i = 0; i < run->slice_count; i++) {
        const sys_slice *slice = &run->slices[i];
        const sys_job *job = &run->jobs[slice->job];
        const sys_step_times *t = &answer->tasks[job->task].steps[slice->step];
        if (slice->waits)
            continue;
        if (slice->end_ns - job->root_release_ns > t->end_worst_ns)
            return complain(run->of, seed, job, "end of a step", slice->end_ns - job->root_release_ns, t->end_worst_ns);
        if (slice->start_ns - job->root_release_ns < t->start_best_ns)
            return complain(run->of, seed, job, "start of a step", slice->start_ns - job->root_release_ns,
                            t->start_best_ns);
    }
    return true;
}

static bool chain_complains(const sys_system *s, uint64_t seed, size_t chain, const char *what, int64_t is,
                            int64_t limit)
{
    fprintf(stderr, "seed %" PRIu64 ": chain %zu: %s %" PRId64 ", limit %" PRId64 "\n", seed, chain, what, is, limit);
    draw_print(s);
    return false;
}

static bool seen_holds(const sys_system *s, uint64_t seed, size_t i, const sys_latency *l, const chain_seen *seen)
{
    if (seen->first_most > l->first_worst_ns)
        return chain_complains(s, seed, i, "first", seen->first_most, l->first_worst_ns);
    if (seen->reaction_most > l->reaction_worst_ns)
        return chain_complains(s, seed, i, "reaction", seen->reaction_most, l->reaction_worst_ns);
    if (seen->age_most > l->age_worst_ns)
        return chain_complains(s, seed, i, "age", seen->age_most, l->age_worst_ns);
    if (seen->first_least < l->reaction_best_ns)
        return chain_complains(s, seed, i, "best reaction", seen->first_least, l->reaction_best_ns);
    if (seen->age_least < l->age_best_ns)
        return chain_complains(s, seed, i, "best age", seen->age_least, l->age_best_ns);
    return true;
}

bool system_chains_hold(const sys_run *run, uint64_t seed, const sys_answer *answer, chain_seen *most)
{
    const sys_system *s = run->of;
    for (size_t i = 0; i < s->chain_count; i++) {
        chain_seen seen = chain_seen_in_run(run, &s->chains[i]);
        if (!seen_holds(s, seed, i, &answer->chains[i].by[GCAST_COMMUNICATION_IMPLICIT], &seen) ||
            !seen_holds(s, seed, i, &answer->chains[i].by[GCAST_COMMUNICATION_DIRECT], &seen))
            return false;
        most[i].reaction_most = max_i64(most[i].reaction_most, seen.reaction_most);
        most[i].age_most = max_i64(most[i].age_most, seen.age_most);
    }
    return true;
}

bool system_let_holds(const sys_system *s, uint64_t seed, const sys_answer *fixed, const sys_answer *any)
{
    for (size_t i = 0; i < s->chain_count; i++) {
        const sys_latency *f = &fixed->chains[i].by[GCAST_COMMUNICATION_LET],
                          *a = &any->chains[i].by[GCAST_COMMUNICATION_LET];
        bool periodic = true;
        for (size_t k = 0; k < s->chains[i].task_count; k++)
            periodic &= s->tasks[s->tasks[s->chains[i].tasks[k]].root].arrival == SYS_PERIODIC;
        if (!periodic)
            continue;
        chain_seen seen = chain_seen_with_let(s, &s->chains[i], 1200);
        if (!seen_holds(s, seed, i, a, &seen) || !seen_holds(s, seed, i, f, &seen))
            return false;
        if (f->any_phase || seen.first_most != f->first_worst_ns || seen.reaction_most != f->reaction_worst_ns ||
            seen.age_most != f->age_worst_ns || seen.first_least != f->reaction_best_ns ||
            seen.age_least != f->age_best_ns)
            return chain_complains(s, seed, i, "LET differs", seen.first_most, f->first_worst_ns);
    }
    return true;
}

static bool limit_complains(const sys_system *s, uint64_t seed, size_t limit, const char *what, int64_t is,
                            int64_t bound)
{
    const sys_limit *l = &s->limits[limit];
    const sys_event *e[] = {&l->source, &l->target};
    fprintf(stderr, "seed %" PRIu64 ": limit %zu, of kind %d: %s %" PRId64 ", bound %" PRId64 "; task %d from %" PRId64,
            seed, limit, (int)l->kind, what, is, bound, l->task, l->min_ns);
    for (size_t i = 0; i < l->span_count; i++)
        fprintf(stderr, " span %d %zu..%zu", l->spans[i].task, l->spans[i].first, l->spans[i].end);
    for (int i = 0; l->kind == SYS_LIMIT_DELAY && i < 2; i++)
        fprintf(stderr, " event %d data %d at %d of %zu", e[i]->task, (int)e[i]->data, (int)e[i]->points[0].at,
                e[i]->points[0].step);
    fprintf(stderr, " mapping %d\n", (int)l->mapping);
    draw_print(s);
    return false;
}

/* Does an execution show it without slices? */
static bool is_shown(const sys_event *e, gcast_communication how)
{
    return e->points[0].at == SYS_AT_RELEASE || (e->data != SYS_NO_DATA && how != GCAST_COMMUNICATION_DIRECT);
}

bool system_limits_hold(const sys_run *run, uint64_t seed, const sys_answer *answer, gcast_communication how,
                        int64_t *most)
{
    const sys_system *s = run->of;
    for (size_t i = 0; i < s->limit_count; i++) {
        const sys_limit *l = &s->limits[i];
        const sys_limit_answer *a = &answer->limits[i];
        bool shown = l->kind == SYS_LIMIT_RESPONSE ||
                     (l->kind == SYS_LIMIT_DELAY && is_shown(&l->source, how) && is_shown(&l->target, how));
        if (!shown && !run->is_recorded)
            continue;
        limit_seen seen = limit_seen_in_run(run, l, how, seed);
        if (seen.most > a->worst_ns)
            return limit_complains(s, seed, i, "takes", seen.most, a->worst_ns);
        if (seen.waited > a->worst_ns)
            return limit_complains(s, seed, i, "waits", seen.waited, a->worst_ns);
        if (seen.least < a->best_ns)
            return limit_complains(s, seed, i, "takes only", seen.least, a->best_ns);
        most[i] = max_i64(most[i], seen.most);
    }
    return true;
}
