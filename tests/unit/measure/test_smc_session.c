/* Sessions that measure SM-centric kernels, on a driver without a GPU: plans, records, times, results beside the
 * original's, SMs that another kernel holds, two kernels at the same time, wrong uses, and every call that fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/smc/smc_session.h"
#include "measure/stub_client.h"
#include "papers/corun/corun_session.h"
#include "support/support.h"

#define SMS 8   /* of the stub */
#define HOLDS 4 /* workers of up to 512 threads on one */
#define JOBS 24
#define THREADS 4 /* of a block */
#define KERNELS 2

typedef struct trial {
    char *ptx;   /* add_one */
    size_t size; /* of the text */
    uint32_t words[KERNELS][JOBS * THREADS], value;
    gcast_buffer buffer[KERNELS];
    gcast_argument argument[KERNELS][2];
    gcast_launch launch[KERNELS];
    gcast_plan *plan[KERNELS];
    gcast_smc_session *session;
} trial;

static gcast_plan *make_plan(gcast_mapping mapping, uint32_t x, uint32_t y, uint32_t sms, uint32_t workers)
{
    gcast_plan_options o = gcast_plan_options_default();
    gcast_error err;
    gcast_plan *plan;
    o.mapping = mapping;
    o.workers = workers;
    o.grid[0] = x, o.grid[1] = y, o.grid[2] = 1;
    o.sms = sms;
    assert_ok(gcast_plan_make(&o, &plan, &err), &err);
    return plan;
}

static void prepare(trial *t)
{
    *t = (trial){.value = 3};
    t->ptx = support_read("tests/measure/add_one.ptx", &t->size);
    for (int i = 0; i < KERNELS; i++) {
        t->buffer[i] = (gcast_buffer){"words", t->words[i], sizeof t->words[i]};
        t->argument[i][0] = (gcast_argument){0, NULL, 8};
        t->argument[i][1] = (gcast_argument){-1, &t->value, sizeof t->value};
        t->launch[i] = (gcast_launch){.kernel = "add_one",
                                      .grid = {JOBS / 2, 2, 1},
                                      .block = {THREADS, 1, 1},
                                      .shared_bytes = 1000,
                                      .arguments = 2,
                                      .buffers = 1,
                                      .argument = t->argument[i],
                                      .buffer = &t->buffer[i]};
        t->plan[i] = make_plan(i ? GCAST_MAPPING_QUEUES : GCAST_MAPPING_SEGMENTS, JOBS / 2, 2, SMS, 2);
    }
}

static void release(trial *t)
{
    gcast_smc_session_close(t->session);
    for (int i = 0; i < KERNELS; i++)
        gcast_plan_free(t->plan[i]);
    free(t->ptx);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
}

static gcast_status open_session(trial *t, gcast_error *err)
{
    gcast_smc_gpu_options o = gcast_smc_gpu_options_default();
    o.library = STUB_CUDA;
    return gcast_smc_session_open(&o, &t->session, err);
}

static gcast_status add(trial *t, int i, gcast_smc_facts *facts, gcast_error *err)
{
    return gcast_smc_session_add(t->session, t->ptx, t->size, "add_one.ptx", &t->launch[i], NULL, facts, err);
}

/* A session with two kernels that have plans. */
static gcast_status start(trial *t, gcast_error *err)
{
    gcast_smc_facts facts;
    gcast_status status = open_session(t, err);
    for (int i = 0; i < KERNELS && status == GCAST_OK; i++) {
        status = add(t, i, &facts, err);
        if (status == GCAST_OK)
            status = gcast_smc_session_plan(t->session, (uint32_t)i, t->plan[i], err);
    }
    return status;
}

static void test_facts(void **state)
{
    (void)state;
    gcast_error err;
    gcast_smc_facts facts;
    trial t;
    prepare(&t);
    assert_ok(open_session(&t, &err), &err);
    assert_int_equal(gcast_smc_session_gpu(t.session)->sms, SMS);
    assert_ok(add(&t, 0, &facts, &err), &err);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(facts.registers[i], 10);
        assert_int_equal(facts.holds[i], HOLDS);
    }
    release(&t);
}

/* Runs with records, which say where jobs ran, and that workers are those of the plan. */
static void test_records(void **state)
{
    (void)state;
    gcast_error err;
    gcast_smc_record records[JOBS];
    gcast_smc_outcome o;
    trial t;
    prepare(&t);
    assert_ok(start(&t, &err), &err);
    for (uint32_t k = 0; k < KERNELS; k++) {
        memset(records, 0, sizeof records);
        assert_ok(gcast_smc_session_run(t.session, k, 0, &o, records, &err), &err);
        assert_int_equal(o.launched, HOLDS * SMS);
        assert_int_equal(o.short_sms + o.repaired, 0);
        for (uint32_t j = 0; j < JOBS; j++) {
            assert_int_equal(records[j].sm, o.coverage->planned_sm[j]);
            assert_in_range(records[j].ticket, 0, 1);
            assert_true(records[j].begin_ns > 0 && records[j].begin_ns <= records[j].end_ns);
        }
        gcast_smc_coverage_free(o.coverage);
    }
    setenv("STUB_STARVED", "4", 1);
    memset(records, 0, sizeof records);
    assert_ok(gcast_smc_session_run(t.session, 0, 2, &o, records, &err), &err);
    assert_int_equal(o.launched, 2 * SMS);
    assert_int_equal(o.short_sms, 1);
    assert_int_equal(o.repaired, JOBS / SMS);
    for (uint32_t j = 0; j < JOBS; j++) { /* repaired jobs have records, too */
        assert_true(records[j].end_ns > 0);
        assert_true((records[j].sm == o.coverage->planned_sm[j]) == (j / (JOBS / SMS) != 4));
    }
    gcast_smc_coverage_free(o.coverage);
    release(&t);
}

static void test_times_and_results(void **state)
{
    (void)state;
    gcast_error err;
    uint32_t missing = 99;
    double ns = -1;
    bool same = false;
    trial t;
    prepare(&t);
    assert_ok(start(&t, &err), &err);
    for (uint32_t k = 0; k < KERNELS; k++) {
        assert_ok(gcast_smc_session_time_original(t.session, k, 5, &ns, &err), &err);
        assert_true(ns >= 0 && ns < 1e8);
        assert_ok(gcast_smc_session_time(t.session, k, 0, 5, &ns, &missing, &err), &err);
        assert_true(ns >= 0 && ns < 1e8);
        assert_int_equal(missing, 0);
        assert_ok(gcast_smc_session_time(t.session, k, 0, 4095, &ns, NULL, &err), &err);
        assert_ok(gcast_smc_session_same(t.session, k, &same, &err), &err);
        assert_true(same);
    }
    setenv("STUB_STARVED", "0", 1);
    assert_ok(gcast_smc_session_time(t.session, 0, 0, 5, &ns, &missing, &err), &err);
    assert_int_equal(missing, JOBS / SMS);
    assert_ok(gcast_smc_session_same(t.session, 0, &same, &err), &err);
    assert_true(same);
    release(&t);
}

static void test_held_sms(void **state)
{
    (void)state;
    gcast_error err;
    trial t;
    prepare(&t);
    assert_ok(start(&t, &err), &err);
    assert_ok(gcast_smc_session_let_go(t.session, &err), &err);
    for (uint32_t sms = 1; sms <= SMS; sms++) {
        assert_ok(gcast_smc_session_hold(t.session, sms, 1000, &err), &err);
        assert_ok(gcast_smc_session_let_go(t.session, &err), &err);
    }
    assert_int_equal(gcast_smc_session_hold(t.session, SMS + 1, 1000, &err), GCAST_USAGE);
    assert_string_equal(err.message, "1 to 8 SMs of this GPU can be held, not 9");
    assert_int_equal(gcast_smc_session_hold(t.session, 0, 1000, &err), GCAST_USAGE);
    release(&t);
}

static const uint32_t split[KERNELS] = {6, 2};

static void test_together(void **state)
{
    (void)state;
    gcast_error err;
    uint64_t missing = 99;
    trial t;
    prepare(&t);
    assert_ok(start(&t, &err), &err);
    for (int manner = 0; manner < GCAST_CORUN_MANNERS; manner++) {
        double ns[KERNELS] = {-1, -1};
        assert_ok(
            gcast_smc_session_together(t.session, KERNELS, (gcast_corun_manner)manner, split, 3, ns, &missing, &err),
            &err);
        assert_int_equal(missing, 0);
        for (int i = 0; i < KERNELS; i++)
            assert_true(ns[i] >= 0 && ns[i] < 1e8);
    }
    setenv("STUB_STARVED", "1", 1);
    double ns[KERNELS];
    assert_ok(gcast_smc_session_together(t.session, KERNELS, GCAST_CORUN_PLANS, NULL, 3, ns, &missing, &err), &err);
    assert_true(missing > 0 && missing % (JOBS / SMS) == 0);
    static const uint32_t odd[KERNELS] = {5, 3}, too_many[KERNELS] = {10, 2};
    assert_int_equal(gcast_smc_session_together(t.session, KERNELS, GCAST_CORUN_GREEN, odd, 3, ns, &missing, &err),
                     GCAST_GPU);
    assert_string_equal(err.message, "there is no green context of 5 SMs; the next has 6");
    assert_int_equal(gcast_smc_session_together(t.session, KERNELS, GCAST_CORUN_GREEN, too_many, 3, ns, &missing, &err),
                     GCAST_GPU);
    assert_int_equal(gcast_smc_session_together(t.session, KERNELS, GCAST_CORUN_GREEN, NULL, 3, ns, &missing, &err),
                     GCAST_USAGE);
    assert_int_equal(gcast_smc_session_together(t.session, 3, GCAST_CORUN_STREAMS, NULL, 3, ns, &missing, &err),
                     GCAST_USAGE);
    assert_int_equal(gcast_smc_session_together(t.session, 0, GCAST_CORUN_STREAMS, NULL, 3, ns, &missing, &err),
                     GCAST_USAGE);
    release(&t);
}

static void test_wrong_uses(void **state)
{
    (void)state;
    gcast_error err;
    gcast_smc_facts facts;
    gcast_smc_outcome o;
    uint32_t missing;
    uint64_t lost;
    double ns[KERNELS];
    bool same;
    trial t;
    prepare(&t);
    assert_ok(open_session(&t, &err), &err);
    assert_int_equal(gcast_smc_session_plan(t.session, 0, t.plan[0], &err), GCAST_USAGE);
    assert_string_equal(err.message, "there is no kernel 0 in the session");
    assert_int_equal(gcast_smc_session_time_original(t.session, 0, 1, ns, &err), GCAST_USAGE);
    t.launch[0].kernel = NULL;
    assert_int_equal(add(&t, 0, &facts, &err), GCAST_USAGE);
    t.launch[0].kernel = "other";
    assert_int_not_equal(add(&t, 0, &facts, &err), GCAST_OK);
    t.launch[0].kernel = "add_one";
    gcast_variable variable = {.name = "v"};
    t.launch[0].variables = 1;
    t.launch[0].variable = &variable;
    assert_int_equal(add(&t, 0, &facts, &err), GCAST_USAGE);
    t.launch[0].variables = 0;
    t.launch[0].block[0] = 2000;
    assert_int_equal(add(&t, 0, &facts, &err), GCAST_USAGE);
    t.launch[0].block[0] = THREADS;
    assert_ok(add(&t, 0, &facts, &err), &err);
    assert_int_equal(gcast_smc_session_run(t.session, 0, 0, &o, NULL, &err), GCAST_USAGE);
    assert_string_equal(err.message, "kernel 0 has no plan yet");
    assert_int_equal(gcast_smc_session_time(t.session, 0, 0, 1, ns, &missing, &err), GCAST_USAGE);
    assert_int_equal(gcast_smc_session_same(t.session, 0, &same, &err), GCAST_USAGE);
    assert_int_equal(gcast_smc_session_together(t.session, 1, GCAST_CORUN_PLANS, NULL, 1, ns, &lost, &err),
                     GCAST_USAGE);
    gcast_plan *sms = make_plan(GCAST_MAPPING_QUEUES, JOBS / 2, 2, 4, 1),
               *grid = make_plan(GCAST_MAPPING_QUEUES, JOBS, 1, SMS, 1);
    assert_int_equal(gcast_smc_session_plan(t.session, 0, sms, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the plan is for 4 SMs, and this GPU has 8");
    assert_int_equal(gcast_smc_session_plan(t.session, 0, grid, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the plan is for 24 x 1 x 1 jobs, the launch has 12 x 2 x 1");
    assert_ok(gcast_smc_session_plan(t.session, 0, t.plan[0], &err), &err);
    assert_int_equal(gcast_smc_session_time(t.session, 0, 0, 0, ns, &missing, &err), GCAST_USAGE);
    assert_int_equal(gcast_smc_session_time(t.session, 0, 0, 4096, ns, &missing, &err), GCAST_USAGE);
    assert_int_equal(gcast_smc_session_time_original(t.session, 0, 4096, ns, &err), GCAST_USAGE);
    assert_int_equal(gcast_smc_session_run(t.session, 0, UINT32_MAX, &o, NULL, &err), GCAST_USAGE);
    assert_int_equal(gcast_smc_session_time(t.session, 0, UINT32_MAX, 1, ns, &missing, &err), GCAST_USAGE);
    for (int i = 1; i < GCAST_SMC_SESSION_MAX; i++)
        assert_ok(add(&t, 0, &facts, &err), &err);
    assert_int_equal(add(&t, 0, &facts, &err), GCAST_USAGE);
    gcast_plan_free(sms);
    gcast_plan_free(grid);
    release(&t);
}

/* A driver before CUDA 12.4 has no green contexts. */
static void test_an_old_driver(void **state)
{
    (void)state;
    gcast_smc_gpu_options o = gcast_smc_gpu_options_default();
    gcast_smc_facts facts;
    gcast_error err;
    uint64_t missing;
    double ns[KERNELS];
    trial t;
    prepare(&t);
    o.library = STUB_CUDA_OLD;
    assert_ok(gcast_smc_session_open(&o, &t.session, &err), &err);
    assert_ok(add(&t, 0, &facts, &err), &err);
    assert_ok(add(&t, 1, &facts, &err), &err);
    assert_int_equal(gcast_smc_session_together(t.session, KERNELS, GCAST_CORUN_GREEN, split, 1, ns, &missing, &err),
                     GCAST_GPU);
    assert_string_equal(err.message, "this driver has no green contexts; they need CUDA 12.4");
    release(&t);
    o.library = "libno-such-driver.so";
    assert_int_equal(gcast_smc_session_open(&o, &t.session, &err), GCAST_GPU);
    assert_null(t.session);
}

/* Everything that a session can do, one after the other. */
static gcast_status do_all(trial *t, gcast_error *err)
{
    gcast_smc_record records[JOBS];
    gcast_smc_outcome o = {0};
    uint32_t missing;
    uint64_t lost;
    double ns[KERNELS];
    bool same;
    gcast_status status = start(t, err);
    for (int with = 0; with < 2 && status == GCAST_OK; with++) {
        status = gcast_smc_session_run(t->session, 0, 0, &o, with ? records : NULL, err);
        assert_int_equal(o.coverage != NULL, status == GCAST_OK);
        gcast_smc_coverage_free(o.coverage);
    }
    if (status == GCAST_OK)
        status = gcast_smc_session_time(t->session, 0, 0, 2, ns, &missing, err);
    if (status == GCAST_OK)
        status = gcast_smc_session_time_original(t->session, 1, 2, ns, err);
    if (status == GCAST_OK)
        status = gcast_smc_session_same(t->session, 1, &same, err);
    if (status == GCAST_OK)
        status = gcast_smc_session_hold(t->session, 2, 100, err);
    if (status == GCAST_OK)
        status = gcast_smc_session_let_go(t->session, err);
    for (int manner = 0; manner < GCAST_CORUN_MANNERS && status == GCAST_OK; manner++)
        status = gcast_smc_session_together(t->session, KERNELS, (gcast_corun_manner)manner, split, 1, ns, &lost, err);
    return status;
}

static void test_every_failure(void **state)
{
    (void)state;
    int calls = 1, failed = 0;
    for (int n = 1; n <= calls + 1; n += n < 300 ? 1 : n / 20) { /* what comes late repeats itself */
        char number[16];
        gcast_error err;
        trial t;
        stub_restart(NULL);
        prepare(&t);
        snprintf(number, sizeof number, "%d", n);
        setenv("STUB_FAIL", number, 1);
        setenv("STUB_STARVED", "3", 1); /* so that there are repairs */
        gcast_status status = do_all(&t, &err);
        calls = stub_ask("stub_calls");
        unsetenv("STUB_FAIL");
        if (status != GCAST_OK) {
            failed++;
            assert_int_equal(status, GCAST_GPU);
            assert_non_null(strstr(err.message, "CUDA_ERROR_UNKNOWN"));
        }
        gcast_smc_outcome o;
        if (t.session && gcast_smc_session_run(t.session, 0, 0, &o, NULL, &err) == GCAST_OK) {
            assert_int_equal(o.repaired, JOBS / SMS); /* it is by the plan still */
            gcast_smc_coverage_free(o.coverage);
        }
        release(&t);
    }
    assert_true(failed > 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_facts, stub_restart),
        cmocka_unit_test_setup(test_records, stub_restart),
        cmocka_unit_test_setup(test_times_and_results, stub_restart),
        cmocka_unit_test_setup(test_held_sms, stub_restart),
        cmocka_unit_test_setup(test_together, stub_restart),
        cmocka_unit_test_setup(test_wrong_uses, stub_restart),
        cmocka_unit_test_setup(test_an_old_driver, stub_restart),
        cmocka_unit_test_setup(test_every_failure, stub_restart),
    };
    return cmocka_run_group_tests(tests, stub_open, stub_close);
}
