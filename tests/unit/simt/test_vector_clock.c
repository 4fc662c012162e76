/* Vector clocks compared with plain arrays. */
#include <stdlib.h>
#include <string.h>

#include "simt/races/vector_clock.h"
#include "support/support.h"

enum { WARPS = 70, CLOCKS = 6, STEPS = 4000 };

typedef struct plain {
    uint32_t tick[WARPS][LANES];
} plain;

static void check(const race_clocks *s, const race_clock *a, const plain *p)
{
    static const uint32_t nothing[LANES];
    for (uint32_t w = 0; w < WARPS; w++) {
        const uint32_t *lanes = clock_lanes(s, a, w);
        assert_memory_equal(lanes ? lanes : nothing, p->tick[w], sizeof p->tick[w]);
    }
}

/* Random raises, joins and copies: what one clock learns no other clock learns. */
static void test_against_arrays(void **state)
{
    (void)state;
    race_clocks s;
    static plain p[CLOCKS];
    race_clock *c[CLOCKS] = {0};
    uint64_t random = 1;
    clocks_open(&s, WARPS);
    assert_int_equal(s.levels, 2);
    for (int n = 0; n < STEPS; n++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t r = (uint32_t)(random >> 33), a = r % CLOCKS, b = r / 8 % CLOCKS, warp = r / 64 % WARPS;
        if (r / 4096 % 4 == 0) { /* b becomes a copy of a */
            clock_keep(c[a]);
            clock_drop(&s, c[b]);
            c[b] = c[a];
            p[b] = p[a];
        } else if (r / 4096 % 4 == 1) {
            c[a] = clock_join(&s, c[a], c[b]);
            for (uint32_t i = 0; i < WARPS * LANES; i++) {
                uint32_t *x = &p[a].tick[i / LANES][i % LANES], y = p[b].tick[i / LANES][i % LANES];
                *x = *x < y ? y : *x;
            }
        } else {
            uint32_t tick[LANES], mask = (uint32_t)(random >> 20);
            for (uint32_t i = 0; i < LANES; i++) {
                tick[i] = (r + i * 7) % 100;
                if (mask >> i & 1 && p[a].tick[warp][i] < tick[i])
                    p[a].tick[warp][i] = tick[i];
            }
            c[a] = clock_raise(&s, c[a], warp, mask, tick);
        }
        check(&s, c[a], &p[a]);
        check(&s, c[b], &p[b]);
        assert_false(s.failed);
    }
    for (int i = 0; i < CLOCKS; i++)
        clock_drop(&s, c[i]);
    clocks_close(&s);
}

/* Dropped nodes are used again: a long run takes no more memory than what it keeps. */
static void test_memory_is_used_again(void **state)
{
    (void)state;
    race_clocks s;
    clocks_open(&s, 1);
    assert_int_equal(s.levels, 0);
    uint32_t tick[LANES] = {1};
    race_clock *first = clock_raise(&s, NULL, 0, 1, tick);
    clock_drop(&s, first);
    for (int i = 0; i < 100; i++) {
        race_clock *a = clock_raise(&s, NULL, 0, 1, tick);
        assert_ptr_equal(a, first);
        assert_int_equal(clock_lanes(&s, a, 0)[0], 1);
        assert_int_equal(clock_lanes(&s, a, 0)[1], 0);
        clock_drop(&s, a);
    }
    clocks_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_arrays),
        cmocka_unit_test(test_memory_is_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
