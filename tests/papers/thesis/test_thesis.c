/* The algorithm of the thesis against the numbers printed there, against a simple allocation slot by slot, and against
 * the simulator. The errors of the closed form are counted. */
#include "papers/thesis/thesis.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define MAX_KERNELS 20
#define MOST_SLOTS 32
#define SETS 100000 /* or GRIDCAST_PROPERTY_RUNS */

static const gcast_thesis_pool tx2 = {.slots = 8};

static void expect(const gcast_thesis_pool *pool, size_t count, const int64_t (*rows)[2], const int64_t *want)
{
    gcast_thesis_kernel kernels[MAX_KERNELS] = {0};
    int64_t got[MAX_KERNELS];
    gcast_error err;
    for (size_t i = 0; i < count; i++)
        kernels[i] = (gcast_thesis_kernel){rows[i][0], (uint64_t)rows[i][1], 0};
    assert_ok(gcast_thesis_completions(pool, kernels, count, NULL, got, NULL, &err), &err);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(got[i], want[i]);
}

#define K1                                                                                                             \
    {                                                                                                                  \
        4, 2                                                                                                           \
    }
#define K2                                                                                                             \
    {                                                                                                                  \
        6, 7                                                                                                           \
    }
#define K3                                                                                                             \
    {                                                                                                                  \
        6, 2                                                                                                           \
    }
#define K4                                                                                                             \
    {                                                                                                                  \
        5, 5                                                                                                           \
    }
#define ROWS(...) ((const int64_t[][2]){__VA_ARGS__})
#define TIMES(...) ((const int64_t[]){__VA_ARGS__})

/* Section 3.6, the scenarios of 4.2, and two more that were measured on a TX2. */
static void published_numbers(void **state)
{
    (void)state;
    expect(&tx2, 4, ROWS(K1, K2, K3, K4), TIMES(4, 10, 12, 11));
    expect(&tx2, 4, ROWS(K2, K3, K4, K1), TIMES(6, 12, 11, 10));
    expect(&tx2, 4, ROWS(K2, K4, K1, K3), TIMES(6, 11, 10, 12));
    expect(&tx2, 4, ROWS(K2, K1, K3, K4), TIMES(6, 8, 12, 11));
    expect(&tx2, 5, ROWS({11, 1}, {1, 7}, {4, 10}, {6, 3}, {2, 4}), TIMES(11, 1, 9, 11, 11));
    expect(&tx2, 5, ROWS({25, 8}, {15, 5}, {40, 1}, {15, 7}, {15, 4}), TIMES(25, 40, 65, 55, 70));
}

typedef struct observed_steps {
    size_t count;
    gcast_thesis_step steps[16];
    gcast_thesis_row rows[16][8];
} observed_steps;

static void observe_step(void *data, const gcast_thesis_step *step)
{
    observed_steps *s = data;
    assert_true(s->count < 16 && step->row_count <= 8);
    memcpy(s->rows[s->count], step->rows, step->row_count * sizeof *step->rows);
    s->steps[s->count++] = *step;
}

/* The steps of section 3.6 of the thesis; rows of equal time are merged. */
static void steps_of_the_example(void **state)
{
    (void)state;
    const gcast_thesis_kernel kernels[] = {{4, 2, 0}, {6, 7, 0}, {6, 2, 0}, {5, 5, 0}};
    static const struct {
        size_t kernel;
        int64_t left, at, free, rows[6];
    } want[] = {{0, 0, 0, 6, {4, 2}},  {1, 1, 4, 2, {6, 6}},         {1, 0, 4, 1, {6, 6, 10, 1}},
                {2, 1, 6, 6, {10, 2}}, {2, 0, 6, 5, {10, 2, 12, 1}}, {3, 0, 6, 0, {10, 2, 11, 5, 12, 1}}};
    int64_t completions[4];
    uint64_t passes;
    gcast_error err;
    observed_steps s = {0};
    gcast_thesis_watch watch = {observe_step, &s};
    assert_ok(gcast_thesis_completions(&tx2, kernels, 4, &watch, completions, &passes, &err), &err);
    assert_int_equal(s.count, sizeof want / sizeof *want);
    assert_int_equal(passes, s.count);
    for (size_t i = 0; i < s.count; i++) {
        assert_int_equal(s.steps[i].kernel, want[i].kernel);
        assert_int_equal(s.steps[i].left, want[i].left);
        assert_int_equal(s.steps[i].time_ns, want[i].at);
        assert_int_equal(s.steps[i].free, want[i].free);
        for (size_t r = 0; r < s.steps[i].row_count; r++) {
            assert_int_equal(s.rows[i][r].time_ns, want[i].rows[2 * r]);
            assert_int_equal(s.rows[i][r].slots, want[i].rows[2 * r + 1]);
        }
        assert_true(s.steps[i].row_count == 3 || want[i].rows[2 * s.steps[i].row_count] == 0);
    }
}

/* A simple reference: every block goes to the slot that is free first, no sooner than the release of its kernel and the
 * start of the block before it. */
static void slot_by_slot(const gcast_thesis_pool *pool, const gcast_thesis_kernel *kernels, size_t count, int64_t *f)
{
    int64_t free_at[MOST_SLOTS] = {0}, last = -1;
    for (size_t i = 0; i < count; i++) {
        int64_t start = last < 0 ? 0 : last + pool->switch_ns;
        start = kernels[i].release_ns > start ? kernels[i].release_ns : start;
        for (uint64_t b = 0; b < kernels[i].blocks; b++) {
            uint32_t first = 0;
            for (uint32_t s = 1; s < pool->slots; s++)
                first = free_at[s] < free_at[first] ? s : first;
            start = free_at[first] > start ? free_at[first] : start;
            f[i] = start + kernels[i].execution_ns;
            free_at[first] = f[i] + pool->handover_ns;
        }
        last = start;
    }
}

/* Sizes as in the thesis' own experiments: up to 20 kernels of up to 100 blocks. */
static size_t random_set(support_random *r, gcast_thesis_kernel *kernels, bool equal)
{
    size_t count = (size_t)support_between(r, 1, MAX_KERNELS);
    int64_t longest = support_between(r, 1, 30), released = support_between(r, 0, 1) ? 60 : 0, execution = longest;
    for (size_t i = 0; i < count; i++) {
        if (!equal)
            execution = support_between(r, 1, longest);
        kernels[i] = (gcast_thesis_kernel){execution, (uint64_t)support_between(r, 1, 100),
                                           equal ? 0 : support_between(r, 0, released)};
    }
    return count;
}

static void against_slots(void **state)
{
    (void)state;
    support_random r = {7};
    gcast_thesis_kernel kernels[MAX_KERNELS] = {0};
    int64_t want[MAX_KERNELS], got[MAX_KERNELS];
    gcast_error err;
    for (uint64_t set = 0; set < support_runs(SETS); set++) {
        size_t count = random_set(&r, kernels, false);
        gcast_thesis_pool pool = {.slots = (uint32_t)support_between(&r, 1, MOST_SLOTS)};
        if (set % 4 == 0) {
            pool.handover_ns = support_between(&r, 0, 3);
            pool.switch_ns = support_between(&r, 0, 3);
        }
        slot_by_slot(&pool, kernels, count, want);
        assert_ok(gcast_thesis_completions(&pool, kernels, count, NULL, got, NULL, &err), &err);
        assert_memory_equal(got, want, count * sizeof *want);
    }
}

/* The printed closed form is wrong more often than not, the corrected one never. */
static void closed_forms(void **state)
{
    (void)state;
    support_random r = {11};
    gcast_thesis_kernel kernels[MAX_KERNELS] = {0};
    int64_t want[MAX_KERNELS], corrected[MAX_KERNELS], twice[MAX_KERNELS];
    gcast_error err;
    int printed_wrong = 0, corrected_wrong = 0;
    for (uint64_t set = 0; set < support_runs(SETS); set++) {
        size_t count = random_set(&r, kernels, true);
        gcast_thesis_pool pool = {.slots = (uint32_t)support_between(&r, 1, MOST_SLOTS)};
        slot_by_slot(&pool, kernels, count, want);
        int64_t c = kernels[0].execution_ns;
        assert_ok(gcast_thesis_closed(pool.slots, c, kernels, count, corrected, &err), &err);
        assert_ok(gcast_thesis_closed_printed(pool.slots, c, kernels, count, twice, &err), &err);
        bool differs = false;
        for (size_t i = 0; i < count; i++)
            differs = differs || twice[i] != 2 * want[i];
        printed_wrong += differs;
        corrected_wrong += memcmp(corrected, want, count * sizeof *want) != 0;
    }
    print_message("closed form of %d sets: as printed %d wrong, corrected %d\n", (int)support_runs(SETS), printed_wrong,
                  corrected_wrong);
    assert_true(printed_wrong > SETS / 2 || support_runs(SETS) < SETS);
    assert_int_equal(corrected_wrong, 0);
}

/* The two mistakes of the printed form, one by one. */
static void where_the_printed_form_is_wrong(void **state)
{
    (void)state;
    gcast_error err;
    int64_t twice[2];
    const gcast_thesis_kernel whole_waves = {8, 40, 0}, fills[] = {{10, 8, 0}, {10, 1, 0}};
    assert_ok(gcast_thesis_closed_printed(1, 8, &whole_waves, 1, twice, &err), &err);
    assert_int_equal(twice[0], 2 * 328); /* 320 */
    assert_ok(gcast_thesis_closed_printed(8, 10, fills, 2, twice, &err), &err);
    assert_int_equal(twice[0], 2 * 15); /* 10 */
    assert_int_equal(twice[1], 2 * 15); /* 20 */
}

static void many_blocks_at_once(void **state)
{
    (void)state;
    gcast_error err;
    int64_t f[3];
    uint64_t passes;
    const gcast_thesis_kernel kernels[] = {{3, 5, 0}, {10, 1000000000000, 0}, {7, 9, 4}};
    assert_ok(gcast_thesis_completions(&tx2, kernels, 3, NULL, f, &passes, &err), &err);
    /* 3 slots from 0 and 5 from 3 on: the last of 10^12 blocks starts in the round of the 5. */
    assert_int_equal(f[0], 3);
    assert_int_equal(f[1], 1250000000003);
    assert_true(passes < 20);
}

static void bad_input(void **state)
{
    (void)state;
    gcast_error err;
    int64_t f[2];
    const gcast_thesis_kernel huge[] = {{INT64_MAX / 2, 3, 0}, {INT64_MAX / 2, 30, 0}}, none = {1, 0, 0};
    const gcast_thesis_pool empty = {0};
    assert_int_equal(gcast_thesis_completions(&tx2, huge, 2, NULL, f, NULL, &err), GCAST_INPUT);
    assert_int_equal(gcast_thesis_completions(&tx2, &none, 1, NULL, f, NULL, &err), GCAST_INPUT);
    assert_int_equal(gcast_thesis_completions(&empty, huge, 1, NULL, f, NULL, &err), GCAST_INPUT);
    assert_int_equal(gcast_thesis_closed(8, INT64_MAX / 2, huge, 2, f, &err), GCAST_INPUT);
    assert_int_equal(gcast_thesis_closed_printed(8, INT64_MAX / 2, huge, 2, f, &err), GCAST_INPUT);
}

static void utilisation(void **state)
{
    (void)state;
    int64_t u[3], total;
    const gcast_thesis_kernel kernels[] = {{4, 2, 0}, {6, 7, 0}, {1, 1, 0}}, huge = {INT64_MAX, UINT64_MAX, 0};
    const int64_t same[] = {15, 15, 0}, own[] = {15, 20, 7}, one = 1;
    assert_int_equal(gcast_thesis_utilisation(kernels, same, 3, 512, u, &total, NULL), GCAST_OK);
    assert_int_equal(u[0], 273067); /* 4 * 2 * 512 / 15 = 273.0666... */
    assert_int_equal(u[1], 1433600);
    assert_int_equal(u[2], 0); /* it has no period */
    assert_int_equal(total, 1706667);
    assert_int_equal(gcast_thesis_utilisation(kernels, own, 3, 512, u, &total, NULL), GCAST_OK);
    assert_int_equal(u[1], 1075200); /* 6 * 7 * 512 / 20 */
    assert_int_equal(u[2], 73143);   /* 512 / 7 */
    assert_int_equal(total, 1421410);
    assert_int_equal(gcast_thesis_utilisation(&huge, &one, 1, 1024, u, &total, NULL), GCAST_INPUT);
}

/* Thirds are not lost: 1/3 + 1/6 of a thousandth is one half, which is rounded up. */
static void utilisation_of_fractions(void **state)
{
    (void)state;
    int64_t u[3], total;
    const gcast_thesis_kernel kernels[] = {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}};
    const int64_t periods[] = {3000, 6000, 2000}, long_periods[] = {3000000, 3000000, 3000000};
    assert_int_equal(gcast_thesis_utilisation(kernels, periods, 2, 1, u, &total, NULL), GCAST_OK);
    assert_int_equal(total, 1);
    assert_int_equal(gcast_thesis_utilisation(kernels, periods, 3, 1, u, &total, NULL), GCAST_OK);
    assert_int_equal(total, 1);
    assert_int_equal(u[0], 0); /* a third */
    assert_int_equal(u[2], 1); /* one half */
    assert_int_equal(gcast_thesis_utilisation(kernels, long_periods, 3, 1000, u, &total, NULL), GCAST_OK);
    assert_int_equal(u[0], 0);
    assert_int_equal(total, 1);
}

/* u and U_t in floating point, of random kernels with a period each. */
static void utilisation_of_random_kernels(void **state)
{
    (void)state;
    support_random r = {13};
    for (int set = 0; set < 1000; set++) {
        gcast_thesis_kernel kernels[MAX_KERNELS];
        int64_t periods[MAX_KERNELS], u[MAX_KERNELS], total;
        size_t count = random_set(&r, kernels, false);
        int threads = (int)support_between(&r, 1, 1024);
        long double sum = 0;
        for (size_t i = 0; i < count; i++)
            periods[i] = support_between(&r, 0, 100000);
        assert_int_equal(gcast_thesis_utilisation(kernels, periods, count, threads, u, &total, NULL), GCAST_OK);
        for (size_t i = 0; i < count; i++) {
            long double want = !periods[i] ? 0
                                           : (long double)kernels[i].execution_ns * (long double)kernels[i].blocks *
                                                 threads / periods[i];
            sum += want;
            assert_true(u[i] - want * 1000 < 0.5001L && want * 1000 - u[i] < 0.5001L);
        }
        assert_true(total - sum * 1000 < 0.5001L && sum * 1000 - total < 0.5001L);
    }
}

/* Every block is on one slot at a time, there are as many as g says, and the last one ends at f. */
static void check_boxes(const gcast_thesis_pool *pool, const gcast_thesis_kernel *kernels, size_t count)
{
    int64_t f[MAX_KERNELS], free_at[MOST_SLOTS] = {0}, ends[MAX_KERNELS] = {0};
    uint64_t blocks[MAX_KERNELS] = {0};
    gcast_thesis_box *boxes;
    size_t box_count;
    gcast_error err;
    slot_by_slot(pool, kernels, count, f);
    assert_ok(gcast_thesis_place(pool, kernels, count, &boxes, &box_count, &err), &err);
    for (size_t i = 0; i < box_count; i++) {
        const gcast_thesis_box *b = &boxes[i];
        int64_t hold = kernels[b->kernel].execution_ns + pool->handover_ns;
        int64_t next = b->start_ns + (int64_t)b->rounds * hold;
        assert_true(i == 0 || boxes[i - 1].kernel <= b->kernel);
        assert_true(b->slots && b->first_slot + b->slots <= pool->slots);
        assert_true(b->start_ns >= kernels[b->kernel].release_ns);
        for (uint32_t s = b->first_slot; s < b->first_slot + b->slots; s++) {
            assert_true(free_at[s] <= b->start_ns);
            free_at[s] = next;
        }
        blocks[b->kernel] += b->slots * b->rounds;
        if (next - pool->handover_ns > ends[b->kernel])
            ends[b->kernel] = next - pool->handover_ns;
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(blocks[i], kernels[i].blocks);
        assert_int_equal(ends[i], f[i]);
    }
    free(boxes);
}

static void boxes_of_random_sets(void **state)
{
    (void)state;
    support_random r = {17};
    for (uint64_t set = 0; set < support_runs(SETS) / 20 + 1; set++) {
        gcast_thesis_kernel kernels[MAX_KERNELS] = {0};
        size_t count = random_set(&r, kernels, set % 8 == 0);
        gcast_thesis_pool pool = {.slots = (uint32_t)support_between(&r, 1, MOST_SLOTS)};
        if (set % 4 == 1) {
            pool.handover_ns = support_between(&r, 0, 3);
            pool.switch_ns = support_between(&r, 0, 3);
        }
        check_boxes(&pool, kernels, count);
    }
}

/* Section 3.6: figures 3.6 to 3.9. K2 has 6 slots from 0 on and one that K1 had; K3 the other one, and one of K2's. */
static void boxes_of_the_example(void **state)
{
    (void)state;
    const gcast_thesis_kernel kernels[] = {{4, 2, 0}, {6, 7, 0}, {6, 2, 0}, {5, 5, 0}};
    static const gcast_thesis_box want[] = {{0, 0, 2, 0, 1}, {1, 2, 6, 0, 1}, {1, 0, 1, 4, 1},
                                            {2, 1, 1, 4, 1}, {2, 2, 1, 6, 1}, {3, 3, 5, 6, 1}};
    gcast_thesis_box *boxes;
    size_t count;
    gcast_error err;
    assert_ok(gcast_thesis_place(&tx2, kernels, 4, &boxes, &count, &err), &err);
    assert_int_equal(count, sizeof want / sizeof *want);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(boxes[i].kernel, want[i].kernel);
        assert_int_equal(boxes[i].first_slot, want[i].first_slot);
        assert_int_equal(boxes[i].slots, want[i].slots);
        assert_int_equal(boxes[i].start_ns, want[i].start_ns);
        assert_int_equal(boxes[i].rounds, want[i].rounds);
    }
    free(boxes);
}

/* 10^12 blocks are a few boxes. */
static void many_blocks_are_few_boxes(void **state)
{
    (void)state;
    gcast_error err;
    gcast_thesis_box *boxes;
    size_t count;
    const gcast_thesis_kernel kernels[] = {{3, 5, 0}, {10, 1000000000000, 0}, {7, 9, 4}};
    assert_ok(gcast_thesis_place(&tx2, kernels, 3, &boxes, &count, &err), &err);
    assert_true(count < 20);
    free(boxes);
    const gcast_thesis_pool empty = {0};
    assert_int_equal(gcast_thesis_place(&empty, kernels, 3, &boxes, &count, &err), GCAST_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_numbers),
        cmocka_unit_test(steps_of_the_example),
        cmocka_unit_test(against_slots),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(where_the_printed_form_is_wrong),
        cmocka_unit_test(many_blocks_at_once),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(utilisation),
        cmocka_unit_test(utilisation_of_fractions),
        cmocka_unit_test(utilisation_of_random_kernels),
        cmocka_unit_test(boxes_of_random_sets),
        cmocka_unit_test(boxes_of_the_example),
        cmocka_unit_test(many_blocks_are_few_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
