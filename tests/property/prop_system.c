/* Random systems of cores and a GPU against their analysis: no job of any execution ends later than its bound, or
 * sooner than its best case. GRIDCAST_PROPERTY_RUNS sets how many systems (default 300), GRIDCAST_ATTACK_EXECUTIONS how
 * many executions of each (default 20). `prop_system SEED` shows one system. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/system/late_runs.h"
#include "analyze/system/system_analysis.h"
#include "base/integers.h"
#include "base/vec.h"
#include "property/system_checks.h"
#include "simulate/system/system_simulate.h"
#include "support/builders.h"
#include "support/draw_limits.h"
#include "support/draw_system.h"

#define TIES 64 /* places in an order of tasks of equal priority */

typedef VEC(double) ratios;

typedef struct tally {
    uint64_t systems, executions, jobs;
    uint64_t tasks, bounded;
    ratios tight, reaction, age, limits;
    uint64_t limit_count, bounded_limits;
} tally;

static bool show;

/* With the offsets that tasks have, without them, and for searches. */
typedef struct answer_set {
    sys_answer *fixed, *any, *quick;
    gcast_communication how;
} answer_set;

/* The longest of what executions have shown. */
typedef struct seen_most {
    chain_seen chains[4];
    int64_t limits[16];
} seen_most;

/* What an execution is made of. */
typedef struct choices {
    uint64_t seed;
    bool jitter, sync; /* sync: all root tasks begin at their own offsets */
    int64_t offsets[64];
    bool ordered; /* tasks of equal priority go by `ties`, and preempt each other; else as the simulation has it */
    int64_t ties[64];
    draw_how hows[DRAW_STEPS];
} choices;

static void draw_choices(const sys_system *s, support_random *r, choices *c)
{
    c->seed = (uint64_t)support_between(r, 0, 4) ? support_next(r) : 0;
    c->jitter = support_between(r, 0, 3) > 0;
    c->sync = support_between(r, 0, 1);
    for (size_t i = 0; i < s->task_count; i++)
        c->offsets[i] = support_between(r, 0, s->tasks[i].period_ns - 1);
    c->ordered = support_between(r, 0, 1);
    for (size_t i = 0; i < s->task_count; i++)
        c->ties[i] = support_between(r, 0, TIES - 1);
    draw_hows(r, c->hows);
}

/* Another execution that is much like one. */
static void change_choices(const sys_system *s, support_random *r, choices *c)
{
    for (int64_t k = support_between(r, 1, 3); k > 0; k--) {
        size_t task = (size_t)support_between(r, 0, (int64_t)s->task_count - 1);
        switch (support_between(r, 0, 4)) {
        case 0:
            c->seed = support_next(r);
            break;
        case 1:
            c->hows[support_between(r, 0, 39)] = (draw_how)support_between(r, 0, DRAW_HOWS - 1);
            break;
        case 2:
            c->offsets[task] = support_between(r, 0, s->tasks[task].period_ns - 1);
            break;
        case 3:
            c->ties[task] = support_between(r, 0, TIES - 1);
            break;
        default:
            c->offsets[task] =
                max_i64(0, min_i64(c->offsets[task] + support_between(r, -2, 2), s->tasks[task].period_ns - 1));
        }
    }
}

static void swap_offsets(sys_system *s, int64_t *offsets)
{
    for (size_t i = 0; i < s->task_count; i++) {
        int64_t *own = (int64_t *)(uintptr_t)&s->tasks[i].offset_ns, swap = *own;
        if (s->tasks[i].arrival == SYS_TRIGGERED)
            continue;
        *own = offsets[i];
        offsets[i] = swap;
    }
}

/* Does a task that holds its core wait for one of the same core and priority? It leaves the core then, and would not if
 * the other went first. */
static bool holds_for_equal(const sys_system *s)
{
    for (size_t i = 0; i < s->task_count; i++)
        for (size_t k = 0; k < s->tasks[i].step_count; k++) {
            const sys_step *step = &s->tasks[i].steps[k];
            const sys_place *own = &s->places[i];
            if (step->kind == SYS_WAIT && own->busy && own->core == s->places[step->task].core &&
                own->priority == s->places[step->task].priority)
                return true;
        }
    return false;
}

/* Places with an order of tasks of equal priority; false: they have none. */
static bool order_equals(const sys_system *s, const choices *c, sys_place *places)
{
    for (size_t i = 0; i < s->task_count; i++) {
        places[i] = s->places[i];
        if (places[i].core != SYS_GPU)
            places[i].priority = places[i].priority * TIES + c->ties[i];
    }
    return c->ordered && !holds_for_equal(s);
}

/* One execution; the latest ends of each task's jobs go to `seen`. */
static bool execute(sys_system *s, uint64_t seed, choices *c, const answer_set *a, int64_t *seen, seen_most *most,
                    tally *t)
{
    gcast_error err;
    sys_run *run = NULL;
    sys_simulate_options options = {.durations = GCAST_DURATIONS_RANDOM,
                                    .seed = c->seed,
                                    .random_jitter = c->jitter,
                                    .record = t->executions % 4 == 0,
                                    .horizon_ns = 240 + (c->seed & 1) * 480};
    sys_place places[64];
    bool has_order = order_equals(s, c, places);
    draw_durations(s, c->hows);
    if (!c->sync)
        swap_offsets(s, c->offsets);
    assert_ok(system_simulate(s, has_order ? places : NULL, &options, &run, &err), &err);
    draw_restore(s);
    bool holds = !options.record ||
                 (system_steps_hold(run, seed, a->any) && (!c->sync || system_steps_hold(run, seed, a->fixed)));
    for (size_t i = 0; i < run->job_count && holds; i++) {
        const sys_job *job = &run->jobs[i];
        holds = system_job_holds(s, seed, &a->any->tasks[job->task], job) &&
                system_job_holds(s, seed, &a->quick->tasks[job->task], job) &&
                (!c->sync || system_job_holds(s, seed, &a->fixed->tasks[job->task], job));
        seen[job->task] = max_i64(seen[job->task], job->end_ns - job->root_release_ns);
        t->jobs++;
    }
    holds = holds && system_chains_hold(run, seed, c->sync ? a->fixed : a->any, most->chains);
    holds = holds && system_limits_hold(run, seed, c->sync ? a->fixed : a->any, a->how, most->limits);
    holds = holds && (c->sync || system_limits_hold(run, seed, a->quick, a->how, most->limits));
    if (!c->sync)
        swap_offsets(s, c->offsets);
    t->executions++;
    system_run_free(run);
    return holds;
}

/* Changes the execution in which a task was latest, and keeps what is no less late. */
static bool climb(sys_system *s, uint64_t seed, support_random *r, const answer_set *a, int64_t *seen, seen_most *most,
                  tally *t, uint64_t executions)
{
    size_t task = (size_t)support_between(r, 0, (int64_t)s->task_count - 1);
    choices best, next;
    int64_t late = -1;
    bool holds = true;
    draw_choices(s, r, &best);
    best.sync = false;
    for (uint64_t i = 0; i < executions && holds && a->any->tasks[task].worst_ns != SYS_UNBOUNDED; i++) {
        int64_t now[64] = {0};
        next = best;
        if (i)
            change_choices(s, r, &next);
        holds = execute(s, seed, &next, a, now, most, t);
        for (size_t k = 0; k < s->task_count; k++)
            seen[k] = max_i64(seen[k], now[k]);
        if (now[task] >= late) {
            late = now[task];
            best = next;
        }
    }
    return holds;
}

static bool parts_hold(const sys_system *s, const sys_answer *a)
{
    for (size_t i = 0; i < s->task_count; i++) {
        const sys_task_answer *t = &a->tasks[i];
        if ((t->worst_ns == SYS_UNBOUNDED) != (t->why_not != NULL))
            return false;
        if (t->worst_ns != SYS_UNBOUNDED &&
            t->computation_ns + t->access_ns + t->interference_ns + t->blocking_ns + t->waiting_ns != t->own_worst_ns)
            return false;
    }
    return true;
}

/* The executions by which verdicts are checked before they leave the program contradict none of the bounds. */
static bool look_holds(const sys_system *s, uint64_t seed, sys_answer *a)
{
    gcast_error err;
    if (system_look_for_late(a, false, &err) == GCAST_OK)
        return true;
    fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, err.message);
    draw_print(s);
    return false;
}

/* Without offsets nothing is earlier, nor for searches. With a GPU of one context that is so as a rule only. */
static bool is_ordered(const sys_system *s, uint64_t seed, const answer_set *a)
{
    for (size_t i = 0; i < s->task_count && (!s->gpu || s->sharing == SYS_SLICES); i++) {
        int64_t fixed = a->fixed->tasks[i].worst_ns, any = a->any->tasks[i].worst_ns,
                quick = a->quick->tasks[i].worst_ns;
        if (fixed <= any && any <= quick)
            continue;
        fprintf(stderr, "seed %" PRIu64 ": task %zu: %" PRId64 " %" PRId64 " %" PRId64 "\n", seed, i, fixed, any,
                quick);
        return false;
    }
    return true;
}

static bool attack(uint64_t seed, gcast_gpu *const *gpus, tally *t)
{
    gcast_error err;
    draw_options how = {.gpu = seed % 3 ? gpus[seed % 4 == 1] : NULL,
                        .plain = seed % 10 == 3,
                        .chains = true,
                        .priorities = seed % 7 == 5 ? 2 : 0};
    sys_system *s = draw_system(seed, &how);
    support_random r = {seed};
    sys_answer *fixed, *any, *quick;
    sys_analyze_options options = system_analyze_options_default();
    uint64_t executions = support_number("GRIDCAST_ATTACK_EXECUTIONS", 20);
    int64_t seen[64] = {0};
    seen_most most = {0};
    draw_limits(s, seed);
    options.communication = (gcast_communication)(seed % GCAST_COMMUNICATIONS);
    assert_ok(system_analyze(s, NULL, &options, &fixed, &err), &err);
    options.ignore_offsets = true;
    assert_ok(system_analyze(s, NULL, &options, &any, &err), &err);
    options.tasks_only = true;
    assert_ok(system_analyze(s, NULL, &options, &quick, &err), &err);
    const answer_set answers = {fixed, any, quick, options.communication};
    bool holds = parts_hold(s, fixed) && parts_hold(s, any) && system_let_holds(s, seed, fixed, any);
    if (!holds)
        fprintf(stderr, "seed %" PRIu64 ": parts or LET\n", seed);
    if (show) {
        draw_print(s);
        for (size_t i = 0; i < s->task_count; i++)
            for (size_t k = 0; k < s->tasks[i].step_count; k++)
                fprintf(stderr, "%zu.%zu: %" PRId64 "..%" PRId64 ", %" PRId64 ", any %" PRId64 "\n", i, k,
                        fixed->tasks[i].steps[k].start_best_ns, fixed->tasks[i].steps[k].end_best_ns,
                        fixed->tasks[i].steps[k].end_worst_ns, any->tasks[i].steps[k].end_worst_ns);
        for (size_t i = 0; i < s->task_count; i++)
            fprintf(stderr,
                    "%zu: release %" PRId64 "..%" PRId64 " best %" PRId64 " worst %" PRId64 " any %" PRId64
                    " own %" PRId64 " %s\n",
                    i, fixed->tasks[i].release_min_ns, fixed->tasks[i].release_max_ns, fixed->tasks[i].best_ns,
                    fixed->tasks[i].worst_ns, any->tasks[i].worst_ns, fixed->tasks[i].own_worst_ns,
                    any->tasks[i].why_not ? any->tasks[i].why_not : "");
    }
    holds = holds && is_ordered(s, seed, &answers) && look_holds(s, seed, fixed);
    for (uint64_t i = 0; i < executions && holds; i++) {
        choices c;
        draw_choices(s, &r, &c);
        holds = execute(s, seed, &c, &answers, seen, &most, t);
    }
    holds = holds && climb(s, seed, &r, &answers, seen, &most, t, executions);
    for (size_t i = 0; i < s->task_count; i++) {
        t->tasks++;
        if (fixed->tasks[i].worst_ns == SYS_UNBOUNDED)
            continue;
        t->bounded++;
        if (seen[i] > 0 && any->tasks[i].worst_ns != SYS_UNBOUNDED)
            assert_true(vec_push(&t->tight, (double)any->tasks[i].worst_ns / (double)seen[i]));
        if (show)
            fprintf(stderr, "%zu: seen %" PRId64 "\n", i, seen[i]);
    }
    for (size_t i = 0; i < s->chain_count; i++) {
        const sys_latency *l = &any->chains[i].by[GCAST_COMMUNICATION_IMPLICIT];
        if (l->reaction_worst_ns != SYS_UNBOUNDED && most.chains[i].reaction_most > 0)
            assert_true(vec_push(&t->reaction, (double)l->reaction_worst_ns / (double)most.chains[i].reaction_most));
        if (l->age_worst_ns != SYS_UNBOUNDED && most.chains[i].age_most > 0)
            assert_true(vec_push(&t->age, (double)l->age_worst_ns / (double)most.chains[i].age_most));
    }
    for (size_t i = 0; i < s->limit_count; i++) {
        t->limit_count++;
        t->bounded_limits += any->limits[i].worst_ns != SYS_UNBOUNDED;
        if (any->limits[i].worst_ns != SYS_UNBOUNDED && most.limits[i] > 0)
            assert_true(vec_push(&t->limits, (double)any->limits[i].worst_ns / (double)most.limits[i]));
    }
    t->systems++;
    system_answer_free(fixed);
    system_answer_free(any);
    system_answer_free(quick);
    system_free(s);
    return holds;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_tightness(const char *what, ratios *v)
{
    if (!v->count)
        return;
    qsort(v->at, v->count, sizeof *v->at, by_size);
    printf("%s: bound / seen: median %.3f, 95th percentile %.3f, largest %.3f, of %zu\n", what, v->at[v->count / 2],
           v->at[v->count * 95 / 100], v->at[v->count - 1], v->count);
}

/* One GPU whose calls are there at once, and one on which they take a while. */
static void make_gpus(gcast_gpu **gpus)
{
    gcast_error err;
    for (int i = 0; i < 2; i++) {
        gpus[i] = support_gpu("small", 7, 5, 2, &err);
        assert_non_null(gpus[i]);
        gpus[i]->launch_latency_ns = 2 * i;
        gpus[i]->copy_latency_ns = i;
    }
}

static void bounds_hold(void **state)
{
    (void)state;
    uint64_t runs = support_runs(300), seed = support_number("GRIDCAST_ATTACK_SEED", 1);
    tally t = {0};
    gcast_gpu *gpus[2];
    bool holds = true;
    make_gpus(gpus);
    for (; holds && t.systems < runs; seed++)
        holds = attack(seed, gpus, &t);
    printf("%" PRIu64 " jobs in %" PRIu64 " executions of %" PRIu64 " systems; %" PRIu64 " of %" PRIu64
           " tasks have bounds\n",
           t.jobs, t.executions, t.systems, t.bounded, t.tasks);
    print_tightness("tasks", &t.tight);
    print_tightness("reaction, any phase", &t.reaction);
    print_tightness("age, any phase", &t.age);
    printf("%" PRIu64 " of %" PRIu64 " limits have bounds\n", t.bounded_limits, t.limit_count);
    print_tightness("limits, any phase", &t.limits);
    gcast_gpu_free(gpus[0]);
    gcast_gpu_free(gpus[1]);
    vec_free(&t.tight);
    vec_free(&t.reaction);
    vec_free(&t.age);
    vec_free(&t.limits);
    assert_true(holds);
    assert_true(runs < 100 || 2 * t.bounded > t.tasks);
    assert_true(runs < 100 || 3 * t.bounded_limits > t.limit_count);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        tally t = {0};
        gcast_gpu *gpus[2];
        make_gpus(gpus);
        show = true;
        return attack(strtoull(argv[1], NULL, 10), gpus, &t) ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
