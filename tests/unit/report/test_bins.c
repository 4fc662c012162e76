/* Columns of areas fit the periods of the schedule, so that the picture has no pattern that the schedule has not. */
#include "support/sample_run.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "report/run/sm_share.h"
#include "report/timeline/draw.h"
#include "report/timeline/timeline.h"
#include "support/builders.h"

static gcast_workload *tasks(const int64_t *periods, size_t count)
{
    gcast_error err;
    gcast_workload *w = support_workload("periods", &err);
    for (size_t i = 0; i < count; i++) {
        char name[24];
        snprintf(name, sizeof name, "t%zu", i);
        int stream = support_get_stream(w, (int)i + 1, &err);
        gcast_task task = {.name = name, .stream = stream, .period_ns = periods[i], .deadline_ns = periods[i]};
        assert_true(support_add_task(w, &task, &err) >= 0);
        gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
        op.label = name;
        op.stream = stream;
        op.grid[0] = 2;
        op.block[0] = 256;
        op.min_ns = op.max_ns = periods[i] / 7 + 1;
        assert_true(support_add_op(w, &op, &err) >= 0);
    }
    return w;
}

static bins make_bins(const gcast_workload *w, view v, int pixels, int quarters)
{
    bins b;
    gcast_error err;
    gcast_run run = {.workload = w};
    assert_ok(bins_make(&b, &run, &v, pixels, quarters, &err), &err);
    assert_int_equal(b.edge[0], v.start_ns);
    assert_int_equal(b.edge[b.count], v.end_ns);
    for (int i = 0; i < b.count; i++) {
        assert_true(b.edge[i] < b.edge[i + 1]);
        assert_int_equal(bins_at(&b, b.edge[i]), i);
        assert_int_equal(bins_at(&b, b.edge[i + 1] - 1), i);
    }
    return b;
}

static void fit_periods(void **state)
{
    (void)state;
    static const struct {
        int64_t periods[4], end;
        bool found;
    } sets[] = {
        {{10000000, 15000000, 30000000, 12000000}, 600000000, true},
        {{10000000, 15000000, 30000000, 12000000}, 60000000, true},
        {{10000000, 15000000, 30000000, 12000000}, 6000000000, true},
        {{100000, 10000000}, 200000000, true},
        {{1000, 1000000, 1000000000}, 100000000000, true},
        {{33333333, 66666666}, 2000000000, true},
        {{9999991, 9999973, 9999971}, 2000000000, false}, /* primes */
        {{7000000, 11000000, 13000000}, 7000000000, false},
        {{1}, 1000000, true},
        {{INT64_MAX}, 1000, true}, /* columns of a nanosecond */
    };
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        size_t count = 0;
        while (count < 4 && sets[i].periods[count])
            count++;
        gcast_workload *w = tasks(sets[i].periods, count);
        bins b = make_bins(w, (view){.start_ns = 0, .end_ns = sets[i].end}, 880, 3);
        assert_int_equal(b.step != 0, sets[i].found);
        for (size_t k = 0; k < count && b.step; k++)
            assert_true(b.step % sets[i].periods[k] == 0 || sets[i].periods[k] % b.step == 0);
        if (b.step) {
            assert_true(b.step >= sets[i].end * 3 / 4 / 880 && b.step <= sets[i].end * 16 / 880 + 1);
            for (int k = 1; k < b.count; k++)
                assert_int_equal(b.edge[k] % b.step, 0);
        } else {
            assert_true(b.count >= 880 || b.count == sets[i].end);
        }
        bins_free(&b);
        gcast_workload_free(w);
    }
}

static void any_view(void **state)
{
    (void)state;
    support_random r = {5};
    for (int i = 0; i < 400; i++) {
        int64_t periods[4];
        size_t count = (size_t)support_between(&r, 0, 4);
        for (size_t k = 0; k < count; k++)
            periods[k] = support_between(&r, 1, 50) * support_between(&r, 1, 3) * 1000;
        gcast_workload *w = tasks(periods, count);
        int64_t start = support_between(&r, 0, 1) * support_between(&r, 0, 1000000);
        view v = {.start_ns = start, .end_ns = start + support_between(&r, 1, i % 2 ? 300 : 50000000)};
        bins b = make_bins(w, v, (int)support_between(&r, 1, 1200), (int)support_between(&r, 3, 20));
        bins_free(&b);
        gcast_workload_free(w);
    }
}

/* The area of one key from start_ns to end_ns. */
static uint64_t ink(const area *a, int key, int64_t start_ns, int64_t end_ns)
{
    uint64_t sum = 0;
    for (int c = 0; c < a->columns.count; c++) {
        int64_t start = a->columns.edge[c], end = a->columns.edge[c + 1];
        start = max_i64(start, start_ns);
        end = min_i64(end, end_ns);
        if (end > start)
            sum += (uint64_t)(end - start) * (area_top(a, key, c) - area_low(a, key, c));
    }
    return sum;
}

/* Every hyperperiod of the schedule has an equal area, for any width of the picture. */
static void same_ink_in_every_period(void **state)
{
    (void)state;
    static const int64_t periods[] = {1000000, 1500000, 2000000, 3000000};
    const int64_t hyperperiod = 6000000, horizon = 400 * hyperperiod;
    gcast_error err;
    gcast_run *run;
    gcast_workload *w = tasks(periods, 4);
    gcast_gpu *gpu = support_gpu("tx2", 6, 2, 2, &err);
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    options.horizon_ns = horizon;
    assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
    for (int width = 300; width <= 4000; width += 61) {
        gcast_report_options o = gcast_report_options_default();
        timeline t;
        o.width = width;
        o.to_ns = horizon;
        assert_ok(timeline_make(&t, run, &o, &err), &err);
        if (t.overview) {
            const area *a = &t.rows.at[0].held;
            assert_int_equal(t.rows.at[0].kind, ROW_USE);
            for (int key = 0; key < a->keys; key++) {
                uint64_t first = ink(a, key, 0, hyperperiod);
                assert_true(first > 0);
                for (int64_t at = hyperperiod; at < horizon; at += hyperperiod) {
                    uint64_t other = ink(a, key, at, at + hyperperiod),
                             difference = other > first ? other - first : first - other;
                    assert_true(difference <= 2 * (uint64_t)hyperperiod); /* two units of 65536 in height */
                }
            }
        }
        assert_true(t.overview || width > 2900);
        timeline_free(&t);
    }
    gcast_run_free(run);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit_periods),
        cmocka_unit_test(any_view),
        cmocka_unit_test(same_ink_in_every_period),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
