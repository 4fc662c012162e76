/* Explanations of random runs, held against what is there block by block: totals add up to
 * the nanosecond, two operations overlap as long as a search over all blocks says, and a
 * remedy does what it says when the test makes the change itself.
 * `prop_explain SEED` tries one, `prop_explain SEED planned` one with plans, `prop_explain SEED launching` one with
 * kernels that launch kernels, `prop_explain SEED clustered` one with clusters, `prop_explain SEED waiting` one with
 * programmatic launches and blocks that wait, `prop_explain SEED graphed` one with graphs. GRIDCAST_PROPERTY_RUNS sets
 * how many of each. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/advice/remedy.h"
#include "gridcast/names.h"
#include "model/workload/workload.h"
#include "property/explain_checks.h"
#include "property/generate.h"
#include "support/builders.h"

#define RUNS 700
#define REMEDY_RUNS 1000
#define PLANNED_RUNS 500
#define LAUNCHING_RUNS 300
#define CLUSTERED_RUNS 500
#define WAITING_RUNS 2000
#define GRAPHED_RUNS 500

typedef enum { PLAIN, PLANNED, LAUNCHING, CLUSTERED, WAITING, GRAPHED } kind;

static gcast_run *simulate(const gcast_workload *w, const generated *g)
{
    gcast_error err;
    gcast_run *run = NULL;
    gcast_simulate_options options = g->options;
    options.record_blocks = true;
    assert_ok(gcast_workload_simulate(w, g->gpu, &options, &run, &err), &err);
    return run;
}

static const gcast_op *spec(const gcast_run *run, size_t i)
{
    return &run->workload->ops[run->ops[i].op];
}

/* Jobs from the release of the job to its last end. */
static void jobs_add_up(const gcast_run *run, explain_tally *y)
{
    for (size_t k = 0; k < run->workload->task_count; k++)
        for (uint32_t job = 0;; job++) {
            gcast_error err;
            gcast_explanation *e;
            int64_t last = -1;
            for (size_t i = 0; i < run->op_count; i++)
                if (spec(run, i)->task == (int)k && run->ops[i].job == job && run->ops[i].end_ns > last)
                    last = run->ops[i].end_ns;
            if (last < 0)
                break;
            assert_ok(gcast_run_explain_job(run, k, job, &e, &err), &err);
            const gcast_task *t = &run->workload->tasks[k];
            assert_int_equal(e->release_ns, t->offset_ns + job * t->period_ns);
            assert_int_equal(e->end_ns, last);
            explain_waits_follow(e);
            explain_totals_add_up(run, e, y);
            gcast_explanation_free(e);
            y->jobs++;
        }
}

/* Does operation i run from start to end, where nothing starts or ends in between? */
static bool runs_at(const gcast_run *run, size_t i, int64_t start, int64_t end)
{
    const gcast_run_op *r = &run->ops[i];
    if (spec(run, i)->kind != GCAST_KIND_KERNEL)
        return r->start_ns <= start && end <= r->end_ns;
    for (uint64_t b = 0; b < r->block_count; b++)
        if (r->blocks[b].start_ns <= start && end <= r->blocks[b].end_ns)
            return true;
    return false;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Between every two times at which anything starts or ends: do both run? */
static int64_t brute_overlap(const gcast_run *run, size_t a, size_t b, int64_t *ran_a, int64_t *ran_b)
{
    size_t max_count = 4 + 2 * (run->ops[a].block_count + run->ops[b].block_count), n = 0;
    int64_t *times = malloc(max_count * sizeof *times), both = 0;
    const size_t ops[] = {a, b};
    assert_non_null(times);
    for (int k = 0; k < 2; k++) {
        const gcast_run_op *r = &run->ops[ops[k]];
        times[n++] = r->start_ns;
        times[n++] = r->end_ns;
        for (uint64_t i = 0; i < r->block_count; i++) {
            times[n++] = r->blocks[i].start_ns;
            times[n++] = r->blocks[i].end_ns;
        }
    }
    qsort(times, n, sizeof *times, by_time);
    *ran_a = *ran_b = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        if (times[i] == times[i + 1])
            continue;
        bool x = runs_at(run, a, times[i], times[i + 1]), y = runs_at(run, b, times[i], times[i + 1]);
        *ran_a += x ? times[i + 1] - times[i] : 0;
        *ran_b += y ? times[i + 1] - times[i] : 0;
        both += x && y ? times[i + 1] - times[i] : 0;
    }
    free(times);
    return both;
}

/* Waits of the later one fill the time in which the earlier was there and it had not started. */
static void chain_is_whole(const gcast_run *run, const gcast_pair *p, explain_tally *y)
{
    const gcast_run_op *earlier = &run->ops[p->earlier], *later = &run->ops[p->later];
    int64_t t = earlier->start_ns, end = later->start_ns < earlier->end_ns ? later->start_ns : earlier->end_ns;
    for (size_t i = 0; i < p->link_count; i++) {
        const gcast_link *l = &p->links[i];
        assert_true(l->wait.to_ns > l->wait.from_ns);
        if (l->depth == 0) {
            assert_int_equal(l->wait.run_op, p->later);
            assert_int_equal(l->wait.from_ns, t);
            t = l->wait.to_ns;
            continue;
        }
        const gcast_link *before = &p->links[i - 1]; /* who held that waited itself, in that time */
        assert_int_equal(l->depth, before->depth + 1);
        assert_int_equal(l->wait.run_op, before->wait.holders[0].run_op);
        assert_true(l->wait.from_ns >= before->wait.from_ns && l->wait.to_ns <= before->wait.to_ns);
        y->chains++;
    }
    assert_int_equal(t, end > earlier->start_ns ? end : t);
}

/* The change as a user would make it to the file. */
static void make(gcast_workload *w, const change *c)
{
    gcast_error err;
    gcast_op *op = (gcast_op *)&w->ops[c->at];
    gcast_stream *streams = (gcast_stream *)w->streams;
    switch (c->kind) {
    case CHANGE_OWN_STREAM: {
        gcast_stream s = streams[op->stream];
        s.blocking = s.id ? s.blocking : false;
        s.id = 100000;
        while (workload_find_stream(w, s.id) >= 0)
            s.id++;
        int at = support_add_stream(w, s, &err), old = op->stream;
        assert_true(at >= 0);
        for (size_t i = 0; i < w->op_count; i++)
            if (i == c->at || (op->task != GCAST_ONCE && w->ops[i].task == op->task && w->ops[i].stream == old))
                ((gcast_op *)&w->ops[i])->stream = at;
        if (op->task != GCAST_ONCE && w->tasks[op->task].stream == old)
            ((gcast_task *)w->tasks)[op->task].stream = at;
        for (size_t i = 0; i < w->op_count; i++) /* hosts that waited for the op still do */
            if (w->ops[i].kind == GCAST_KIND_SYNC && w->ops[i].stream == old)
                ((gcast_op *)&w->ops[i])->stream = -1;
        break;
    }
    case CHANGE_NON_BLOCKING:
        streams[op->stream].blocking = false;
        break;
    case CHANGE_LEVEL:
        streams[op->stream].priority = (int)c->value;
        break;
    case CHANGE_CONNECTIONS:
        gcast_workload_set_connections(w, (int)c->value);
        break;
    case CHANGE_OP_CARVEOUT:
        op->carveout = GCAST_OP_CARVEOUT_MOST;
        break;
    case CHANGE_THREADS: { /* as many threads in all */
        uint64_t threads = op->blocks * (uint64_t)op->shape.threads;
        assert_int_equal(threads % (uint64_t)c->value, 0);
        op->blocks = threads / (uint64_t)c->value;
        op->shape.threads = (int)c->value;
        op->grid[0] = (uint32_t)op->blocks;
        op->block[0] = (uint32_t)c->value;
        op->grid[1] = op->grid[2] = op->block[1] = op->block[2] = 1;
        break;
    }
    case CHANGE_REGISTERS:
        op->shape.registers = (int)c->value;
        break;
    case CHANGE_SHARED_MEMORY:
        assert_true(c->value < op->shape.static_smem + op->shape.dynamic_smem);
        if (c->value < op->shape.static_smem)
            op->shape.static_smem = c->value;
        op->shape.dynamic_smem = c->value - op->shape.static_smem;
        break;
    default:
        op->host = GCAST_NO_HOST;
        op->host_waits = false;
        op->delay_ns = op->event_pause_ns = 0;
        op->release_ns = c->value;
    }
}

static void remedies_hold(const gcast_run *run, const generated *g, const gcast_pair *p, explain_tally *y)
{
    gcast_error err;
    gcast_remedies *all;
    int64_t ran[2];
    int64_t now = p->earlier_ran_ns < p->later_ran_ns ? p->earlier_ran_ns : p->later_ran_ns;
    assert_ok(gcast_run_find_remedies(run, g->gpu, &g->options, p, &all, &err), &err);
    for (size_t i = 0; i < all->count; i++) {
        const gcast_remedy *r = &all->list[i];
        gcast_workload *w = support_workload_copy(run->workload, &err);
        assert_non_null(w);
        for (size_t c = 0; c < r->change_count; c++) {
            make(w, &r->changes[c]);
            y->kinds[r->changes[c].kind]++;
        }
        gcast_run *other = simulate(w, g);
        assert_int_equal(brute_overlap(other, p->earlier, p->later, &ran[0], &ran[1]), r->overlap_ns);
        assert_int_equal(ran[0] < ran[1] ? ran[0] : ran[1], r->shorter_ns);
        assert_int_equal(other->ops[p->earlier].end_ns, r->earlier_end_ns);
        assert_int_equal(other->ops[p->later].end_ns, r->later_end_ns);
        assert_true((double)r->overlap_ns / (double)r->shorter_ns > (double)p->overlap_ns / (double)now);
        y->remedies++;
        y->several += r->change_count > 1;
        gcast_run_free(other);
        gcast_workload_free(w);
    }
    gcast_remedies_free(all);
}

static void try_pair(const gcast_run *run, const generated *g, size_t a, size_t b, bool remedies, explain_tally *y)
{
    gcast_error err;
    gcast_pair *p;
    int64_t ran_a, ran_b;
    assert_ok(gcast_run_explain_pair(run, a, b, &p, &err), &err);
    assert_true((p->earlier == a && p->later == b) || (p->earlier == b && p->later == a));
    assert_true(run->ops[p->earlier].start_ns <= run->ops[p->later].start_ns);
    assert_int_equal(p->overlap_ns, brute_overlap(run, p->earlier, p->later, &ran_a, &ran_b));
    assert_int_equal(p->earlier_ran_ns, ran_a);
    assert_int_equal(p->later_ran_ns, ran_b);
    chain_is_whole(run, p, y);
    y->pairs++;
    y->overlapping += p->overlap_ns > 0;
    if (remedies)
        remedies_hold(run, g, p, y);
    gcast_pair_free(p);
}

/* What an operation waits for that waits for ever has no end that could be explained. */
static void hang_is_said(const gcast_run *run)
{
    gcast_error err;
    gcast_explanation *e = NULL;
    assert_int_equal(gcast_run_explain(run, run->hang->ops[0].run_op, &e, &err), GCAST_INPUT);
    assert_non_null(strstr(err.message, "hangs"));
    assert_null(e);
}

/* Who held up a programmatic kernel or a block that waits, by the times of the run. */
static void waits_are_right(const gcast_run *run, const gcast_explanation *e)
{
    for (size_t i = 0; i < e->wait_count; i++) {
        const gcast_wait *w = &e->waits[i];
        const gcast_run_op *x = &run->ops[w->run_op],
                           *holder = w->holder_count ? &run->ops[w->holders[0].run_op] : NULL;
        bool same_stream = holder && spec(run, w->run_op)->stream == run->workload->ops[holder->op].stream;
        if (w->reason == GCAST_WHY_TRIGGER)
            assert_true(same_stream && holder->launch < x->launch && holder->dispatched_ns <= w->to_ns);
        if (w->reason == GCAST_WHY_DEPTH)
            assert_true(same_stream && holder->end_ns + run->gpu->stream_gap_ns == w->to_ns);
        int64_t gap = spec(run, w->run_op)->graph != GCAST_NO_GRAPH && run->gpu->graph_wait_ns
                          ? run->gpu->graph_wait_ns
                          : run->gpu->stream_gap_ns;
        if (w->reason == GCAST_WHY_GRID_WAIT)
            assert_true(same_stream && holder->end_ns > w->from_ns - gap && holder->end_ns <= w->to_ns);
        if (w->reason == GCAST_WHY_BLOCK_WAIT)
            assert_int_equal(holder->dispatched_ns, w->to_ns);
        if (w->reason == GCAST_WHY_IN_ORDER)
            assert_true(same_stream && holder->end_ns == w->to_ns && x->end_ns == w->to_ns);
        if (w->reason == GCAST_WHY_WHOLE)
            assert_true(spec(run, w->run_op)->cooperative && w->to_ns <= x->start_ns);
    }
}

/* What joined no connection does not wait for one, nor for its turn: that would be the rest of another wait. */
static void no_rest_is_left(const gcast_run *run, const gcast_explanation *e)
{
    for (size_t i = 0; i < e->wait_count; i++)
        if (run->ops[e->waits[i].run_op].connection < 0)
            assert_true(e->waits[i].reason != GCAST_WHY_CONNECTION && e->waits[i].reason != GCAST_WHY_TURN);
}

static void try_seed(uint64_t seed, kind k, bool remedies, explain_tally *y)
{
    generated g = k == PLANNED     ? generate_planned(seed)
                  : k == LAUNCHING ? generate_launching(seed)
                  : k == CLUSTERED ? generate_clustered(seed)
                  : k == WAITING   ? generate_waiting(seed)
                  : k == GRAPHED   ? generate_graphed(seed)
                                   : generate(seed);
    gcast_run *run = simulate(g.workload, &g);
    if (run->hang) {
        hang_is_said(run);
        gcast_run_free(run);
        generated_free(&g);
        return;
    }
    support_random r = {seed};
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < run->op_count + run->child_count; i++) {
        gcast_error err;
        gcast_explanation *e;
        if (run->ops[i].skipped)
            continue;
        assert_ok(gcast_run_explain(run, i, &e, &err), &err);
        assert_int_equal(e->end_ns, run->ops[i].end_ns);
        explain_waits_follow(e);
        explain_children_are_right(run, e, y);
        waits_are_right(run, e);
        explain_totals_add_up(run, e, y);
        no_rest_is_left(run, e);
        gcast_explanation_free(e);
        if (!gcast_kind_on_gpu(spec(run, i)->kind))
            continue;
        bool is_rest = i >= run->op_count && run->children[i - run->op_count].is_rest;
        if (last != SIZE_MAX && !is_rest && percent(&r, 60))
            try_pair(run, &g, last, i, remedies && percent(&r, 30), y);
        if (last == SIZE_MAX || percent(&r, 50))
            last = i;
    }
    jobs_add_up(run, y);
    gcast_run_free(run);
    generated_free(&g);
}

static void explanations_hold(void **state)
{
    (void)state;
    explain_tally y = {0};
    bool all = support_runs(RUNS) >= RUNS; /* else some kinds may not have been seen */
    for (uint64_t seed = 1; seed <= support_runs(RUNS); seed++)
        try_seed(seed, PLAIN, seed <= REMEDY_RUNS, &y);
    for (uint64_t seed = 1; seed <= support_runs(PLANNED_RUNS); seed++)
        try_seed(seed, PLANNED, seed <= REMEDY_RUNS, &y);
    for (uint64_t seed = 1; seed <= support_runs(LAUNCHING_RUNS); seed++)
        try_seed(seed, LAUNCHING, seed % 4 == 0, &y);
    for (uint64_t seed = 1; seed <= support_runs(CLUSTERED_RUNS); seed++)
        try_seed(seed, CLUSTERED, seed % 4 == 0, &y);
    assert_true(!all || y.reasons[GCAST_WHY_CLUSTER] > 500);
    for (uint64_t seed = 1; seed <= support_runs(WAITING_RUNS); seed++)
        try_seed(seed, WAITING, false, &y);
    for (int why = GCAST_WHY_TRIGGER; why < GCAST_WHY_CHILD_LAUNCH; why++) {
        printf("%6ld %s\n", y.reasons[why], gcast_name(GCAST_NAMES_REASON, (gcast_reason)why));
        assert_true(!all || y.reasons[why] > 5);
    }
    for (uint64_t seed = 1; seed <= support_runs(GRAPHED_RUNS); seed++)
        try_seed(seed, GRAPHED, true, &y);
    for (int why = GCAST_WHY_CHILD_LAUNCH; why < GCAST_REASONS; why++) {
        printf("%6ld %s\n", y.reasons[why], gcast_name(GCAST_NAMES_REASON, (gcast_reason)why));
        assert_true(!all || y.reasons[why] > 100);
    }
    printf("%6ld %s\n", y.reasons[GCAST_WHY_AFTER], gcast_name(GCAST_NAMES_REASON, GCAST_WHY_AFTER));
    assert_true(!all || (y.reasons[GCAST_WHY_AFTER] > 100 && y.reasons[GCAST_WHY_EDGE] > 500));
    assert_true(!all || (y.reasons[GCAST_WHY_PLAN] > 20 && y.reasons[GCAST_WHY_JOBS] > 500 &&
                         y.reasons[GCAST_WHY_REPAIR] > 100));
    printf("%ld waits, %ld for room, on %ld SMs by quarter, %ld of several, %ld jobs; %ld pairs, %ld "
           "overlap, %ld links of chains; %ld remedies, "
           "%ld of several changes\n",
           y.waits, y.resources, y.quarters, y.shared, y.jobs, y.pairs, y.overlapping, y.chains, y.remedies, y.several);
    assert_true(!all || (y.resources > 1000 && y.quarters > 1000 && y.shared > 1000 && y.jobs > 100 &&
                         y.overlapping > 300 && y.overlapping < y.pairs - 300));
    assert_true(!all || (y.chains > 500 && y.remedies > 100 && y.several > 5));
    for (int k = 0; k < CHANGE_KINDS; k++) {
        if ((k < CHANGE_OWN_STREAM || k > CHANGE_CALL) && k != CHANGE_CONNECTIONS)
            continue; /* not made by remedies */
        printf("%6ld %s\n", y.kinds[k], change_kind_name((change_kind)k));
        assert_true(!all || (y.kinds[k] > 0 || k == CHANGE_REGISTERS ||
                             k == CHANGE_SHARED_MEMORY)); /* these are rarely short */
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        kind k = argc < 3                            ? PLAIN
                 : strcmp(argv[2], "launching") == 0 ? LAUNCHING
                 : strcmp(argv[2], "clustered") == 0 ? CLUSTERED
                 : strcmp(argv[2], "waiting") == 0   ? WAITING
                 : strcmp(argv[2], "graphed") == 0   ? GRAPHED
                                                     : PLANNED;
        try_seed(strtoull(argv[1], NULL, 10), k, true, &(explain_tally){0});
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(explanations_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
