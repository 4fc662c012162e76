/* Mappings written with the fewest changes of the system's own. */
#include <string.h>

#include "analyze/mapping/mapping_assign.h"
#include "analyze/mapping/mapping_changes.h"
#include "analyze/mapping/mapping_climb.h"
#include "unit/analyze/mapped.h"

/* Against all permutations. */
static void test_assign(void **state)
{
    (void)state;
    support_random r = {3};
    for (int n = 0; n < 300; n++) {
        int64_t gain[16], most = 0, got = 0;
        size_t count = 1 + (size_t)(n % 4);
        int chosen[4];
        for (size_t i = 0; i < count * count; i++)
            gain[i] = support_between(&r, 0, 5);
        for (int code = 0; code < 256; code++) { /* two bits say the other of a thing */
            int64_t sum = 0;
            unsigned used = 0;
            for (size_t i = 0; i < count; i++) {
                size_t other = (size_t)(code >> 2 * i & 3);
                used |= 1u << other;
                sum += other < count ? gain[i * count + other] : 0;
            }
            if (used == (1u << count) - 1 && sum > most)
                most = sum;
        }
        assert_true(map_assign(gain, count, chosen));
        unsigned used = 0;
        for (size_t i = 0; i < count; i++) {
            used |= 1u << chosen[i];
            got += gain[i * count + (size_t)chosen[i]];
        }
        assert_int_equal(used, (1u << count) - 1);
        assert_int_equal(got, most);
    }
}

/* Cores with other names: none changes. */
static void test_keep_cores(void **state)
{
    (void)state;
    gcast_error err;
    map_space m;
    sys_place places[MOST_TASKS];
    sys_system *s = equal_cores(3);
    sys_place *own = (sys_place *)(uintptr_t)s->places;
    own[0].core = 2;
    own[1].core = 0;
    own[2].core = 1;
    assert_ok(map_space_make(&m, s, may_all, &err), &err);
    memcpy(places, own, 3 * sizeof *own);
    for (int i = 0; i < 3; i++)
        places[i].core = i;
    assert_int_equal(map_count_changes(s, places), 3);
    assert_ok(map_keep_cores(&m, places, &err), &err);
    assert_int_equal(map_count_changes(s, places), 0);
    places[0].core = places[1].core = 1; /* one of two that are together moves */
    places[2].core = 0;
    assert_ok(map_keep_cores(&m, places, &err), &err);
    assert_int_equal(map_count_changes(s, places), 1);
    map_space_free(&m);
    system_free(s);
}

/* Orders stay strict and the same, and numbers of the model stay where they can. */
static void test_keep_priorities(void **state)
{
    (void)state;
    gcast_error err;
    for (uint64_t n = 0; n < support_runs(200); n++) {
        support_random r = {n + 1};
        uint64_t random = n;
        sys_system *s = drawn_system(&r, 2, 8, NULL);
        map_space m;
        sys_place places[MOST_TASKS];
        uint32_t before[MOST_TASKS], after[MOST_TASKS];
        assert_ok(map_space_make(&m, s, may_all, &err), &err);
        for (size_t i = 0; i < s->task_count; i++)
            ((sys_place *)(uintptr_t)s->places)[i].priority = support_between(&r, 1, 20);
        map_own(&m, places);
        for (uint64_t i = 0; i < n % 7; i++)
            map_move(&m, places, &random);
        map_pack(&m, places, before);
        assert_ok(map_keep_priorities(&m, places, &err), &err);
        map_pack(&m, places, after);
        assert_memory_equal(before, after, s->task_count * sizeof *before);
        size_t kept = 0;
        for (size_t i = 0; i < s->task_count; i++) {
            assert_true(places[i].priority >= 1);
            kept += places[i].priority == s->places[i].priority;
            for (size_t k = 0; k < i; k++)
                assert_false(places[i].core == places[k].core && s->tasks[i].isr == s->tasks[k].isr &&
                             places[i].priority == places[k].priority);
        }
        assert_true(kept > 0 || n % 7 > 0);
        map_space_free(&m);
        system_free(s);
    }
}

/* Where there is room between the numbers, one of them changes. */
static void test_fewest_numbers(void **state)
{
    (void)state;
    gcast_error err;
    map_space m;
    sys_system *s = equal_cores(1);
    sys_place *own = (sys_place *)(uintptr_t)s->places, places[3];
    own[0].priority = 30;
    own[1].priority = 20;
    own[2].priority = 10;
    assert_ok(map_space_make(&m, s, may_all, &err), &err);
    memcpy(places, own, sizeof places);
    places[2].priority = 25; /* in between */
    assert_ok(map_keep_priorities(&m, places, &err), &err);
    assert_true(places[0].priority > places[2].priority && places[2].priority > places[1].priority);
    assert_int_equal(map_count_changes(s, places), 1);
    map_space_free(&m);
    system_free(s);
}

/* What makes no difference to the score is not changed, and the score does not get worse. */
static void test_fewest_changes(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = NULL;
    assert_ok(gcast_gpu_load("tx2", &gpu, &err), &err);
    for (uint64_t n = 0; n < support_runs(60); n++) {
        support_random r = {n + 1};
        uint64_t random = n;
        sys_system *s = drawn_system(&r, 3, 8, gpu);
        map_objective o = {(map_objective_kind)(n % MAP_OBJECTIVES), SYS_NONE, GCAST_COMMUNICATION_IMPLICIT};
        simple_responses e = {s, o, 0};
        map_evaluator evaluator = {simple_evaluate, &e};
        map_space m;
        map_score before, after, again;
        sys_place places[MOST_TASKS];
        assert_ok(map_space_make(&m, s, may_all, &err), &err);
        map_own(&m, places);
        for (uint64_t i = 0; i < n % 9; i++)
            map_move(&m, places, &random);
        assert_ok(simple_evaluate(&e, places, &before, &err), &err);
        assert_ok(map_fewest_changes(&m, evaluator, places, &after, &err), &err);
        assert_true(map_score_compare(&after, &before) <= 0);
        assert_ok(simple_evaluate(&e, places, &again, &err), &err);
        assert_int_equal(map_score_compare(&after, &again), 0);
        for (size_t i = 0; i < s->task_count; i++) { /* no change can be taken back */
            sys_place kept = places[i];
            const sys_place *own = &s->places[i];
            if (kept.core == own->core && kept.priority == own->priority && kept.busy == own->busy)
                continue;
            places[i] = *own;
            assert_ok(simple_evaluate(&e, places, &again, &err), &err);
            assert_true(map_score_compare(&again, &after) > 0);
            places[i] = kept;
        }
        map_space_free(&m);
        system_free(s);
    }
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assign),          cmocka_unit_test(test_keep_cores),
        cmocka_unit_test(test_keep_priorities), cmocka_unit_test(test_fewest_numbers),
        cmocka_unit_test(test_fewest_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
