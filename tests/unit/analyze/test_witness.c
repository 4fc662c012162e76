/* gcast_witness: late executions are found, shown by a workload without open choices, and change verdicts. */
#include "analyze/answer.h"
#include "files/workload_formats.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gcast_workload *read_json(const char *json)
{
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_read_native(json, strlen(json), "test", &w, &err), &err);
    return w;
}

static gcast_witness *witness_of(const gcast_workload *w, const gcast_witness_options *options)
{
    gcast_error err;
    gcast_witness *witness;
    assert_ok(gcast_workload_witness(w, NULL, options, &witness, &err), &err);
    return witness;
}

/* The response of the late operation, whose label begins so, in the simulation of a witness. */
static int64_t shown(const gcast_witness *witness, size_t op, const char *label)
{
    gcast_error err;
    gcast_workload *made;
    gcast_run *run;
    size_t late;
    assert_ok(gcast_witness_workload(witness, op, &made, &late, &err), &err);
    assert_ptr_equal(strstr(made->ops[late].label, label), made->ops[late].label);
    assert_int_equal(made->task_count, 0);
    assert_ok(gcast_workload_simulate(made, NULL, NULL, &run, &err), &err);
    int64_t response = gcast_response_ns(&run->ops[late]);
    gcast_run_free(run);
    gcast_workload_free(made);
    return response;
}

/* docs/bound.md, "Less work may end later": C is latest where A is short and B is long, which neither the longest nor
 * the shortest durations are. */
static void finds_the_anomaly(void **state)
{
    (void)state;
    static const char json[] =
        "{\"schema\": \"gridcast.workload/1\", \"name\": \"less work\", \"gpu\": \"tx2\", \"ops\": ["
        "{\"kind\": \"kernel\", \"label\": \"A\", \"stream\": 1, \"grid\": 1, \"block\": 1024,"
        " \"duration_ns\": {\"min\": 800000, \"max\": 2000000}},"
        "{\"kind\": \"kernel\", \"label\": \"B\", \"stream\": 2, \"release_ns\": 1000000, \"grid\": 2, \"block\": 512,"
        " \"duration_ns\": {\"min\": 500000, \"max\": 2000000}},"
        "{\"kind\": \"kernel\", \"label\": \"C\", \"stream\": 3, \"release_ns\": 1000000, \"grid\": 3, \"block\": 1024,"
        " \"duration_ns\": 2000000}]}";
    gcast_workload *w = read_json(json);
    gcast_witness_options options = gcast_witness_options_default();
    gcast_witness *all = witness_of(w, &options);
    assert_int_equal(all->seen_ns[2], 4000000);
    assert_int_equal(shown(all, 2, "C"), 4000000);
    options.max_executions = 2; /* all longest, all shortest */
    gcast_witness *plain = witness_of(w, &options);
    assert_int_equal(plain->executions, 2);
    assert_true(plain->seen_ns[2] < 4000000);
    gcast_witness_free(all);
    gcast_witness_free(plain);
    gcast_workload_free(w);
}

/* Two tasks that share a GPU with room for one at a time. */
static gcast_workload *two_tasks(const char *more)
{
    char json[900];
    snprintf(json, sizeof json,
             "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"tasks\": [{\"name\": \"t\", \"stream\": 1,"
             " \"period_ns\": 100000, \"deadline_ns\": 15000, \"ops\": [{\"kind\": \"kernel\", \"label\": \"K\","
             " \"grid\": 4, \"block\": 1024, \"duration_ns\": {\"min\": 1000, \"max\": 10000}}]}, {\"name\": \"u\","
             " \"stream\": 2, \"period_ns\": 100000, %s \"ops\": [{\"kind\": \"kernel\", \"label\": \"L\","
             " \"grid\": 4, \"block\": 1024, \"duration_ns\": 10000}]}]}",
             more);
    return read_json(json);
}

static void finds_late_releases(void **state)
{
    (void)state;
    gcast_workload *w = two_tasks("\"offset_ns\": 30000, \"jitter_ns\": 79000,");
    gcast_witness_options options = gcast_witness_options_default();
    gcast_witness *witness = witness_of(w, &options);
    /* L comes up to 1 ns before K of the next period */
    assert_in_range(witness->seen_ns[0], 19000, 20000);
    assert_int_equal(shown(witness, 0, "K#"), witness->seen_ns[0]);
    gcast_witness_free(witness);
    gcast_workload_free(w);
}

static void orders_and_phases_only_where_asked_for(void **state)
{
    (void)state;
    gcast_workload *together = two_tasks(""), *apart = two_tasks("\"offset_ns\": 40000,");
    gcast_witness_options options = gcast_witness_options_default();
    gcast_witness *in_order = witness_of(together, &options), *in_phase = witness_of(apart, &options);
    options.any_order = true;
    gcast_witness *any_order = witness_of(together, &options);
    options.any_order = false;
    options.any_phase = true;
    gcast_witness *any_phase = witness_of(apart, &options);
    assert_int_equal(in_order->seen_ns[0], 10000);
    assert_int_equal(any_order->seen_ns[0], 20000);
    assert_int_equal(in_phase->seen_ns[0], 10000);
    assert_in_range(any_phase->seen_ns[0], 19000, 20000);
    gcast_witness_free(in_order);
    gcast_witness_free(in_phase);
    gcast_witness_free(any_order);
    gcast_witness_free(any_phase);
    gcast_workload_free(together);
    gcast_workload_free(apart);
}

/* A search ends where enough is seen, and its result is that of its seed. */
static void keeps_to_its_budget(void **state)
{
    (void)state;
    gcast_workload *w = two_tasks("\"offset_ns\": 30000, \"jitter_ns\": 79000,");
    gcast_witness_options options = gcast_witness_options_default();
    int64_t enough[] = {15000, 0};
    options.max_executions = 300;
    options.max_ms = 60000;
    gcast_witness *a = witness_of(w, &options), *b = witness_of(w, &options);
    assert_true(a->windows > 0);
    assert_int_equal(a->executions - a->windows + a->windows / 4, 300);
    assert_memory_equal(a->seen_ns, b->seen_ns, 2 * sizeof *a->seen_ns);
    options.enough_ns = enough;
    gcast_witness *c = witness_of(w, &options);
    assert_true(c->executions < 300 && c->seen_ns[0] >= 15000);
    gcast_witness_free(a);
    gcast_witness_free(b);
    gcast_witness_free(c);
    gcast_workload_free(w);
}

static gcast_answer *bound_of(const gcast_workload *w)
{
    gcast_error err;
    gcast_analysis *a;
    gcast_answer *answer;
    assert_ok(gcast_workload_analyze(w, NULL, GCAST_METHOD_BOUND, NULL, &a, &err), &err);
    assert_ok(gcast_answer_create(w, w->gpu, &a, 1, &answer, &err), &err);
    return answer;
}

static void what_is_seen_is_missed(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w = two_tasks("\"offset_ns\": 30000, \"jitter_ns\": 79000,");
    gcast_answer *answer = bound_of(w);
    gcast_witness *witness = witness_of(w, NULL);
    assert_int_equal(gcast_answer_verdict(answer, &answer->responses[0]), GCAST_DEADLINE_OPEN);
    assert_ok(gcast_answer_add_witness(answer, witness, &err), &err);
    assert_true(answer->searched);
    assert_int_equal(answer->responses[0].seen_ns, witness->seen_ns[0]);
    assert_int_equal(gcast_answer_verdict(answer, &answer->responses[0]), GCAST_DEADLINE_MISSED);
    int64_t impossible[] = {1000000000, 1};
    assert_int_equal(gcast_answer_add_witness(answer, &(gcast_witness){.workload = w, .seen_ns = impossible}, &err),
                     GCAST_INTERNAL);
    gcast_answer_free(answer);
    gcast_witness_free(witness);
    gcast_workload_free(w);
}

/* Ends after the first job that is left out are not final, unless no such job is wanted. */
static void a_horizon_is_kept(void **state)
{
    (void)state;
    gcast_workload *w = two_tasks("");
    gcast_witness_options options = gcast_witness_options_default();
    options.horizon_ns = 1;
    gcast_witness *witness = witness_of(w, &options);
    assert_int_equal(witness->seen_ns[1], 20000);
    assert_int_equal(shown(witness, 1, "L#0"), 20000);
    gcast_witness_free(witness);
    gcast_workload_free(w);
}

/* Up to the horizon there is no job, or only one task has some. */
static void jobs_may_be_after_the_horizon(void **state)
{
    (void)state;
    static const char *const offsets[] = {"\"offset_ns\": 30000, \"jitter_ns\": 5,",
                                          "\"offset_ns\": 30000, \"jitter_ns\": 5, \"sporadic\": true,",
                                          "\"offset_ns\": 30000,"};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        gcast_workload *w = two_tasks(offsets[i]);
        gcast_witness_options options = gcast_witness_options_default();
        options.horizon_ns = 1;
        options.any_order = options.any_phase = i == 0;
        gcast_witness *witness = witness_of(w, &options);
        assert_int_equal(witness->seen_ns[0], 10000);
        assert_int_equal(witness->seen_ns[1], 0);
        gcast_witness_free(witness);
        ((gcast_task *)w->tasks)[0].offset_ns = 30000;
        ((gcast_task *)w->tasks)[0].jitter_ns = 7;
        witness = witness_of(w, &options);
        assert_int_equal(witness->seen_ns[0] + witness->seen_ns[1], 0);
        gcast_witness_free(witness);
        gcast_workload_free(w);
    }
}

static void labels_stay_apart(void **state)
{
    (void)state;
    gcast_workload *w = read_json(
        "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"ops\": [{\"kind\": \"kernel\", \"label\": \"K#0\","
        " \"stream\": 1, \"grid\": 1, \"block\": 32, \"duration_ns\": 1000}], \"tasks\": [{\"name\": \"t\","
        " \"stream\": 1, \"period_ns\": 9000, \"ops\": [{\"kind\": \"kernel\", \"label\": \"K\", \"grid\": 1,"
        " \"block\": 32, \"duration_ns\": 1000}]}]}");
    gcast_witness *witness = witness_of(w, NULL);
    assert_int_equal(witness->executions, 1); /* nothing is open */
    assert_int_equal(shown(witness, 1, "K##0"), witness->seen_ns[1]);
    gcast_witness_free(witness);
    gcast_workload_free(w);
}

static gcast_workload *chain_of_two(const char *more)
{
    char json[1200];
    snprintf(json, sizeof json,
             "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"tasks\": [{\"name\": \"t\", \"stream\": 1,"
             " \"period_ns\": 100000, %s \"ops\": [{\"kind\": \"kernel\", \"label\": \"K\", \"grid\": 4,"
             " \"block\": 1024, \"duration_ns\": {\"min\": 1000, \"max\": 10000}}, {\"kind\": \"kernel\", \"label\":"
             " \"L\", \"stream\": 2, \"after\": [\"K\"], \"grid\": 1, \"block\": 32, \"duration_ns\": 5000}]}]}",
             more);
    return read_json(json);
}

/* L waits for K of its job, in another stream, in the witness too. */
static void dependencies_stay(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w = chain_of_two(""), *made;
    gcast_witness *witness = witness_of(w, NULL);
    size_t late;
    assert_null(witness->why_not);
    assert_true(witness->seen_ns[1] >= 15000);
    assert_int_equal(shown(witness, 1, "L#"), witness->seen_ns[1]);
    assert_ok(gcast_witness_workload(witness, 1, &made, &late, &err), &err);
    assert_int_equal(made->ops[late].after_count, 1);
    assert_string_equal(made->ops[made->ops[late].after[0]].label, "K#0");
    gcast_workload_free(made);
    gcast_witness_free(witness);
    gcast_workload_free(w);
}

/* A sporadic task may come just before another, which its minimum distance alone never does. */
static void finds_distances_of_sporadic_tasks(void **state)
{
    (void)state;
    gcast_workload *w = two_tasks("\"offset_ns\": 30000, \"sporadic\": true,");
    gcast_witness_options options = gcast_witness_options_default();
    gcast_witness *witness = witness_of(w, &options);
    assert_in_range(witness->seen_ns[0], 18000, 20000); /* L is there when K comes */
    assert_int_equal(shown(witness, 0, "K#"), witness->seen_ns[0]);
    gcast_witness_free(witness);
    gcast_workload_free(w);
}

/* The latency of each call is one of its range, and is in the file. */
static void draws_latencies(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w = two_tasks(""), *made;
    gcast_witness_options options = gcast_witness_options_default();
    options.launch_max_ns = 7000;
    gcast_witness *witness = witness_of(w, &options);
    /* K comes late, so that L is first: 7000 until K arrives, or the rest of L, and 10000 for K */
    assert_true(witness->seen_ns[0] >= 19000);
    assert_int_equal(shown(witness, 0, "K#"), witness->seen_ns[0]);
    size_t late;
    assert_ok(gcast_witness_workload(witness, 0, &made, &late, &err), &err);
    assert_in_range(made->ops[late].extra_latency_ns, 1, 7000);
    gcast_workload_free(made);
    gcast_witness_free(witness);
    gcast_workload_free(w);
}

/* Two tasks with blocks that leave no room for each other. `grid`: 4 take all threads, 3 leave a quarter unused. */
static gcast_workload *pile(int grid, int max_ns)
{
    char json[1200];
    snprintf(json, sizeof json,
             "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"tasks\": [{\"name\": \"t\", \"stream\": 1,"
             " \"period_ns\": 10000, \"ops\": [{\"kind\": \"kernel\", \"label\": \"K\", \"grid\": %d,"
             " \"block\": 1024, \"duration_ns\": {\"min\": 4000, \"max\": %d}}]}, {\"name\": \"u\","
             " \"stream\": 2, \"period_ns\": 20000, \"ops\": [{\"kind\": \"kernel\", \"label\": \"L\","
             " \"grid\": %d, \"block\": 1024, \"duration_ns\": {\"min\": 3000, \"max\": 9000}}]}]}",
             grid, max_ns, grid);
    return read_json(json);
}

static void says_what_piles_up(void **state)
{
    (void)state;
    gcast_error err;
    gcast_witness_options options = gcast_witness_options_default();
    options.growth = true;
    gcast_workload *overload = pile(4, 8000), *blocked = pile(3, 8000), *fine = pile(4, 5000);
    gcast_witness *by_load = witness_of(overload, &options), *by_state = witness_of(blocked, &options);
    gcast_witness *none = witness_of(fine, &options);
    assert_int_equal(by_load->growth, GCAST_BACKLOG_PILES_UP);
    assert_non_null(strstr(by_load->growth_why, "125.0 % of the threads"));
    /* 2 x 8 and 9 us do not overlap, and do not fit into 20 us */
    assert_int_equal(by_state->growth, GCAST_BACKLOG_PILES_UP);
    assert_non_null(strstr(by_state->growth_why, "with the longest durations"));
    /* 6 of 8 jobs are done in 80 us, so that a job that is released 20 us later ends 26.7 us later */
    assert_int_equal(by_state->growth_ns[0], 6666);
    assert_int_equal(by_state->growth_ns[1], 0);
    assert_true(by_state->seen_ns[0] > 10000);
    assert_int_equal(none->growth, GCAST_BACKLOG_UNKNOWN);
    assert_true(none->growth_searched);
    gcast_answer *answer = bound_of(blocked);
    assert_ok(gcast_answer_add_witness(answer, by_state, &err), &err);
    assert_int_equal(answer->growth, GCAST_BACKLOG_PILES_UP);
    assert_int_equal(answer->responses[0].growth_ns, 6666);
    gcast_answer_free(answer);
    gcast_witness_free(by_load);
    gcast_witness_free(by_state);
    gcast_witness_free(none);
    gcast_workload_free(overload);
    gcast_workload_free(blocked);
    gcast_workload_free(fine);
}

/* Hyperperiods count from the first releases: the search does not go on for a thousand seconds after those. */
static void offsets_are_no_hyperperiods(void **state)
{
    (void)state;
    gcast_workload *w =
        read_json("{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"tasks\": [{\"name\": \"t\", \"stream\": 1,"
                  " \"period_ns\": 1000000, \"offset_ns\": 1000000000000, \"ops\": [{\"kind\": \"kernel\","
                  " \"label\": \"K\", \"grid\": 1, \"block\": 32, \"duration_ns\": 2000000}]}]}");
    gcast_witness_options options = gcast_witness_options_default();
    options.growth = true;
    gcast_witness *witness = witness_of(w, &options);
    assert_int_equal(witness->growth, GCAST_BACKLOG_PILES_UP);
    assert_in_range(witness->seen_ns[0], 2000000, 10000000);
    gcast_witness_free(witness);
    gcast_workload_free(w);
}

static void errors(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w = two_tasks(""), *made, *no_gpu, *shared;
    gcast_witness *witness;
    assert_ok(gcast_workload_create("empty", &no_gpu, &err), &err);
    assert_int_equal(gcast_workload_witness(no_gpu, NULL, NULL, &witness, &err), GCAST_INPUT);
    assert_string_equal(err.path, "/gpu");
    gcast_witness_options options = gcast_witness_options_default();
    options.horizon_ns = -1;
    assert_int_equal(gcast_workload_witness(w, NULL, &options, &witness, &err), GCAST_USAGE);
    witness = witness_of(w, NULL);
    assert_int_equal(gcast_witness_workload(witness, 2, &made, NULL, &err), GCAST_USAGE);
    gcast_witness_free(witness);
    shared =
        read_json("{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"streams\": [{\"id\": 1}, {\"id\": 2,"
                  " \"process\": 1}], \"ops\": [{\"kind\": \"kernel\", \"label\": \"K\", \"stream\": 1, \"grid\": 1,"
                  " \"block\": 32, \"duration_ns\": 10}, {\"kind\": \"kernel\", \"label\": \"L\", \"stream\": 2,"
                  " \"grid\": 1, \"block\": 32, \"duration_ns\": 10}]}");
    witness = witness_of(shared, NULL);
    assert_non_null(strstr(witness->why_not, "several processes"));
    assert_int_equal(witness->seen_ns[0], 0);
    gcast_witness_free(witness);
    gcast_workload_free(shared);
    gcast_workload_free(no_gpu);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_anomaly),
        cmocka_unit_test(finds_late_releases),
        cmocka_unit_test(orders_and_phases_only_where_asked_for),
        cmocka_unit_test(keeps_to_its_budget),
        cmocka_unit_test(what_is_seen_is_missed),
        cmocka_unit_test(a_horizon_is_kept),
        cmocka_unit_test(jobs_may_be_after_the_horizon),
        cmocka_unit_test(labels_stay_apart),
        cmocka_unit_test(dependencies_stay),
        cmocka_unit_test(finds_distances_of_sporadic_tasks),
        cmocka_unit_test(draws_latencies),
        cmocka_unit_test(says_what_piles_up),
        cmocka_unit_test(offsets_are_no_hyperperiods),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
