/* A profile beside the simulation of its workload: spans, errors by name, where errors begin and why. */
#include <string.h>

#include "gridcast/profile.h"
#include "gridcast/simulate.h"
#include "profile/replay.h"
#include "support/small_trace.h"

#define GPU "h200"

typedef struct replayed {
    small_made m;
    prof_replay r;
} replayed;

static replayed replay(prof_trace *t)
{
    replayed x = {.m = small_make(t, GPU, prof_make_options_default())};
    gcast_run *run;
    gcast_error err;
    gcast_simulate_options options = gcast_simulate_options_default();
    assert_ok(gcast_workload_simulate(x.m.made.workload, x.m.gpu, &options, &run, &err), &err);
    assert_ok(prof_replay_compare(t, &x.m.made, run, &x.r, &err), &err);
    gcast_run_free(run);
    return x;
}

static void replayed_free(replayed *x)
{
    prof_replay_free(&x->r);
    small_made_free(&x->m);
}

static int64_t launch(prof_trace *t, int64_t start_ns)
{
    return small_call(t, 7, "cudaLaunchKernel", start_ns, start_ns + 1000);
}

static void assert_late(const replayed *x, const char *label, replay_cause cause, int64_t error_ns)
{
    assert_int_equal(x->r.late_count, 1);
    assert_string_equal(x->r.ops[x->r.late[0].op].label, label);
    assert_string_equal(replay_cause_name(x->r.late[0].cause), replay_cause_name(cause));
    assert_int_equal(x->r.late[0].error_ns, error_ns);
}

/* The host calls late each time: all is as recorded. */
static void test_exact(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    for (int i = 0; i < 3; i++)
        small_kernel(t, 5, launch(t, i * 100000), i == 1 ? "b" : "a", 1, i * 100000 + 3000, i * 100000 + 20000 + i);
    replayed x = replay(t);
    assert_int_equal(x.r.recorded_ns, 217002);
    assert_int_equal(x.r.replayed_ns, 217002);
    assert_int_equal(x.r.late_count, 0);
    assert_int_equal(x.r.beside, 0);
    assert_int_equal(x.r.name_count, 2);
    assert_string_equal(x.r.names[0].label, "a");
    assert_int_equal(x.r.names[0].launches, 2);
    assert_int_equal(x.r.names[0].recorded_ns, 34002);
    assert_int_equal(x.r.names[0].start.largest_ns, 0);
    assert_int_equal(x.r.names[0].end.median_ns, 0);
    replayed_free(&x);
}

/* b started 30 us after a ended, for whatever reason; c, behind it, is off as much, which is not its own error. */
static prof_trace *late(bool copy_first)
{
    prof_trace *t = small_trace();
    int64_t a = launch(t, 0), b = launch(t, 2000), c = launch(t, 4000);
    if (copy_first)
        small_copy(t, 5, a, false, 3000, 20000);
    else
        small_kernel(t, 5, a, "a", 1, 3000, 20000);
    small_kernel(t, 5, b, "b", 1, 50000, 60000);
    small_kernel(t, 5, c, "c", 1, 61600, 70000);
    return t;
}

static void test_late(void **state)
{
    (void)state;
    replayed x = replay(late(false));
    assert_late(&x, "b", REPLAY_UNKNOWN, -28400); /* the stream's gap is 1.6 us */
    assert_int_equal(x.r.recorded_ns - x.r.replayed_ns, 28400);
    assert_int_equal(x.r.ops[2].start_error_ns, -28400);
    replayed_free(&x);
    x = replay(late(true));
    assert_int_equal(x.r.late_count, 2); /* a copy may hold its stream 12 us longer than it takes; the rest is open */
    assert_string_equal(x.r.ops[x.r.late[0].op].label, "h2d");
    assert_string_equal(replay_cause_name(x.r.late[0].cause), replay_cause_name(REPLAY_HELD));
    assert_string_equal(x.r.ops[x.r.late[1].op].label, "b");
    assert_string_equal(replay_cause_name(x.r.late[1].cause), replay_cause_name(REPLAY_COPY));
    assert_int_equal(x.r.late[1].error_ns, -16400);
    replayed_free(&x);
}

/* A copy of a graph that held the next node up for long: there is no error, and nobody knows why. */
static void test_held(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t call = small_call(t, 7, "cudaGraphLaunch", 0, 5000);
    small_copy(t, 5, call, false, 10000, 12000);
    small_kernel(t, 5, call, "a", 1, 52000, 60000);
    replayed x = replay(t);
    assert_late(&x, "h2d", REPLAY_HELD, -(40000 - x.m.gpu->graph_copy_gap_ns));
    assert_int_equal(x.r.recorded_ns, x.r.replayed_ns);
    replayed_free(&x);
}

/* The blocks of a fill the GPU; b found room while some of them still ran. */
static void test_room(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t a = launch(t, 0), b = launch(t, 2000);
    small_kernel(t, 5, a, "a", 132 * 8, 3000, 200000);
    small_kernel(t, 6, b, "b", 132 * 8, 150000, 350000);
    replayed x = replay(t);
    assert_int_equal(x.r.late_count, 1);
    assert_int_equal(x.r.late[0].cause, REPLAY_ROOM);
    assert_true(x.r.late[0].error_ns > 45000);
    replayed_free(&x);
}

/* Twice as long beside each other as alone, although both fit: not by their SMs. One that never ran alone tells
 * nothing. */
static void test_slowed(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t one = launch(t, 0), two = launch(t, 100000), three = launch(t, 102000);
    small_kernel(t, 5, one, "a", 8, 3000, 53000);
    small_kernel(t, 5, two, "a", 8, 110000, 210000);
    small_kernel(t, 6, three, "b", 8, 112000, 220000);
    replayed x = replay(t);
    assert_int_equal(x.r.beside, 2);
    assert_int_equal(x.r.never_alone, 1);
    assert_int_equal(x.r.slowed, 1);
    assert_int_equal(x.r.slowed_ns, 50000);
    assert_string_equal(x.r.names[0].label, "a");
    assert_int_equal(x.r.names[0].slowed, 1);
    replayed_free(&x);
}

static bool append(void *data, const char *bytes, size_t size)
{
    size_t *total = data;
    (void)bytes;
    *total += size;
    return true;
}

static void test_public_call(void **state)
{
    (void)state;
    gcast_error err;
    gcast_replay *replay;
    size_t size = 0;
    gcast_import_options options = gcast_import_options_default();
    const char *path = SOURCE_DIR "/tests/data/profiles/one-small.json.gz";
    options.name = "small";
    assert_ok(gcast_profile_replay(path, &options, &replay, &err), &err);
    assert_string_equal(replay->name, "small");
    assert_true(replay->op_count > 0 && replay->recorded_ns > 0 && replay->replayed_ns > 0);
    assert_true(replay->start_median_ns <= replay->start_p90_ns);
    assert_ok(gcast_replay_report(replay, GCAST_FORMAT_TABLE, append, &size, &err), &err);
    assert_ok(gcast_replay_report(replay, GCAST_FORMAT_JSON, append, &size, &err), &err);
    assert_true(size > 500);
    assert_int_equal(gcast_replay_report(replay, GCAST_FORMAT_SVG, append, &size, &err), GCAST_USAGE);
    gcast_replay_free(replay);
    options.from_ns = -1;
    assert_int_equal(gcast_profile_replay(path, &options, &replay, &err), GCAST_USAGE);
    assert_null(replay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact), cmocka_unit_test(test_late),   cmocka_unit_test(test_held),
        cmocka_unit_test(test_room),  cmocka_unit_test(test_slowed), cmocka_unit_test(test_public_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
