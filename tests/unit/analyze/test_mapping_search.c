/* The search for a mapping: against all mappings, the same for a seed, and gone on with. */
#include <string.h>

#include "analyze/mapping/mapping_search.h"
#include "base/splitmix.h"
#include "unit/analyze/mapped.h"

typedef struct searched {
    simple_responses responses;
    map_search search;
    map_trier trier;
} searched;

static void begin(searched *x, const sys_system *s, const map_options *o)
{
    gcast_error err;
    x->responses = (simple_responses){s, o->objective, 0};
    assert_ok(map_search_make(&x->search, s, o, &err), &err);
    assert_ok(map_search_trier(&x->search, (map_evaluator){simple_evaluate, &x->responses}, &x->trier, &err), &err);
    assert_ok(map_search_begin(&x->search, &x->trier, &err), &err);
}

static void end(searched *x)
{
    map_trier_free(&x->trier);
    map_search_free(&x->search);
}

static void do_item(searched *x, uint64_t item)
{
    gcast_error err;
    uint64_t input[MOST_TASKS + 16], result[MOST_TASKS + 16];
    assert_true(map_search_ready(&x->search, item));
    assert_ok(map_search_input(&x->search, item, input, &err), &err);
    assert_ok(map_search_do(&x->search, &x->trier, item, input, result, &err), &err);
    assert_true(map_search_fits(&x->search, result));
    map_search_keep(&x->search, item, result);
}

static void do_all(searched *x)
{
    for (uint64_t i = 0; i < x->search.items; i++)
        if (!map_search_knows(&x->search, i))
            do_item(x, i);
}

/* The best mapping, which must have the score that the search says. */
static map_score best_of(const searched *x, sys_place *places)
{
    gcast_error err;
    simple_responses again = x->responses;
    map_score said, score;
    map_search_best(&x->search, places, &said);
    assert_ok(simple_evaluate(&again, places, &score, &err), &err);
    assert_int_equal(map_score_compare(&said, &score), 0);
    return said;
}

/* The best score of all mappings there are, without regard to which are the same: cores, ways to wait, and priorities
 * from 1 to the number of tasks. */
typedef struct oracle {
    simple_responses *responses;
    const map_space *space;
    sys_place places[MOST_TASKS];
    bool used[MOST_TASKS + 1]; /* priorities */
    map_score best;
} oracle;

static void try_all(oracle *o, size_t task)
{
    const sys_system *s = o->space->of;
    const map_task *t = &o->space->tasks[task];
    gcast_error err;
    if (task == s->task_count) {
        map_score score;
        assert_ok(simple_evaluate(o->responses, o->places, &score, &err), &err);
        if (map_score_compare(&score, &o->best) < 0)
            o->best = score;
        return;
    }
    size_t priorities = o->space->may.priority ? s->task_count : 1;
    for (size_t c = 0; c < t->core_count; c++)
        for (size_t p = 1; p <= priorities; p++)
            for (int busy = 0; busy < (t->may_wait_either_way ? 2 : 1); busy++) {
                if (o->space->may.priority && o->used[p])
                    continue;
                o->places[task] = s->places[task];
                o->places[task].core = t->cores[c];
                if (o->space->may.priority)
                    o->places[task].priority = (int64_t)p;
                if (t->may_wait_either_way)
                    o->places[task].busy = busy;
                o->used[p] = true;
                try_all(o, task + 1);
                o->used[p] = false;
            }
}

static map_score best_of_all(simple_responses responses, const map_space *space)
{
    oracle o = {.responses = &responses, .space = space, .best = {INT64_MAX, INT64_MAX, INT64_MAX}};
    map_score own;
    gcast_error err;
    try_all(&o, 0);
    assert_ok(simple_evaluate(&responses, space->of->places, &own, &err), &err);
    return map_score_compare(&own, &o.best) < 0 ? own : o.best;
}

static map_options drawn_options(uint64_t n)
{
    map_options o = map_options_default();
    o.objective.kind = (map_objective_kind)(n % MAP_OBJECTIVES);
    o.may = (map_may){n % 5 != 0, n % 7 != 0, n % 3 != 0, n % 4 != 0};
    return o;
}

static void test_all_mappings(void **state)
{
    (void)state;
    sys_place places[MOST_TASKS];
    for (uint64_t n = 0; n < support_runs(60); n++) {
        support_random r = {n + 1};
        sys_system *s = drawn_system(&r, 1 + (int)(n % 4), 4, n % 2 ? group_gpu : NULL);
        map_options o = drawn_options(n);
        searched x;
        begin(&x, s, &o);
        assert_true(x.search.walks);
        assert_int_equal(x.search.orders, o.may.priority ? MAP_ORDERS_ALL : MAP_ORDERS_KEPT);
        assert_int_equal(x.search.segments, 0);
        do_all(&x);
        map_score found = best_of(&x, places), best = best_of_all(x.responses, &x.search.space);
        assert_int_equal(map_score_compare(&found, &best), 0);
        assert_int_equal(map_search_counts(&x.search).tried, x.search.size);
        end(&x);
        system_free(s);
    }
}

/* With so few tries that not all mappings are tried, small changes find the best one, nearly always. */
static void test_changes_find_best(void **state)
{
    (void)state;
    sys_place places[MOST_TASKS];
    uint64_t runs = support_runs(40), reached = 0, searches = 0;
    for (uint64_t n = 0; n < runs; n++) {
        support_random r = {n + 1};
        sys_system *s = drawn_system(&r, 2 + (int)(n % 3), 5, n % 2 ? group_gpu : NULL);
        map_options o = map_options_default();
        o.objective.kind = (map_objective_kind)(n % MAP_OBJECTIVES);
        searched all, few;
        begin(&all, s, &o);
        do_all(&all);
        map_score best = best_of(&all, places);
        assert_true(all.search.walks);
        o.tries = 20;
        o.islands = 4;
        begin(&few, s, &o);
        if (!few.search.walks) {
            searches++;
            do_all(&few);
            map_score found = best_of(&few, places);
            assert_true(map_score_compare(&found, &best) >= 0);
            reached += map_score_compare(&found, &best) == 0;
        }
        end(&few);
        end(&all);
        system_free(s);
    }
    assert_true(searches > runs / 2);
    assert_true(reached * 20 >= searches * 19);
}

static void test_never_worse(void **state)
{
    (void)state;
    sys_place places[MOST_TASKS];
    for (uint64_t n = 0; n < support_runs(30); n++) {
        support_random r = {n + 1};
        gcast_error err;
        sys_system *s = n ? drawn_system(&r, 4, 20, n % 2 ? group_gpu : NULL) : vehicle_system(group_gpu);
        map_options o = drawn_options(n);
        o.tries = 1000;
        o.islands = 2;
        searched x;
        begin(&x, s, &o);
        do_all(&x);
        map_score own, found = best_of(&x, places);
        assert_ok(simple_evaluate(&x.responses, s->places, &own, &err), &err);
        assert_true(map_score_compare(&found, &own) <= 0);
        assert_ok(system_check_places(s, places, &err), &err);
        end(&x);
        system_free(s);
    }
}

/* Results of a system with another limit, another access or other fixed priorities are another search's. */
static void test_hash(void **state)
{
    (void)state;
    sys_system *s = vehicle_system(group_gpu);
    map_options o = map_options_default();
    sys_limit limit = {.name = "limit", .min_ns = 1, .max_ns = 1000};
    searched x;
    begin(&x, s, &o);
    uint64_t bare = map_search_hash(&x.search);
    s->limits = &limit;
    s->limit_count = 1;
    uint64_t limited = map_search_hash(&x.search);
    limit.max_ns = 2000;
    uint64_t later = map_search_hash(&x.search);
    assert_true(bare != limited && limited != later && bare != later);
    s->limits = NULL;
    s->limit_count = 0;
    assert_true(map_search_hash(&x.search) == bare);
    s->fixed_priorities = !s->fixed_priorities;
    assert_true(map_search_hash(&x.search) != bare);
    end(&x);
    system_free(s);
}

/* The same seed gives the same results, in whatever order the items are done; another one other results. */
static void test_seed(void **state)
{
    (void)state;
    sys_system *s = vehicle_system(group_gpu);
    map_options o = map_options_default();
    searched a, b, c;
    uint64_t random = 9;
    o.tries = 30000;
    o.islands = 3;
    begin(&a, s, &o);
    begin(&b, s, &o);
    assert_true(a.search.segments > 1);
    do_all(&a);
    for (uint64_t left = b.search.items; left > 0;) {
        uint64_t item = splitmix_next(&random) % b.search.items;
        if (map_search_knows(&b.search, item) || !map_search_ready(&b.search, item))
            continue;
        do_item(&b, item);
        left--;
    }
    size_t size = a.search.items * a.search.words * sizeof *a.search.results;
    assert_memory_equal(a.search.results, b.search.results, size);
    o.seed = 2;
    begin(&c, s, &o);
    do_all(&c);
    assert_memory_not_equal(a.search.results, c.search.results, size);
    assert_true(map_search_hash(&a.search) == map_search_hash(&b.search));
    assert_true(map_search_hash(&a.search) != map_search_hash(&c.search));
    end(&a);
    end(&b);
    end(&c);
    system_free(s);
}

/* What was done before is taken over from its words; the rest is the same as without a break. */
static void test_go_on(void **state)
{
    (void)state;
    sys_system *s = vehicle_system(group_gpu);
    map_options o = map_options_default();
    searched whole, first, second;
    o.tries = 30000;
    o.islands = 3;
    begin(&whole, s, &o);
    do_all(&whole);
    begin(&first, s, &o);
    for (uint64_t i = 0; i < first.search.items / 2; i++)
        do_item(&first, i);
    begin(&second, s, &o);
    for (uint64_t i = 0; i < first.search.items; i++) {
        const uint64_t *result = &first.search.results[i * first.search.words];
        if (map_search_knows(&first.search, i) && map_search_fits(&second.search, result))
            map_search_keep(&second.search, i, result);
    }
    uint64_t before = map_search_counts(&second.search).tried;
    assert_true(before > 0 && before < map_search_counts(&whole.search).tried);
    do_all(&second);
    assert_memory_equal(whole.search.results, second.search.results,
                        whole.search.items * whole.search.words * sizeof *whole.search.results);
    end(&whole);
    end(&first);
    end(&second);
    system_free(s);
}

/* Words that are no results are found out. */
static void test_bad_words(void **state)
{
    (void)state;
    sys_system *s = vehicle_system(group_gpu);
    map_options o = map_options_default();
    searched x;
    o.tries = 1000;
    begin(&x, s, &o);
    do_item(&x, 0);
    uint64_t good[MOST_TASKS + 16], bad[MOST_TASKS + 16];
    memcpy(good, x.search.results, x.search.words * sizeof *good);
    assert_true(map_search_fits(&x.search, good));
    memcpy(bad, good, sizeof bad);
    bad[0] = 0;
    assert_false(map_search_fits(&x.search, bad));
    memcpy(bad, good, sizeof bad);
    bad[x.search.words - 1] = UINT64_MAX;
    assert_false(map_search_fits(&x.search, bad));
    end(&x);
    system_free(s);
}

/* Where priorities may change and their orders are too many, all mappings by deadline come first. */
static void test_by_deadline_first(void **state)
{
    (void)state;
    support_random r = {4};
    sys_place places[MOST_TASKS];
    sys_system *s = drawn_system(&r, 2, 6, NULL);
    map_options o = map_options_default();
    searched x;
    o.tries = 200;
    o.islands = 2;
    begin(&x, s, &o);
    assert_true(x.search.walks);
    assert_int_equal(x.search.orders, MAP_ORDERS_BY_DEADLINE);
    assert_true(x.search.segments > 0);
    do_item(&x, 0);
    map_score by_deadline = best_of(&x, places);
    do_all(&x);
    map_score best = best_of(&x, places);
    assert_true(map_score_compare(&best, &by_deadline) <= 0);
    end(&x);
    system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_mappings), cmocka_unit_test(test_changes_find_best),
        cmocka_unit_test(test_never_worse),  cmocka_unit_test(test_seed),
        cmocka_unit_test(test_hash),         cmocka_unit_test(test_go_on),
        cmocka_unit_test(test_bad_words),    cmocka_unit_test(test_by_deadline_first),
    };
    return cmocka_run_group_tests(tests, load_gpu, free_gpu);
}
