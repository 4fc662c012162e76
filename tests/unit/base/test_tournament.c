/* A tournament compared with an array of times: near and far times, ties, players that leave, more players than before,
 * times before the base. */
#include "base/tournament.h"
#include "support/support.h"

enum { MAX_PLAYERS = 300 };

typedef struct expected_times {
    int64_t time[MAX_PLAYERS];
    int64_t now;
    uint32_t players;
} expected_times;

static int64_t earliest(const expected_times *r, uint32_t *tie_count)
{
    int64_t first = TOURNAMENT_OUT;
    *tie_count = 0;
    for (uint32_t i = 0; i < r->players; i++)
        first = r->time[i] < first ? r->time[i] : first;
    for (uint32_t i = 0; i < r->players; i++)
        *tie_count += r->time[i] == first;
    return first;
}

static int64_t random_later(expected_times *r, support_random *random)
{
    static const int64_t spans[] = {5, 1000, INT64_C(1) << 36, INT64_C(1) << 50};
    return r->now + support_between(random, 1, spans[support_between(random, 0, 3)]);
}

static void step(expected_times *r, tournament *t, support_random *random)
{
    uint32_t tie_count, player = (uint32_t)support_between(random, 0, r->players - 1);
    int64_t first = earliest(r, &tie_count);
    tournament_rivals rivals;
    assert_int_equal(tournament_first(t), first);
    if (first != TOURNAMENT_OUT) {
        assert_int_equal(r->time[tournament_winner(t)], first);
        assert_int_equal(tournament_tied(t, &rivals), tie_count > 1);
    }
    switch (first == TOURNAMENT_OUT ? 0 : support_between(random, 0, 3)) {
    case 0: /* any player, also with a time before the base */
        tournament_set(t, player, r->time[player] = random_later(r, random));
        break;
    case 1:
        tournament_set(t, player, r->time[player] = TOURNAMENT_OUT);
        break;
    default:
        player = tournament_winner(t);
        r->now = first;
        r->time[player] = support_between(random, 0, 5) ? random_later(r, random) : TOURNAMENT_OUT;
        tournament_replace(t, &rivals, r->time[player]);
    }
    assert_int_equal(tournament_time(t, player), r->time[player]);
}

static void like_a_list(void **state)
{
    (void)state;
    support_random random = {7};
    for (int run = 0; run < 200; run++) {
        tournament t = {0};
        expected_times r = {.players = 0};
        for (uint32_t i = 0; i < MAX_PLAYERS; i++)
            r.time[i] = TOURNAMENT_OUT;
        for (int n = 0; n < 400; n++) {
            if (n % 100 == 0) {
                r.players += (uint32_t)support_between(&random, 1, MAX_PLAYERS / 4);
                assert_true(tournament_grow(&t, r.players));
            }
            step(&r, &t, &random);
        }
        tournament_free(&t);
    }
}

static void shifts(void **state)
{
    (void)state;
    tournament t = {0};
    assert_true(tournament_grow(&t, 5));
    tournament_set(&t, 4, 10);
    tournament_set(&t, 1, INT64_C(1) << 40);
    tournament_shift(&t, INT64_C(1) << 45);
    assert_int_equal(tournament_first(&t), (INT64_C(1) << 45) + 10);
    assert_int_equal(tournament_winner(&t), 4);
    tournament_set(&t, 4, TOURNAMENT_OUT);
    assert_int_equal(tournament_first(&t), (INT64_C(1) << 45) + (INT64_C(1) << 40));
    tournament_set(&t, 1, TOURNAMENT_OUT);
    assert_int_equal(tournament_first(&t), TOURNAMENT_OUT);
    tournament_free(&t);
}

static void refuses_too_many(void **state)
{
    (void)state;
    tournament t = {0};
    assert_false(tournament_grow(&t, TOURNAMENT_MAX_PLAYERS + 1));
    tournament_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(like_a_list), cmocka_unit_test(shifts),
                                       cmocka_unit_test(refuses_too_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
