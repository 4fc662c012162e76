/* The bound on small workloads by hand: where it is exact, what moves it, and when it gives up. */
#include <stdio.h>
#include <string.h>

#include "unit/analyze/by_bound.h"

static void assert_gives_up(fixture *f, const char *why)
{
    gcast_analysis *a = analyze(f, false);
    assert_false(a->complete);
    assert_non_null(a->why_not);
    assert_non_null(strstr(a->why_not, why));
    for (size_t i = 0; i < a->response_count; i++)
        assert_true(a->responses[i].worst_ns == GCAST_NO_BOUND && a->responses[i].best_ns == 0);
    gcast_analysis_free(a);
}

/* 2 SMs hold 8 blocks of 512 threads: 17 blocks take three waves, whatever happens. */
static void exact_for_one_kernel(void **state)
{
    fixture *f = *state;
    f->gpu->launch_latency_ns = 7;
    f->gpu->handover_ns = 1;
    add(f, kernel(stream(f, 1, 0, false), 0, 17, 512, 10));
    gcast_analysis *a = analyze(f, false);
    assert_int_equal(a->responses[0].best_ns, 7 + 3 * 10 + 2 * 1);
    assert_true(a->assumption_count > 0);
    assert_worst(a, 7 + 3 * 10 + 2 * 1);
}

/* A stream of kernels that each fit: their times and the gaps, nothing for waits. */
static void exact_for_one_stream(void **state)
{
    fixture *f = *state;
    int s = stream(f, 1, 0, false);
    f->gpu->stream_gap_ns = 3;
    add(f, kernel(s, 0, 8, 512, 10));
    add(f, kernel(s, 0, 4, 1024, 20));
    add(f, kernel(s, 0, 1, 32, 5));
    assert_worst(analyze(f, false), 10, 33, 41);
}

/* FIFO: a kernel that fills the GPU delays those called after it by its duration, and none called before it, unless the
 * order is open. */
static void order_matters(void **state)
{
    fixture *f = *state;
    add(f, kernel(stream(f, 1, 0, false), 0, 8, 512, 10));
    add(f, kernel(stream(f, 2, 0, false), 0, 8, 512, 20));
    assert_worst(analyze(f, false), 10, 30);
    assert_worst(analyze(f, true), 30, 30);
}

/* A2: a kernel of a high level waits for resident blocks, one of a low level for all kernels above it. */
static void priorities(void **state)
{
    fixture *f = *state;
    f->gpu->priority_levels = 2;
    add(f, kernel(stream(f, 1, 0, false), 0, 80, 512, 10));
    add(f, kernel(stream(f, 2, -1, false), 5, 8, 512, 20));
    gcast_analysis *a = analyze(f, false);
    assert_true(a->responses[0].worst_ns >= 100 + 20);
    assert_int_equal(a->responses[1].worst_ns, 10 + 20);
    gcast_analysis_free(a);
}

static void copies_share_an_engine(void **state)
{
    fixture *f = *state;
    f->gpu->copy_engines = 2;
    f->gpu->copy_latency_ns = 1;
    add(f, copy(stream(f, 1, 0, false), 0, GCAST_H2D, 10));
    add(f, copy(stream(f, 2, 0, false), 0, GCAST_H2D, 20));
    add(f, copy(stream(f, 3, 0, false), 0, GCAST_D2H, 40));
    assert_worst(analyze(f, false), 11, 31, 41);
}

/* N1: what the NULL stream waits for. */
static void null_stream(void **state)
{
    fixture *f = *state;
    int null = stream(f, 0, 0, true);
    add(f, kernel(stream(f, 1, 0, true), 0, 1, 32, 10));
    add(f, kernel(stream(f, 2, 0, false), 0, 1, 32, 100));
    add(f, kernel(null, 0, 1, 32, 5));
    assert_worst(analyze(f, false), 10, 100, 15);
}

/* One job of each task delays one of the other. */
static void tasks(void **state)
{
    fixture *f = *state;
    add_task(f, stream(f, 1, 0, false), 100, 0);
    add(f, kernel(0, 0, 8, 512, 10));
    add_task(f, stream(f, 2, 0, false), 100, 60);
    add(f, kernel(1, 0, 8, 512, 20));
    gcast_analysis *a = analyze(f, false);
    assert_int_equal(a->responses[0].deadline_ns, 100);
    assert_worst(a, 30, 30);
}

/* Two jobs of a task may be released at once: the second one waits for the first and for the other task. The other task
 * waits for one of them only, since the second cannot enter before the first has left. */
static void jitter_adds_a_job(void **state)
{
    fixture *f = *state;
    add_task(f, stream(f, 1, 0, false), 1000, 0);
    add(f, kernel(0, 0, 8, 512, 10));
    add_task(f, stream(f, 2, 0, false), 1000, 1000);
    add(f, kernel(1, 0, 8, 512, 20));
    gcast_analysis *a = analyze(f, false);
    assert_int_equal(a->responses[0].worst_ns, 30);
    assert_true(a->responses[1].worst_ns >= 50);
    gcast_analysis_free(a);
}

static void overload(void **state)
{
    fixture *f = *state;
    add_task(f, stream(f, 1, 0, false), 10, 0);
    add(f, kernel(0, 0, 17, 512, 10));
    assert_gives_up(f, "may be overloaded");
}

static void hosts_wait(void **state)
{
    fixture *f = *state;
    int s = stream(f, 1, 0, false), host = support_add_host(f->w, "h", &f->err);
    gcast_op first = kernel(s, 0, 8, 512, 10), second = kernel(s, 0, 8, 512, 20);
    first.host = second.host = host;
    first.host_waits = true;
    add(f, first);
    add(f, second);
    assert_worst(analyze(f, false), 10, 20);
}

/* The host makes its second call no earlier than the first kernel can end: the other kernel has ended by then. */
static void hosts_wait_at_least(void **state)
{
    fixture *f = *state;
    int host = support_add_host(f->w, "h", &f->err);
    gcast_op first = copy(stream(f, 1, 0, false), 0, GCAST_H2D, 30), second = kernel(0, 0, 8, 512, 20);
    first.host = second.host = host;
    first.host_waits = true;
    add(f, first);
    add(f, second);
    add(f, kernel(stream(f, 2, 0, false), 0, 8, 512, 10));
    assert_worst(analyze(f, false), 30, 20, 10);
}

/* Releases are 25 apart, give or take a multiple of 50: the jobs never meet, nor with a little jitter. */
static void tasks_out_of_phase(void **state)
{
    fixture *f = *state;
    add_task(f, stream(f, 1, 0, false), 100, 0);
    add(f, kernel(0, 0, 8, 512, 10));
    add_task(f, stream(f, 2, 0, false), 150, 5);
    add(f, kernel(1, 25, 8, 512, 20));
    assert_worst(analyze(f, false), 10, 20);
    gcast_analysis *a;
    gcast_analyze_options options = gcast_analyze_options_default();
    options.any_phase = true;
    assert_ok(gcast_workload_analyze(f->w, f->gpu, GCAST_METHOD_BOUND, &options, &a, &f->err), &f->err);
    assert_worst(a, 30, 30);
}

/* When a kernel enters, at most one kernel of each other stream is in the queue. */
static void one_of_a_stream(void **state)
{
    fixture *f = *state;
    int s = stream(f, 1, 0, false);
    for (int i = 0; i < 3; i++)
        add(f, kernel(s, 0, 16, 512, 10));
    add(f, kernel(stream(f, 2, 0, false), 0, 8, 512, 20));
    gcast_analysis *a = analyze(f, false);
    assert_int_equal(a->responses[3].worst_ns, 20 + 20);
    gcast_analysis_free(a);
}

/* Most of the work before it has ended when it is called: only the rest counts. */
static void others_have_ended(void **state)
{
    fixture *f = *state;
    add(f, kernel(stream(f, 1, 0, false), 0, 80, 512, 10));
    add(f, kernel(stream(f, 2, 0, false), 95, 8, 512, 20));
    assert_worst(analyze(f, false), 100, 5 + 20);
}

/* A kernel of a lower level that is called at the same time has no block on the GPU when the higher one enters. */
static void lower_of_the_same_time(void **state)
{
    fixture *f = *state;
    f->gpu->priority_levels = 2;
    add(f, kernel(stream(f, 1, 0, false), 0, 80, 512, 10));
    add(f, kernel(stream(f, 2, -1, false), 0, 8, 512, 20));
    gcast_analysis *a = analyze(f, true);
    assert_int_equal(a->responses[1].worst_ns, 20);
    gcast_analysis_free(a);
}

/* Blocks of one warp go to the quarters in turn: 128 are resident at once, although a full quarter would keep one out.
 */
static void quarters_in_turn(void **state)
{
    fixture *f = *state;
    f->gpu->register_quarters = true;
    f->gpu->limits.blocks_per_sm = 64;
    add(f, kernel(stream(f, 1, 0, false), 0, 129, 32, 10));
    assert_worst(analyze(f, false), 20);
}

/* Kernels above that are over have moved the quarters' turn between blocks of the third kernel: two of them are in one
 * quarter of each SM, which is the next one, and keep its last block out until they end, though an SM holds eight. The
 * last kernel is behind it. */
static void quarters_turned_before(void **state)
{
    fixture *f = *state;
    f->gpu->sms = 24;
    f->gpu->register_quarters = true;
    f->gpu->priority_levels = 2;
    gcast_op holds = kernel(stream(f, 1, 0, false), 0, 24, 32, 100),
             wide = kernel(stream(f, 3, 0, false), 1, 49, 32, 1000);
    holds.shape.dynamic_smem = f->gpu->limits.smem_per_sm * 171 / 1000;
    wide.shape.dynamic_smem = f->gpu->limits.smem_per_sm * 332 / 1000;
    wide.shape.registers = 216; /* 0.42 of what a quarter has */
    add(f, holds);
    holds.stream = stream(f, 2, 0, false);
    holds.min_ns = holds.max_ns = 200;
    add(f, holds);
    add(f, wide);
    int above = stream(f, 5, -1, false);
    add(f, kernel(above, 50, 24, 96, 10));
    add(f, kernel(above, 150, 24, 96, 10));
    add(f, kernel(stream(f, 4, 0, false), 300, 1, 32, 10));
    run(f);
    assert_ends(f, 100, 200, 2001, 60, 160, 1011);
    gcast_analysis *a = analyze(f, false);
    assert_true(a->responses[3].worst_ns < 250 && a->responses[4].worst_ns < 150); /* over before the last is called */
    assert_int_equal(a->responses[5].worst_ns, 1000 + 10);
    gcast_analysis_free(a);
}

/* A block starves no longer than the blocks run that started before it. */
static void starving_ends(void **state)
{
    fixture *f = *state;
    f->gpu->starving_warps = 1;
    f->gpu->starved_ns = 1000;
    gcast_op spin = kernel(stream(f, 1, 0, false), 0, 2, 32, 30), other = kernel(stream(f, 2, 0, false), 0, 2, 32, 10);
    spin.body = GCAST_BODY_TIMER_SPIN;
    other.body = GCAST_BODY_SPIN;
    add(f, spin);
    add(f, other);
    assert_worst(analyze(f, false), 30, 30);
}

/* An op that is due too late is skipped, and delays nothing. */
static void skipped_delays_nothing(void **state)
{
    fixture *f = *state;
    gcast_op late = kernel(stream(f, 1, 0, false), 10, 8, 512, 10);
    late.skip_ns = 10;
    add(f, late);
    add(f, kernel(stream(f, 2, 0, false), 10, 8, 512, 20));
    gcast_analysis *a = analyze(f, true);
    assert_int_equal(a->responses[1].worst_ns, 20);
    gcast_analysis_free(a);
}

static void what_it_does_not_cover(void **state)
{
    fixture *f = *state;
    int host = support_add_host(f->w, "h", &f->err);
    add(f, kernel(stream(f, 1, 0, false), 0, 1, 32, 10));
    add(f, kernel(stream(f, 2, 0, false), 0, 1, 32, 10));
    f->gpu->limits.resident_grids = 1;
    assert_gives_up(f, "allows resident kernels");
    f->gpu->limits.resident_grids = 2;
    assert_worst(analyze(f, false), 10, 10);
    add(f, host_op(GCAST_KIND_FREE, host));
    assert_gives_up(f, "a cudaFree blocks");
}

static void processes(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 2; i++) {
        gcast_stream s = {.id = i + 1, .process = i};
        assert_true(support_add_stream(f->w, s, &f->err) == i);
        add(f, kernel(i, 0, 1, 32, 10));
    }
    assert_gives_up(f, "several processes");
}

/* Sums stop far above any time instead of overflowing. */
static void huge_times(void **state)
{
    fixture *f = *state;
    int s = stream(f, 1, 0, false);
    gcast_op huge = kernel(s, 0, 2147483647, 1024, ((int64_t)1 << 61) - 1);
    huge.grid[1] = 65535;
    for (int i = 0; i < 4; i++)
        add(f, huge);
    assert_gives_up(f, "a response time may be longer than 2^60");
}

static gcast_workload *load(const char *path, gcast_error *err)
{
    gcast_workload *w;
    char absolute[512];
    snprintf(absolute, sizeof absolute, "%s/%s", SOURCE_DIR, path);
    assert_ok(gcast_workload_load(absolute, NULL, &w, err), err);
    return w;
}

static int64_t end_of_last(const gcast_workload *w, gcast_error *err)
{
    gcast_run *run;
    assert_ok(gcast_workload_simulate(w, NULL, NULL, &run, err), err);
    int64_t end = run->ops[run->op_count - 1].end_ns;
    gcast_run_free(run);
    return end;
}

/* docs/bound.md: A takes half as long, and C ends later. The bound for the long A holds for both. */
static void less_work_ends_later(void **state)
{
    (void)state;
    gcast_error err;
    gcast_analysis *a;
    gcast_workload *w = load("tests/data/bound/less-work.json", &err);
    assert_int_equal(end_of_last(w, &err), 4000000);
    assert_ok(gcast_workload_analyze(w, NULL, GCAST_METHOD_BOUND, NULL, &a, &err), &err);
    assert_int_equal(gcast_workload_set_duration(w, "A", 1000000), 1);
    assert_int_equal(end_of_last(w, &err), 5000000);
    assert_int_equal(a->responses[2].worst_ns, 5000000 - 1000000);
    gcast_analysis_free(a);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(exact_for_one_kernel),
        HAND_CASE(exact_for_one_stream),
        HAND_CASE(order_matters),
        HAND_CASE(priorities),
        HAND_CASE(copies_share_an_engine),
        HAND_CASE(null_stream),
        HAND_CASE(tasks),
        HAND_CASE(jitter_adds_a_job),
        HAND_CASE(overload),
        HAND_CASE(hosts_wait),
        HAND_CASE(hosts_wait_at_least),
        HAND_CASE(tasks_out_of_phase),
        HAND_CASE(one_of_a_stream),
        HAND_CASE(others_have_ended),
        HAND_CASE(lower_of_the_same_time),
        HAND_CASE(quarters_in_turn),
        HAND_CASE(quarters_turned_before),
        HAND_CASE(starving_ends),
        HAND_CASE(skipped_delays_nothing),
        HAND_CASE(what_it_does_not_cover),
        HAND_CASE(processes),
        HAND_CASE(huge_times),
        cmocka_unit_test(less_work_ends_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
