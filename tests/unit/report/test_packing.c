#include "support/support.h"

#include <stdlib.h>

#include "report/run/packing.h"
#include "report/run/sm_share.h"

static int64_t end_of(const span *s)
{
    return s->end > s->start ? s->end : s->start + 1;
}

static bool overlap(const span *a, const span *b)
{
    return a->start < end_of(b) && b->start < end_of(a);
}

static size_t random_spans(support_random *r, span *spans)
{
    size_t count = (size_t)support_between(r, 0, 120);
    int64_t range = support_between(r, 1, 300);
    for (size_t i = 0; i < count; i++) {
        int64_t start = support_between(r, 0, range);
        spans[i] = (span){.start = start,
                          .end = start + support_between(r, 0, 40),
                          .block = (uint32_t)i,
                          .share = (uint32_t)support_between(r, 1, SHARE_ALL)};
    }
    qsort(spans, count, sizeof *spans, span_order);
    return count;
}

/* As many lanes as spans overlap at one time, which is the minimum. */
static uint32_t max_overlap(const span *spans, size_t count)
{
    uint32_t max = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t n = 0;
        for (size_t k = 0; k < count; k++)
            n += spans[k].start <= spans[i].start && spans[i].start < end_of(&spans[k]);
        max = n > max ? n : max;
    }
    return max;
}

static void colours_never_overlap_and_are_fewest(void **state)
{
    (void)state;
    support_random r = {42};
    span spans[120];
    for (int round = 0; round < 400; round++) {
        size_t count = random_spans(&r, spans);
        uint32_t lanes;
        assert_true(lanes_colour(spans, count, &lanes));
        assert_int_equal(lanes, max_overlap(spans, count));
        for (size_t i = 0; i < count; i++) {
            assert_true(spans[i].place < lanes);
            for (size_t k = 0; k < i; k++)
                assert_false(spans[i].place == spans[k].place && overlap(&spans[i], &spans[k]));
        }
    }
}

static void packing_never_overlaps(void **state)
{
    (void)state;
    support_random r = {43};
    span spans[120];
    for (int round = 0; round < 400; round++) {
        size_t count = random_spans(&r, spans);
        uint32_t top, highest = 0;
        assert_true(lanes_pack(spans, count, &top));
        for (size_t i = 0; i < count; i++) {
            const span *a = &spans[i];
            highest = a->place + a->share > highest ? a->place + a->share : highest;
            for (size_t k = 0; k < i; k++) {
                const span *b = &spans[k];
                bool disjoint = a->place >= b->place + b->share || b->place >= a->place + a->share;
                assert_true(disjoint || !overlap(a, b));
            }
        }
        assert_int_equal(top, highest);
    }
}

static void packing_takes_the_lowest_gap(void **state)
{
    (void)state;
    uint32_t top;
    span spans[] = {{.start = 0, .end = 4, .share = 10},
                    {.start = 0, .end = 9, .share = 10},
                    {.start = 0, .end = 4, .share = 5},
                    {.start = 4, .end = 8, .share = 11},
                    {.start = 5, .end = 8, .share = 10}};
    assert_true(lanes_pack(spans, 5, &top));
    assert_int_equal(spans[0].place, 0);
    assert_int_equal(spans[1].place, 10);
    assert_int_equal(spans[2].place, 20);
    assert_int_equal(spans[3].place, 20); /* too wide for the 10 below */
    assert_int_equal(spans[4].place, 0);
    assert_int_equal(top, 31);
}

static void shares(void **state)
{
    (void)state;
    const gcast_limits *tx2 = gcast_limits_find(6, 2);
    assert_int_equal(share_of_block(tx2, &(gcast_block_shape){.threads = 512}), SHARE_ALL / 4);
    assert_int_equal(share_of_block(tx2, &(gcast_block_shape){.threads = 32}), SHARE_ALL / 32); /* a block slot */
    assert_int_equal(share_of_block(tx2, &(gcast_block_shape){.threads = 32, .static_smem = 32768}), SHARE_ALL / 2);
    assert_int_equal(share_of_block(tx2, &(gcast_block_shape){.threads = 256, .registers = 255}), SHARE_ALL);
    assert_int_equal(share_of_block(tx2, &(gcast_block_shape){.threads = 9999}), SHARE_ALL);
    /* a third is rounded down: three of them fit */
    gcast_limits thirds = *tx2;
    thirds.threads_per_sm = 3 * 64;
    assert_true(3 * share_of_block(&thirds, &(gcast_block_shape){.threads = 64}) <= SHARE_ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_never_overlap_and_are_fewest),
        cmocka_unit_test(packing_never_overlaps),
        cmocka_unit_test(packing_takes_the_lowest_gap),
        cmocka_unit_test(shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
