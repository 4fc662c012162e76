#include "property/trial.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/workload/jobs.h"
#include "property/late_jobs.h"

#define NO_TIME_LIMIT 1000000000
#define EXECUTIONS 40
#define MAX_EXECUTIONS 6000 /* systems with no more than this are executed in all ways */
#define ENOUGH_STATES 4000  /* enough for a search by events without merging, which is exact */
#define LONG_HORIZON 300    /* of executions, where the analysis has none and holds for ever */

static void clear(observed list[SYSTEM_TASKS][SYSTEM_OPS])
{
    for (int i = 0; i < SYSTEM_TASKS; i++)
        for (int k = 0; k < SYSTEM_OPS; k++)
            list[i][k] = (observed){INT64_MAX, -1};
}

void trial_analyze(trial *t, uint64_t max_states)
{
    gcast_error err;
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_workload *w = system_workload(&t->s, NULL, NULL);
    options.any_order = t->s.any_order;
    options.horizon_ns = t->s.horizon;
    options.max_states = max_states;
    options.max_ms = NO_TIME_LIMIT;
    assert_ok(gcast_workload_analyze(w, t->s.gpu, GCAST_METHOD_EXPLORE, &options, &t->a, &err), &err);
    options.coarse = true;
    assert_ok(gcast_workload_analyze(w, t->s.gpu, GCAST_METHOD_EXPLORE, &options, &t->coarse, &err), &err);
    gcast_workload_free(w);
    clear(t->observed);
}

static void observe(observed *o, int64_t response)
{
    o->best = response < o->best ? response : o->best;
    o->worst = response > o->worst ? response : o->worst;
}

/* `w` is the workload, and op_of[i] the op of it that is executed by operation i of the run. */
static void observe_run(trial *t, const gcast_workload *w, const gcast_run *run, const size_t *op_of, const int *order)
{
    clear(t->last);
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_op *op = &w->ops[op_of[i]];
        if (w->tasks[op->task].sporadic && run->ops[i].release_ns - op->release_ns >= t->s.horizon)
            continue; /* it is released after the horizon */
        size_t number = op_of[i] - w->tasks[op->task].first_op;
        observe(&t->last[order[op->task]][number], gcast_response_ns(&run->ops[i]));
        observe(&t->observed[order[op->task]][number], gcast_response_ns(&run->ops[i]));
    }
}

/* How late a job is in an execution; of a sporadic task, later jobs are later by that, too. */
static int64_t lateness(const trial *t, const settled *e, int task, uint32_t job)
{
    int64_t late = e->late[task][job % TRIAL_JOBS];
    for (uint32_t n = 0; n <= job && t->s.tasks[task].sporadic; n++)
        late += e->apart[task][n % TRIAL_JOBS];
    return late;
}

void trial_execute(trial *t, const settled *e)
{
    gcast_error err;
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_workload *w = system_workload(&t->s, e->order, e->by_block ? &e->extra : NULL);
    gcast_run *run;
    gcast_run_op *ops;
    size_t count;
    int64_t horizon_ns = t->s.horizon ? t->s.horizon : LONG_HORIZON;
    options.durations = e->durations;
    options.seed = options.noise_seed = e->seed;
    options.noise_ns = e->by_block ? 0 : t->s.gpu->noise_ns;
    assert_ok(jobs_expand(w, horizon_ns, &ops, &count, &err), &err);
    int64_t *releases = malloc((count + 1) * sizeof *releases);
    size_t *op_of = malloc((count + 1) * sizeof *op_of);
    assert_true(releases && op_of);
    for (size_t i = 0; i < count; i++)
        releases[i] = ops[i].release_ns + lateness(t, e, e->order[w->ops[ops[i].op].task], ops[i].job);
    gcast_workload *executed = late_jobs_workload(w, ops, releases, count, op_of);
    for (size_t i = 0; i < count; i++)
        op_of[i] = ops[op_of[i]].op;
    assert_ok(gcast_workload_simulate(executed, t->s.gpu, &options, &run, &err), &err);
    observe_run(t, w, run, op_of, e->order);
    t->tally->executions++;
    gcast_run_free(run);
    gcast_workload_free(executed);
    gcast_workload_free(w);
    free(releases);
    free(op_of);
    free(ops);
}

static bool by_events(const gcast_analysis *a)
{
    for (size_t i = 0; i < a->assumption_count; i++)
        if (strstr(a->assumptions[i], "every order of events"))
            return a->complete;
    return false;
}

static bool contains(const gcast_response *bounds, const observed *s)
{
    return bounds->best_ns <= s->best && bounds->worst_ns >= s->worst;
}

bool trial_holds(trial *t)
{
    size_t n = 0;
    bool ok = true, tight = t->a->complete;
    t->tally->systems++;
    t->tally->given_up += !t->a->complete;
    for (int i = 0; i < t->s.task_count && t->a->complete; i++)
        for (int k = 0; k < t->s.tasks[i].op_count; k++, n++) {
            const gcast_response *r = &t->a->responses[n];
            const observed *s = &t->observed[i][k];
            if (s->worst < 0)
                continue; /* no job of it was released before the horizon */
            ok = ok && contains(r, s) && (!t->coarse->complete || contains(&t->coarse->responses[n], s));
            tight = tight && r->worst_ns == s->worst;
            t->tally->ops++;
            t->tally->worst_equal += r->worst_ns == s->worst;
            t->tally->best_equal += r->best_ns == s->best;
            t->tally->coarse_equal += t->coarse->responses[n].worst_ns == s->worst;
            t->tally->observed_sum += (uint64_t)s->worst;
            t->tally->bound_sum += (uint64_t)r->worst_ns;
        }
    t->tally->tight += tight;
    t->tally->by_events += by_events(t->a);
    t->tally->by_events_tight += tight && by_events(t->a);
    return ok;
}

void trial_show(const trial *t)
{
    size_t n = 0;
    system_print(stderr, &t->s);
    if (!t->a->complete)
        fprintf(stderr, "given up: %s\n", t->a->why_not);
    for (int i = 0; i < t->s.task_count; i++)
        for (int k = 0; k < t->s.tasks[i].op_count; k++, n++)
            fprintf(stderr,
                    "task %d op %d: said %" PRId64 " to %" PRId64 ", coarsely %" PRId64 " to %" PRId64 ", seen %" PRId64
                    " to %" PRId64 "\n",
                    i, k, t->a->responses[n].best_ns, t->a->responses[n].worst_ns, t->coarse->responses[n].best_ns,
                    t->coarse->responses[n].worst_ns, t->observed[i][k].best, t->observed[i][k].worst);
}

void trial_free(trial *t)
{
    gcast_analysis_free(t->a);
    gcast_analysis_free(t->coarse);
    pool_system_free(&t->s);
}

settled settled_plain(void)
{
    settled e = {.by_block = true, .durations = GCAST_DURATIONS_MAX};
    for (int i = 0; i < SYSTEM_TASKS; i++)
        e.order[i] = i;
    return e;
}

static void shuffle(support_random *r, int *order, int n)
{
    for (int i = 1; i < n; i++) {
        int k = (int)support_between(r, 0, i), moved = order[i];
        order[i] = order[k];
        order[k] = moved;
    }
}

/* Mostly an end of the range. */
static int64_t draw(support_random *r, int64_t max)
{
    return percent(r, 35) ? 0 : percent(r, 50) ? max : support_between(r, 0, max);
}

/* Often none, mostly short, or so long that no further job is released before the horizon. */
static int64_t draw_apart(support_random *r, const system_spec *s)
{
    return percent(r, 40) ? 0 : support_between(r, 0, percent(r, 80) ? 12 : s->horizon);
}

void settled_draw(settled *e, const system_spec *s, support_random *r)
{
    int same = (int)support_between(r, 0, 3); /* equal for all blocks of an op, or the longest for the whole system */
    *e = settled_plain();
    if (s->any_order)
        shuffle(r, e->order, s->task_count);
    e->by_block = percent(r, 80);
    e->durations = (gcast_durations)one_of(r, GCAST_DURATIONS_MAX, GCAST_DURATIONS_MIN, GCAST_DURATIONS_RANDOM);
    e->seed = support_next(r);
    for (int i = 0; i < s->task_count; i++) {
        for (int n = 0; n < TRIAL_JOBS; n++)
            e->late[i][n] = draw(r, s->tasks[i].jitter);
        for (int n = 0; n < TRIAL_JOBS && s->tasks[i].sporadic; n++)
            e->apart[i][n] = draw_apart(r, s);
        for (int k = 0; k < s->tasks[i].op_count; k++) {
            int range = system_range(s, &s->tasks[i].ops[k]), alike = same == 1 ? range : (int)draw(r, range);
            for (int b = 0; b < s->tasks[i].ops[k].blocks; b++)
                e->extra[i][k][b] = same < 2 ? alike : (int)draw(r, range);
        }
    }
}

static void change_one(settled *e, const system_spec *s, support_random *r)
{
    int i = (int)support_between(r, 0, s->task_count - 1), k;
    const system_task *t = &s->tasks[i];
    if (s->any_order && percent(r, 10)) {
        shuffle(r, e->order, s->task_count);
    } else if (t->sporadic && percent(r, 30)) {
        e->apart[i][support_between(r, 0, TRIAL_JOBS - 1) * (percent(r, 50))] = draw_apart(r, s);
    } else if (percent(r, 40)) {
        e->late[i][support_between(r, 0, TRIAL_JOBS - 1) * (percent(r, 50))] = draw(r, t->jitter);
    } else {
        k = (int)support_between(r, 0, t->op_count - 1);
        int from = (int)support_between(r, 0, t->ops[k].blocks - 1), range = system_range(s, &t->ops[k]);
        int to = percent(r, 70) ? from : t->ops[k].blocks - 1, extra = (int)draw(r, range);
        for (int b = from; b <= to; b++)
            e->extra[i][k][b] = extra;
    }
}

void settled_change(settled *e, const system_spec *s, support_random *r)
{
    for (int n = (int)support_between(r, 1, 3); n > 0; n--)
        change_one(e, s, r);
}

/* All executions of a system, one after the other: a number in mixed bases. */
static bool next_execution(const system_spec *s, settled *e)
{
    for (int i = 0; i < s->task_count; i++) {
        const system_task *t = &s->tasks[i];
        if (e->late[i][0]++ < t->jitter)
            return true;
        e->late[i][0] = 0;
        for (int k = 0; k < t->op_count; k++)
            for (int b = 0; b < t->ops[k].blocks; b++) {
                if (e->extra[i][k][b]++ < system_range(s, &t->ops[k]))
                    return true;
                e->extra[i][k][b] = 0;
            }
    }
    return false;
}

static uint64_t execution_count(const system_spec *s)
{
    uint64_t n = 1;
    for (int i = 0; i < s->task_count; i++) {
        const system_task *t = &s->tasks[i];
        n *= (uint64_t)t->jitter + 1;
        for (int k = 0; k < t->op_count; k++)
            for (int b = 0; b < t->ops[k].blocks && n <= MAX_EXECUTIONS; b++)
                n *= (uint64_t)system_range(s, &t->ops[k]) + 1;
    }
    return n;
}

bool trial_random(trial *t, uint64_t seed, const system_kind *kind)
{
    support_random r = {seed * 0x9e3779b97f4a7c15u + 1};
    settled e;
    t->s = system_random(&r, kind);
    trial_analyze(t, kind->max_states);
    for (int i = 0; i < EXECUTIONS && t->a->complete; i++) {
        settled_draw(&e, &t->s, &r);
        trial_execute(t, &e);
    }
    return trial_holds(t);
}

bool trial_all(trial *t, uint64_t seed, const system_kind *kind)
{
    support_random r = {seed * 0x9e3779b97f4a7c15u + 1};
    settled e = settled_plain();
    for (;;) {
        t->s = system_random(&r, kind);
        t->s.any_order = false;
        if (execution_count(&t->s) <= MAX_EXECUTIONS)
            break;
        pool_system_free(&t->s);
    }
    trial_analyze(t, kind->max_states);
    do
        trial_execute(t, &e);
    while (next_execution(&t->s, &e));
    return trial_holds(t);
}

void trial_each(trial_fn *check, uint64_t runs, const char *title, const system_kind *kinds, size_t kind_count)
{
    tally tallies[10] = {0};
    trial t = {0};
    assert_true(kind_count <= sizeof tallies / sizeof tallies[0]);
    for (uint64_t seed = 1; seed <= runs; seed++) {
        t.tally = &tallies[seed % kind_count];
        bool ok = check(&t, seed, &kinds[seed % kind_count]);
        if (!ok) {
            fprintf(stderr, "seed %" PRIu64 "\n", seed);
            trial_show(&t);
        }
        trial_free(&t);
        assert_true(ok);
    }
    for (size_t k = 0; k < kind_count; k++) {
        tally_print(&tallies[k], title, k);
        if (check == trial_all && (!kinds[k].max_states || kinds[k].max_states >= ENOUGH_STATES))
            assert_true(tallies[k].by_events_tight == tallies[k].by_events);
        assert_true(2 * tallies[k].given_up < tallies[k].systems || runs < 100);
    }
}

bool trial_of_arguments(char **argv, const system_kind *small, size_t small_count, const system_kind *kinds,
                        size_t kind_count)
{
    tally y = {0};
    trial t = {.tally = &y};
    uint64_t seed = strtoull(argv[2], NULL, 10);
    bool all = argv[1][0] == 'a';
    bool ok = all ? trial_all(&t, seed, &small[seed % small_count]) : trial_random(&t, seed, &kinds[seed % kind_count]);
    trial_show(&t);
    trial_free(&t);
    return ok;
}

uint64_t trial_runs(void)
{
    return support_runs(200);
}

void tally_print(const tally *t, const char *title, size_t kind)
{
    printf("%s, kind %zu: %" PRIu64 " systems, %" PRIu64 " given up, %" PRIu64 " tight, %" PRIu64 " by events, %" PRIu64
           " of these tight, %" PRIu64 " executions; of %" PRIu64 " ops worst as seen %" PRIu64 " (coarsely %" PRIu64
           "), best %" PRIu64 "; worst said over seen %.3f\n",
           title, kind, t->systems, t->given_up, t->tight, t->by_events, t->by_events_tight, t->executions, t->ops,
           t->worst_equal, t->coarse_equal, t->best_equal,
           t->observed_sum ? (double)t->bound_sum / (double)t->observed_sum : 0);
}
