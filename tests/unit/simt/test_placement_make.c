/* gcast_placement_make: what each kind of placement promises. */
#include <stdlib.h>
#include <string.h>

#include "model/launch_placement.h"
#include "support/support.h"

#define MAX_BLOCKS 1200

typedef struct placement {
    uint32_t sm[MAX_BLOCKS], order[MAX_BLOCKS], blocks, sms;
} placement;

static placement make(gcast_placement_kind kind, uint64_t seed, uint32_t sms, uint32_t per_sm, uint32_t blocks)
{
    placement p = {.blocks = blocks, .sms = sms};
    gcast_error err;
    assert_true(blocks <= MAX_BLOCKS);
    assert_ok(gcast_placement_make(kind, seed, sms, per_sm, blocks, p.sm, p.order, &err), &err);
    return p;
}

static uint32_t count_on(const placement *p, uint32_t sm)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->blocks; i++)
        count += p->sm[i] == sm;
    return count;
}

static bool ascends(const placement *p)
{
    for (uint32_t i = 0; i < p->blocks; i++)
        if (p->order[i] != i)
            return false;
    return true;
}

/* Every kind, of all sizes: SMs that there are, every block once, and the same when made again. */
static void each_kind_places_each_block(void **state)
{
    (void)state;
    support_random r = {5};
    for (int run = 0; run < 300; run++) {
        gcast_placement_kind kind = (gcast_placement_kind)(run % GCAST_PLACEMENT_KINDS);
        uint32_t sms = (uint32_t)support_between(&r, 2, 20), blocks = (uint32_t)support_between(&r, 0, 200);
        uint32_t per_sm = (uint32_t)support_between(&r, 1, 5), seen[200] = {0};
        uint64_t seed = support_next(&r);
        placement p = make(kind, seed, sms, per_sm, blocks), again = make(kind, seed, sms, per_sm, blocks);
        for (uint32_t i = 0; i < blocks; i++) {
            assert_true(p.sm[i] < sms && p.order[i] < blocks);
            seen[p.order[i]]++;
        }
        for (uint32_t i = 0; i < blocks; i++)
            assert_int_equal(seen[i], 1);
        assert_memory_equal(&p, &again, sizeof p);
        assert_true(blocks < 20 ||
                    ascends(&p) != (kind == GCAST_PLACEMENT_KIND_RANDOM || kind == GCAST_PLACEMENT_KIND_REVERSED));
    }
}

static void hardware_goes_round_even_sms_first(void **state)
{
    (void)state;
    static const uint32_t want[] = {0, 2, 4, 1, 3, 0, 2, 4, 1, 3, 0, 2};
    placement p = make(GCAST_PLACEMENT_KIND_HARDWARE, 9, 5, 2, 12);
    assert_memory_equal(p.sm, want, sizeof want);
}

static void modulo_is_number_modulo_sms(void **state)
{
    (void)state;
    placement p = make(GCAST_PLACEMENT_KIND_MODULO, 9, 7, 2, 100);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(p.sm[i], i % 7);
}

static void reversed_starts_the_last_first(void **state)
{
    (void)state;
    placement p = make(GCAST_PLACEMENT_KIND_REVERSED, 9, 6, 2, 50),
              h = make(GCAST_PLACEMENT_KIND_HARDWARE, 9, 6, 2, 50);
    assert_memory_equal(p.sm, h.sm, sizeof p.sm);
    for (uint32_t i = 0; i < 50; i++)
        assert_int_equal(p.order[i], 49 - i);
}

/* No more than per_sm on an SM of any per_sm * sms starts in a row; and seeds differ. */
static void random_holds_no_more_than_fit(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        uint32_t sms = 1 + (uint32_t)seed % 7, per_sm = 1 + (uint32_t)seed % 3, window = sms * per_sm;
        placement p = make(GCAST_PLACEMENT_KIND_RANDOM, seed, sms, per_sm, 150);
        for (uint32_t first = 0; first < 150; first++) {
            uint32_t count[8] = {0};
            for (uint32_t i = first; i < first + window && i < 150; i++)
                assert_true(++count[p.sm[p.order[i]]] <= per_sm);
        }
    }
    placement a = make(GCAST_PLACEMENT_KIND_RANDOM, 1, 6, 2, 150), b = make(GCAST_PLACEMENT_KIND_RANDOM, 2, 6, 2, 150);
    assert_true(memcmp(a.sm, b.sm, sizeof a.sm) != 0 && memcmp(a.order, b.order, sizeof a.order) != 0);
}

static void starved_leaves_one_sm_without_blocks(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 14; seed++) {
        placement p = make(GCAST_PLACEMENT_KIND_STARVED, seed, 7, 2, 66);
        for (uint32_t sm = 0; sm < 7; sm++)
            assert_int_equal(count_on(&p, sm), sm == seed % 7 ? 0 : 11);
    }
}

/* SM k has its share of the first blocks, however many are looked at. */
static void uneven_gives_later_sms_more(void **state)
{
    (void)state;
    for (uint32_t blocks = 60; blocks <= MAX_BLOCKS; blocks *= 2) {
        placement p = make(GCAST_PLACEMENT_KIND_UNEVEN, 1, 8, 2, blocks);
        for (uint32_t sm = 0; sm < 8; sm++) {
            double share = blocks * (sm + 1) / 36.0, count = count_on(&p, sm);
            assert_true(count >= share - 2 && count <= share + 2);
        }
    }
}

static void crowded_has_one_sm(void **state)
{
    (void)state;
    placement p = make(GCAST_PLACEMENT_KIND_CROWDED, 12, 5, 2, 100);
    assert_int_equal(count_on(&p, 2), 100);
}

static void refuses_what_is_out_of_range(void **state)
{
    (void)state;
    uint32_t sm[4], order[4];
    gcast_error err;
    static const struct {
        int kind;
        uint32_t sms, per_sm;
        uint64_t blocks;
        const char *part;
    } bad[] = {
        {GCAST_PLACEMENT_KIND_STARVED, 1, 1, 4, "another one"},
        {GCAST_PLACEMENT_KIND_MODULO, 0, 1, 4, "1 to 4096 SMs"},
        {GCAST_PLACEMENT_KIND_MODULO, 4097, 1, 4, "1 to 4096 SMs"},
        {GCAST_PLACEMENT_KIND_RANDOM, 1, 0, 4, "1 to 1024 blocks"},
        {GCAST_PLACEMENT_KIND_RANDOM, 1, 1025, 4, "1 to 1024 blocks"},
        {GCAST_PLACEMENT_KIND_RANDOM, 1, 1, (uint64_t)1 << 32, "at most 4294967295 blocks"},
        {GCAST_PLACEMENT_KINDS, 1, 1, 4, "no placement of kind"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(gcast_placement_make((gcast_placement_kind)bad[i].kind, 0, bad[i].sms, bad[i].per_sm,
                                              bad[i].blocks, sm, order, &err),
                         GCAST_USAGE);
        assert_non_null(strstr(err.message, bad[i].part));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_places_each_block),   cmocka_unit_test(hardware_goes_round_even_sms_first),
        cmocka_unit_test(modulo_is_number_modulo_sms),   cmocka_unit_test(reversed_starts_the_last_first),
        cmocka_unit_test(random_holds_no_more_than_fit), cmocka_unit_test(starved_leaves_one_sm_without_blocks),
        cmocka_unit_test(uneven_gives_later_sms_more),   cmocka_unit_test(crowded_has_one_sm),
        cmocka_unit_test(refuses_what_is_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
