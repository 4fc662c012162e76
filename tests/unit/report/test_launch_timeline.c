/* Phases of a kernel with children, and the picture over time, from series that are made up. */
#include <string.h>

#include "analyze/spawn/spawn_compare.h"
#include "report/canvas/value_axis.h"
#include "report/plots/launch_phases.h"
#include "support/support.h"

#define BIN 100

/* A run of two kernels, of which the second takes longer: parents from 0 to 300 and from 1000 to 1800, children of the
 * second from 1500 on. */
typedef struct made_up {
    gcast_gpu gpu;
    gcast_op child, ops[2];
    gcast_launches launches;
    gcast_workload w;
    gcast_run_op run_ops[2];
    gcast_launch_series series;
    gcast_run run;
} made_up;

static void fill(gcast_launch_series *s, gcast_series which, int64_t from, int64_t to, double count)
{
    for (int64_t i = from / BIN; i < (to + BIN - 1) / BIN; i++) {
        int64_t start = i * BIN > from ? i * BIN : from, end = (i + 1) * BIN < to ? (i + 1) * BIN : to;
        s->sum[which][i] += count * (double)(end - start);
    }
}

static made_up *make(void)
{
    static made_up m;
    memset(&m, 0, sizeof m);
    m.gpu.title = "made up";
    m.gpu.child_queues = 32;
    m.gpu.child_pool_grows = 1;
    m.launches = gcast_launches_default();
    m.launches.child = &m.child;
    m.ops[0].label = m.ops[1].label = "parent";
    m.ops[0].launches = m.ops[1].launches = &m.launches;
    m.w.ops = m.ops;
    m.w.op_count = 2;
    m.run_ops[0] = (gcast_run_op){.op = 0, .start_ns = 0, .dispatched_ns = 0, .end_ns = 990};
    m.run_ops[1] = (gcast_run_op){.op = 1, .start_ns = 990, .dispatched_ns = 1200, .end_ns = 3050};
    m.series.bin_ns = BIN;
    m.series.count = 31;
    fill(&m.series, GCAST_SERIES_PARENT_BLOCKS, 0, 300, 5);
    fill(&m.series, GCAST_SERIES_CHILD_BLOCKS, 300, 990, 5);
    fill(&m.series, GCAST_SERIES_PARENT_BLOCKS, 990, 1800, 5);
    fill(&m.series, GCAST_SERIES_CHILD_BLOCKS, 1500, 3050, 8);
    m.run = (gcast_run){.workload = &m.w, .gpu = &m.gpu, .ops = m.run_ops, .op_count = 2, .end_ns = 3050};
    m.run.series = &m.series;
    return &m;
}

/* Bins that two kernels share do not count: that at 900 has children of the first. */
static void phases(void **state)
{
    (void)state;
    made_up *m = make();
    gcast_launch_phases p;
    assert_true(gcast_launch_phases_find(&m->run, &p));
    assert_int_equal(p.op, 1);
    assert_int_equal(p.start_ns, 990);
    assert_int_equal(p.child_ns, 1500);
    assert_int_equal(p.fewer_ns, 1200);
    assert_int_equal(p.gone_ns, 1800);
    assert_int_equal(p.end_ns, 3050);
    assert_string_equal(p.limit, "");
}

static void limits(void **state)
{
    (void)state;
    made_up *m = make();
    gcast_launch_phases p;
    fill(&m->series, GCAST_SERIES_OVERHEAD, 1800, 3050, 3);
    assert_true(gcast_launch_phases_find(&m->run, &p));
    assert_string_equal(p.limit, "launch overhead");
    fill(&m->series, GCAST_SERIES_QUEUED, 1800, 3050, 2);
    gcast_launch_phases_find(&m->run, &p);
    assert_string_equal(p.limit, "room on the SMs");
    fill(&m->series, GCAST_SERIES_CHILD_KERNELS, 1800, 3050, 31);
    gcast_launch_phases_find(&m->run, &p);
    assert_string_equal(p.limit, "hardware queues");
    m->gpu.limits.resident_grids = 16;
    gcast_launch_phases_find(&m->run, &p);
    assert_string_equal(p.limit, "resident grids");
    m->gpu.child_forget = 1; /* children with streams of their own need no hardware queue */
    m->gpu.limits.resident_grids = 128;
    assert_int_equal(launch_kernel_limit(&m->run).kernels, 128);
    gcast_launch_phases_find(&m->run, &p);
    assert_string_equal(p.limit, "room on the SMs");
    m->launches.stream = GCAST_CHILD_STREAM_BLOCK;
    assert_int_equal(launch_kernel_limit(&m->run).kernels, 32);
}

static void without_children(void **state)
{
    (void)state;
    made_up *m = make();
    gcast_launch_phases p;
    memset(m->series.sum[GCAST_SERIES_CHILD_BLOCKS], 0, sizeof m->series.sum[0]);
    assert_true(gcast_launch_phases_find(&m->run, &p));
    assert_int_equal(p.child_ns, -1);
    assert_string_equal(p.limit, "");
    m->run.series = NULL;
    assert_false(gcast_launch_phases_find(&m->run, &p));
    m->run.series = &m->series;
    m->ops[0].launches = m->ops[1].launches = NULL;
    assert_false(gcast_launch_phases_find(&m->run, &p));
}

static char written[1 << 17];
static size_t written_size;

static bool keep(void *data, const char *bytes, size_t size)
{
    (void)data;
    assert_true(written_size + size < sizeof written);
    memcpy(written + written_size, bytes, size);
    written_size += size;
    written[written_size] = '\0';
    return true;
}

static void picture(void **state)
{
    (void)state;
    made_up *m = make();
    gcast_error err;
    written_size = 0;
    assert_ok(gcast_launch_timeline(&m->run, "a <title>", GCAST_FORMAT_SVG, keep, NULL, &err), &err);
    assert_non_null(strstr(written, "a &lt;title&gt;"));
    assert_non_null(strstr(written, "(iiii)"));
    assert_non_null(strstr(written, "blocks of children"));
    assert_null(strstr(written, "for the stream")); /* nobody waits for one */
    assert_int_equal(gcast_launch_timeline(&m->run, "t", GCAST_FORMAT_CSV, keep, NULL, &err), GCAST_USAGE);
    m->run.series = NULL;
    assert_int_equal(gcast_launch_timeline(&m->run, "t", GCAST_FORMAT_SVG, keep, NULL, &err), GCAST_INPUT);
}

static void axes(void **state)
{
    (void)state;
    value_axis a = value_axis_for(173, 1, 6, 1000, 9000);
    assert_int_equal((int)a.step, 50);
    assert_int_equal((int)a.max, 200);
    assert_int_equal(value_axis_y(&a, 0), 9000);
    assert_int_equal(value_axis_y(&a, 100), 5000);
    assert_int_equal(value_axis_y(&a, 1e9), 1000);
    assert_int_equal((int)value_axis_for(0, 1, 6, 0, 1).max, 1);
    a = value_axis_logarithmic(0.3, 60, 0, 8000);
    assert_true(a.min == 0.25 && a.max == 64);
    assert_int_equal(value_axis_y(&a, 1), 6000);
    assert_int_equal(value_axis_y(&a, 0), 8000);
    a = value_axis_logarithmic(1, 1, 0, 8000);
    assert_true(a.min == 1 && a.max == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases),  cmocka_unit_test(limits), cmocka_unit_test(without_children),
        cmocka_unit_test(picture), cmocka_unit_test(axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
