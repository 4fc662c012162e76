/* Mappings of a system: which there are, which are the same, how they are scored. */
#include <stdlib.h>
#include <string.h>

#include "analyze/mapping/mapping_climb.h"
#include "analyze/mapping/mapping_score.h"
#include "analyze/mapping/mapping_walk.h"
#include "unit/analyze/mapped.h"

static uint64_t count_walk(const map_space *m, map_orders orders)
{
    uint64_t count;
    gcast_error err;
    assert_ok(map_walk_count(m, orders, 1000000, 1, NULL, &count, &err), &err);
    return count;
}

/* Interchangeable cores: as many mappings as ways to put tasks together. */
static void test_count_equal(void **state)
{
    (void)state;
    const uint64_t partitions[] = {1, 4, 5, 5}; /* of three, into at most 1, 2, 3, 4 parts */
    const uint64_t orders[] = {6, 12, 13, 13};  /* with the orders of tasks in each part */
    for (int cores = 1; cores <= 4; cores++) {
        sys_system *s = equal_cores(cores);
        map_space m;
        gcast_error err;
        assert_ok(map_space_make(&m, s, may_all, &err), &err);
        assert_int_equal(count_walk(&m, MAP_ORDERS_BY_DEADLINE), partitions[cores - 1]);
        assert_int_equal(count_walk(&m, MAP_ORDERS_ALL), orders[cores - 1]);
        map_space_free(&m);
        system_free(s);
    }
}

static void test_may(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = NULL;
    assert_ok(gcast_gpu_load("tx2", &gpu, &err), &err);
    sys_system *s = vehicle_system(gpu);
    const struct {
        map_may may;
        size_t lidar, kernel, detection; /* cores of these tasks */
        bool waits;
    } cases[] = {
        {{true, true, true, true}, 6, 7, 1, true},
        {{true, false, true, false}, 6, 1, 1, false},
        {{false, true, false, true}, 1, 7, 1, true},
        {{false, false, true, false}, 1, 1, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        map_space m;
        assert_ok(map_space_make(&m, s, cases[i].may, &err), &err);
        for (size_t t = 0; t < s->task_count; t++) {
            if (strcmp(s->tasks[t].name, "lidar") == 0)
                assert_int_equal(m.tasks[t].core_count, cases[i].lidar);
            if (strcmp(s->tasks[t].name, "sfm_kernel") == 0)
                assert_int_equal(m.tasks[t].core_count, cases[i].kernel);
            if (strcmp(s->tasks[t].name, "detection_kernel") == 0)
                assert_int_equal(m.tasks[t].core_count, cases[i].detection);
            if (strcmp(s->tasks[t].name, "sfm") == 0)
                assert_int_equal(m.tasks[t].may_wait_either_way, cases[i].waits);
            assert_int_equal(m.tasks[t].waits, s->tasks[t].step_count == 3);
        }
        map_space_free(&m);
    }
    system_free(s);
    gcast_gpu_free(gpu);
}

/* Tasks that fewer cores are free for make cores different; a core of its own that is not among the choices stays. */
static void test_classes(void **state)
{
    (void)state;
    gcast_error err;
    map_space m;
    sys_system *s = equal_cores(4);
    static const int two[] = {1, 2};
    sys_choice *choices = (sys_choice *)(uintptr_t)s->choices;
    choices[1].cores = two;
    choices[1].core_count = 2;
    assert_ok(map_space_make(&m, s, may_all, &err), &err);
    const int classes[] = {0, 0, 0, 3};
    assert_memory_equal(m.class_of, classes, sizeof classes);
    assert_int_equal(m.tasks[1].core_count, 3);
    assert_int_equal(m.tasks[1].cores[0], 0);
    map_space_free(&m);
    system_free(s);
}

/* All walks give each mapping once, and all are possible; packing and unpacking one gives the same. */
static void test_walk(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = NULL;
    assert_ok(gcast_gpu_load("tx2", &gpu, &err), &err);
    for (uint64_t n = 0; n < support_runs(40); n++) {
        support_random r = {n + 1};
        sys_system *s = drawn_system(&r, 1 + (int)(n % 3), 4, n % 2 ? gpu : NULL);
        map_orders orders = (map_orders)(n % 3);
        map_space m;
        assert_ok(map_space_make(&m, s, (map_may){true, true, orders != MAP_ORDERS_KEPT, true}, &err), &err);
        uint64_t count = count_walk(&m, orders), seen = 0;
        uint32_t *all = calloc(count * s->task_count, sizeof *all);
        map_walk w;
        assert_non_null(all);
        assert_ok(map_walk_start(&w, &m, orders, NULL, &err), &err);
        do {
            uint32_t *packed = &all[seen * s->task_count], again[MOST_TASKS];
            sys_place places[MOST_TASKS];
            assert_ok(system_check_places(s, w.places, &err), &err);
            map_pack(&m, w.places, packed);
            map_unpack(&m, packed, places);
            map_pack(&m, places, again);
            assert_memory_equal(packed, again, s->task_count * sizeof *packed);
            for (size_t i = 0; i < s->task_count; i++)
                assert_int_equal(places[i].core, w.places[i].core); /* walks give the normal ones */
            for (uint64_t k = 0; k < seen; k++)
                assert_memory_not_equal(&all[k * s->task_count], packed, s->task_count * sizeof *packed);
            seen++;
        } while (map_walk_next(&w));
        assert_int_equal(seen, count);
        map_walk_free(&w);
        free(all);
        map_space_free(&m);
        system_free(s);
    }
    gcast_gpu_free(gpu);
}

/* A walk that starts at digits goes on as the one that they are of. */
static void test_walk_from(void **state)
{
    (void)state;
    gcast_error err;
    support_random r = {5};
    sys_system *s = drawn_system(&r, 3, 5, NULL);
    map_space m;
    assert_ok(map_space_make(&m, s, may_all, &err), &err);
    uint64_t count = count_walk(&m, MAP_ORDERS_ALL), number = 0;
    map_digit *starts = calloc(count * s->task_count, sizeof *starts);
    map_walk w;
    assert_non_null(starts);
    assert_ok(map_walk_count(&m, MAP_ORDERS_ALL, count, 7, starts, &count, &err), &err);
    assert_ok(map_walk_start(&w, &m, MAP_ORDERS_ALL, NULL, &err), &err);
    do {
        map_walk other;
        const map_digit *from = &starts[number / 7 * s->task_count];
        assert_ok(map_walk_start(&other, &m, MAP_ORDERS_ALL, from, &err), &err);
        for (uint64_t i = 0; i < number % 7; i++)
            assert_true(map_walk_next(&other));
        for (size_t i = 0; i < s->task_count; i++) {
            assert_int_equal(other.places[i].core, w.places[i].core);
            assert_int_equal(other.places[i].priority, w.places[i].priority);
            assert_int_equal(other.places[i].busy, w.places[i].busy);
        }
        map_walk_free(&other);
        number++;
    } while (map_walk_next(&w));
    assert_int_equal(number, count);
    map_walk_free(&w);
    free(starts);
    map_space_free(&m);
    system_free(s);
}

/* Drawn changes and starts are possible, keep orders of priorities strict, and do change something. */
static void test_moves(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = NULL;
    assert_ok(gcast_gpu_load("tx2", &gpu, &err), &err);
    for (uint64_t n = 0; n < support_runs(50); n++) {
        support_random r = {n + 1};
        uint64_t random = n, moved = 0;
        sys_system *s = drawn_system(&r, 3, 9, gpu);
        map_space m;
        sys_place places[MOST_TASKS], before[MOST_TASKS];
        assert_ok(map_space_make(&m, s, may_all, &err), &err);
        map_shuffle(&m, places, &random);
        assert_ok(system_check_places(s, places, &err), &err);
        assert_ok(map_spread(&m, places, &err), &err);
        assert_ok(system_check_places(s, places, &err), &err);
        map_own(&m, places);
        for (int i = 0; i < 200; i++) {
            uint32_t packed[MOST_TASKS], packed_before[MOST_TASKS];
            memcpy(before, places, sizeof before);
            map_move(&m, places, &random);
            assert_ok(system_check_places(s, places, &err), &err);
            for (size_t a = 0; a < s->task_count; a++)
                for (size_t b = 0; b < a; b++)
                    assert_false(places[a].core != SYS_GPU && places[a].core == places[b].core &&
                                 s->tasks[a].isr == s->tasks[b].isr && places[a].priority == places[b].priority);
            map_pack(&m, places, packed);
            map_pack(&m, before, packed_before);
            moved += memcmp(packed, packed_before, s->task_count * sizeof *packed) != 0;
        }
        assert_true(moved > 150);
        map_space_free(&m);
        system_free(s);
    }
    gcast_gpu_free(gpu);
}

/* No evaluation is better than the floor of the same mapping. */
static void test_floor(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = NULL;
    uint64_t overloaded = 0;
    assert_ok(gcast_gpu_load("tx2", &gpu, &err), &err);
    for (uint64_t n = 0; n < support_runs(300); n++) {
        support_random r = {n + 1};
        uint64_t random = n;
        sys_system *s = drawn_system(&r, 3, 8, gpu);
        map_objective o = {(map_objective_kind)(n % MAP_OBJECTIVES), SYS_NONE, GCAST_COMMUNICATION_IMPLICIT};
        simple_responses e = {s, o, 0};
        map_space m;
        map_floor f;
        assert_ok(map_space_make(&m, s, may_all, &err), &err);
        assert_ok(map_floor_make(&f, s, &err), &err);
        for (int i = 0; i < 50; i++) {
            sys_place places[MOST_TASKS];
            map_score score, least;
            map_shuffle(&m, places, &random);
            assert_ok(simple_evaluate(&e, places, &score, &err), &err);
            least = map_floor_score(&f, places, o);
            assert_true(map_score_compare(&least, &score) <= 0);
            overloaded += least.late_ns >= MAP_UNBOUNDED_NS;
        }
        map_floor_free(&f);
        map_space_free(&m);
        system_free(s);
    }
    assert_true(overloaded > 0);
    gcast_gpu_free(gpu);
}

static void test_scores(void **state)
{
    (void)state;
    sys_system *s = equal_cores(1);
    ((sys_task *)(uintptr_t)s->tasks)[0].deadline_ns = 8 * MS;
    ((sys_task *)(uintptr_t)s->tasks)[1].deadline_ns = 10 * MS;
    map_tally t = map_tally_start(s, (map_objective){MAP_SLACK, SYS_NONE, GCAST_COMMUNICATION_IMPLICIT});
    map_tally_task(&t, 0, 2 * MS, 2 * MS);
    map_tally_task(&t, 1, 9 * MS, 9 * MS);
    map_tally_task(&t, 2, 100 * MS, 100 * MS);
    assert_int_equal(t.score.missed, 0);
    assert_int_equal(t.score.value, -100000); /* a tenth */
    map_tally_task(&t, 1, 13 * MS, 13 * MS);
    assert_int_equal(t.score.missed, 1);
    assert_int_equal(t.score.late_ns, 3 * MS);
    assert_int_equal(t.score.value, 300000);
    map_tally_task(&t, 2, SYS_UNBOUNDED, SYS_UNBOUNDED); /* counts, though it has no deadline */
    assert_int_equal(t.score.missed, 2);
    assert_int_equal(t.score.late_ns, 3 * MS + MAP_UNBOUNDED_NS);
    const map_score rising[] = {{0, 0, 5}, {0, 0, 6}, {0, 1, 0}, {1, 0, -9}};
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(map_score_compare(&rising[i], &rising[k]), (i > k) - (i < k));
    system_free(s);
}

/* Limits count as deadlines do: above the upper one and below the lower one. */
static void test_scores_of_limits(void **state)
{
    static const struct {
        int64_t best, worst;
        gcast_deadline_verdict verdict;
        int64_t missed, late;
    } cases[] = {
        {5, 9, GCAST_DEADLINE_MET, 0, 0},
        {5, 9, GCAST_DEADLINE_MET_IF, 0, 0},
        {5, 12, GCAST_DEADLINE_OPEN, 1, 2},
        {1, 12, GCAST_DEADLINE_OPEN, 1, 2 + 4},
        {1, 3, GCAST_DEADLINE_MISSED, 1, 4},
        {5, SYS_UNBOUNDED, GCAST_DEADLINE_OPEN, 1, MAP_UNBOUNDED_NS},
        {SYS_NO_LEAST, 9, GCAST_DEADLINE_OPEN, 1, MAP_UNBOUNDED_NS},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_system *m = make_system_new(NULL);
        int task = add_periodic(m, "task", add_core(m, "core"), 1, 10 * MS);
        add_run(m, task, MS, MS);
        const sys_span span = {task, 0, 1, false};
        add_span_limit(m, "limit", &span, 1, 5, 10);
        sys_system *s = make_system_done(m);
        const sys_task_answer response = {.worst_ns = MS};
        const sys_limit_answer limit = {
            .best_ns = cases[i].best, .worst_ns = cases[i].worst, .verdict = cases[i].verdict};
        const sys_answer a = {.of = s, .tasks = &response, .limits = &limit};
        map_score score = map_score_answer(&a, (map_objective){MAP_RESPONSES, SYS_NONE, GCAST_COMMUNICATION_IMPLICIT});
        assert_int_equal(score.missed, cases[i].missed);
        assert_int_equal(score.late_ns, cases[i].late);
        assert_int_equal(score.value, MS);
        system_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count_equal), cmocka_unit_test(test_may),       cmocka_unit_test(test_classes),
        cmocka_unit_test(test_walk),        cmocka_unit_test(test_walk_from), cmocka_unit_test(test_moves),
        cmocka_unit_test(test_floor),       cmocka_unit_test(test_scores),    cmocka_unit_test(test_scores_of_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
