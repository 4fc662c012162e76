/* Scores of mappings by the analysis of systems, on random systems: what is said to be no better is not, and what is
 * said to be the same is. */
#include <stdlib.h>
#include <string.h>

#include "analyze/mapping/mapping_changes.h"
#include "analyze/mapping/mapping_climb.h"
#include "analyze/mapping/mapping_evaluate.h"
#include "analyze/mapping/mapping_search.h"
#include "support/draw_limits.h"
#include "support/draw_system.h"
#include "unit/analyze/mapped.h"

/* A system, its space, and both analyses of its mappings. */
typedef struct drawn {
    sys_system *s;
    map_space space;
    map_objective objective;
    map_analysis full, quick;
    map_floor floor;
} drawn;

static void draw(drawn *d, uint64_t n)
{
    gcast_error err;
    draw_options how = {.gpu = n % 4 ? group_gpu : NULL, .chains = n % 3 == 0};
    support_random r = {n + 1};
    d->s = n % 2 ? draw_system(n, &how) : drawn_system(&r, 2 + (int)(n % 3), 7, how.gpu);
    if (n % 8 == 5)
        draw_limits(d->s, n);
    d->objective = (map_objective){(map_objective_kind)(n % MAP_OBJECTIVES), SYS_NONE, GCAST_COMMUNICATION_IMPLICIT};
    sys_analyze_options o = system_analyze_options_default();
    assert_true(d->s->task_count <= MOST_TASKS);
    assert_ok(map_space_make(&d->space, d->s, (map_may){true, true, true, true}, &err), &err);
    assert_ok(map_analysis_make(&d->full, d->s, &o, d->objective, false, &err), &err);
    assert_ok(map_analysis_make(&d->quick, d->s, &o, d->objective, true, &err), &err);
    assert_ok(map_floor_make(&d->floor, d->s, &err), &err);
}

static void drop(drawn *d)
{
    map_floor_free(&d->floor);
    map_analysis_free(&d->full);
    map_analysis_free(&d->quick);
    map_space_free(&d->space);
    system_free(d->s);
}

static map_score score_of(map_analysis *m, const sys_place *places)
{
    gcast_error err;
    map_score score;
    map_evaluator e = map_analysis_evaluator(m);
    assert_ok(e.evaluate(e.data, places, &score, &err), &err);
    return score;
}

/* The system's own mapping, one at random, or a small change of the own one. */
static void draw_places(const drawn *d, int i, uint64_t *random, sys_place *places)
{
    if (i == 0) {
        memcpy(places, d->s->places, d->s->task_count * sizeof *places);
        return;
    }
    map_own(&d->space, places);
    if (i % 2)
        map_shuffle(&d->space, places, random);
    else if (map_can_move(&d->space, places))
        map_move(&d->space, places, random);
}

/* The floor is no worse than the analysis in full, and that no worse than the quick one. */
static void test_order(void **state)
{
    (void)state;
    uint64_t bounded = 0;
    for (uint64_t n = 0; n < support_runs(150); n++) {
        drawn d;
        uint64_t random = n;
        draw(&d, n);
        for (int i = 0; i < 12; i++) {
            sys_place places[MOST_TASKS];
            draw_places(&d, i, &random, places);
            map_score least = map_floor_score(&d.floor, places, d.objective);
            map_score full = score_of(&d.full, places), quick = score_of(&d.quick, places);
            if (map_score_compare(&least, &full) > 0 || map_score_compare(&full, &quick) > 0)
                fail_msg("system %llu, mapping %d: floor %lld %lld %lld, full %lld %lld %lld, quick %lld %lld %lld",
                         (unsigned long long)n, i, (long long)least.missed, (long long)least.late_ns,
                         (long long)least.value, (long long)full.missed, (long long)full.late_ns, (long long)full.value,
                         (long long)quick.missed, (long long)quick.late_ns, (long long)quick.value);
            bounded += full.late_ns < MAP_UNBOUNDED_NS;
        }
        drop(&d);
    }
    assert_true(bounded > 100);
}

/* Mappings that pack to the same have the same score: other names of cores, other numbers of priorities. */
static void test_same(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < support_runs(100); n++) {
        drawn d;
        uint64_t random = n;
        draw(&d, n);
        for (int i = 1; i < 8; i++) {
            gcast_error err;
            sys_place places[MOST_TASKS], normal[MOST_TASKS];
            uint32_t packed[MOST_TASKS];
            draw_places(&d, i, &random, places);
            map_pack(&d.space, places, packed);
            map_unpack(&d.space, packed, normal);
            map_score a = score_of(&d.quick, places), b = score_of(&d.quick, normal);
            assert_int_equal(map_score_compare(&a, &b), 0);
            assert_ok(map_keep_cores(&d.space, normal, &err), &err);
            assert_ok(map_keep_priorities(&d.space, normal, &err), &err);
            b = score_of(&d.quick, normal);
            assert_int_equal(map_score_compare(&a, &b), 0);
        }
        drop(&d);
    }
}

/* A search by the analysis: the best of all mappings is that of trying each. */
static void test_search(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < support_runs(24); n++) {
        gcast_error err;
        drawn d;
        draw(&d, n);
        map_options o = map_options_default();
        map_search s;
        map_trier t;
        map_walk w;
        map_score said, score;
        sys_place places[MOST_TASKS];
        o.objective = d.objective;
        o.tries = 20000;
        assert_ok(map_search_make(&s, d.s, &o, &err), &err);
        assert_ok(map_search_trier(&s, map_analysis_evaluator(&d.quick), &t, &err), &err);
        assert_ok(map_search_begin(&s, &t, &err), &err);
        map_score best = s.own_score;
        if (s.walks && s.segments == 0) {
            uint64_t *words = calloc(2 * s.words, sizeof *words);
            assert_non_null(words);
            for (uint64_t i = 0; i < s.items; i++) {
                assert_ok(map_search_do(&s, &t, i, words, words + s.words, &err), &err);
                map_search_keep(&s, i, words + s.words);
            }
            free(words);
            assert_ok(map_walk_start(&w, &s.space, s.orders, NULL, &err), &err);
            do {
                score = score_of(&d.quick, w.places);
                best = map_score_compare(&score, &best) < 0 ? score : best;
            } while (map_walk_next(&w));
            map_walk_free(&w);
            map_search_best(&s, places, &said);
            score = score_of(&d.quick, places);
            assert_int_equal(map_score_compare(&said, &best), 0);
            assert_int_equal(map_score_compare(&score, &best), 0);
        }
        map_trier_free(&t);
        map_search_free(&s);
        drop(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_search),
    };
    return cmocka_run_group_tests(tests, load_gpu, free_gpu);
}
