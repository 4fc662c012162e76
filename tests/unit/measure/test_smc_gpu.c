/* SM-centric kernels in a program of the caller's, on a driver without a GPU (tests/measure/stub_smc.c): every mapping,
 * an SM that gets no worker, wrong uses, and every call that fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/driver/driver.h"
#include "measure/stub_client.h"
#include "support/support.h"

#define SMS 8       /* of the stub */
#define HOLDS 4     /* workers of up to 512 threads on one */
#define THREADS 4   /* of a block */
#define MAX_JOBS 64 /* of the grids here */
#define VALUE 7

typedef struct trial {
    driver d;        /* the stub's calls */
    CUmodule module; /* the kernel, transformed */
    char *text;      /* its PTX */
    uint32_t words[MAX_JOBS * THREADS];
    uint32_t value;      /* the arguments of the kernel, with words */
    CUdeviceptr memory;  /* is the host's */
    void *parameters[2]; /* of these */
    gcast_smc_launch_arguments arguments;
} trial;

static char *transform(bool records)
{
    gcast_smc_options o = gcast_smc_options_default();
    gcast_error err;
    size_t size;
    char *source = support_read("tests/measure/add_one.ptx", &size), *text;
    o.records = records;
    assert_ok(gcast_smc_transform(source, size, "add_one.ptx", &o, &text, &size, &err), &err);
    free(source);
    return text;
}

static void prepare(trial *t)
{
    gcast_error err;
    *t = (trial){.value = VALUE, .text = transform(false)};
    t->memory = (CUdeviceptr)(uintptr_t)t->words;
    t->parameters[0] = &t->memory;
    t->parameters[1] = &t->value;
    t->arguments = (gcast_smc_launch_arguments){.block = {THREADS, 1, 1}, .parameters = t->parameters};
    assert_ok(driver_open(&t->d, STUB_CUDA, &err), &err);
    assert_ok(load_ptx(&t->d, t->text, &t->module, &err), &err);
}

static void release(trial *t)
{
    t->d.cuModuleUnload(t->module);
    driver_close(&t->d);
    free(t->text);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
}

static gcast_status open_kernel(const trial *t, gcast_smc_kernel **out, gcast_error *err)
{
    gcast_smc_gpu_options o = gcast_smc_gpu_options_default();
    o.library = STUB_CUDA;
    return gcast_smc_open(t->module, "add_one", &o, out, err);
}

typedef struct form {
    gcast_mapping mapping;
    bool steal, in_turn;
    uint32_t workers;
} form;

static const form forms[] = {{GCAST_MAPPING_PERSISTENT, false, false, 0}, {GCAST_MAPPING_ONE_JOB, false, false, 8},
                             {GCAST_MAPPING_SEGMENTS, false, false, 1},   {GCAST_MAPPING_SEGMENTS, false, false, 3},
                             {GCAST_MAPPING_SEGMENTS, false, true, 2},    {GCAST_MAPPING_QUEUES, false, false, 2},
                             {GCAST_MAPPING_QUEUES, false, true, 3},      {GCAST_MAPPING_QUEUES, true, false, 2}};
#define FORMS (sizeof forms / sizeof forms[0])

static gcast_plan *make_plan(const form *f, uint32_t x, uint32_t y, uint32_t z, uint32_t sms)
{
    gcast_plan_options o = gcast_plan_options_default();
    gcast_error err;
    gcast_plan *plan;
    o.mapping = f->mapping;
    o.steal = f->steal;
    o.in_turn = f->in_turn;
    o.workers = f->workers;
    o.grid[0] = x, o.grid[1] = y, o.grid[2] = z;
    o.sms = sms;
    assert_ok(gcast_plan_make(&o, &plan, &err), &err);
    return plan;
}

/* Every word of every job was added to so often. */
static void check_words(const trial *t, uint32_t jobs, uint32_t launches)
{
    for (uint32_t i = 0; i < MAX_JOBS * THREADS; i++)
        assert_int_equal(t->words[i], i < jobs * THREADS ? launches * VALUE : 0);
}

static bool binds_jobs(const form *f)
{
    return f->mapping != GCAST_MAPPING_PERSISTENT && !f->steal;
}

/* Launches by a plan, while SM `starved` (SMS: none) gets no worker. */
static void launch_form(trial *t, gcast_smc_kernel *kernel, const form *f, const uint32_t grid[3], uint32_t starved,
                        uint32_t fill)
{
    gcast_error err;
    gcast_plan *plan = make_plan(f, grid[0], grid[1], grid[2], SMS);
    char number[16];
    snprintf(number, sizeof number, "%u", starved);
    setenv("STUB_STARVED", number, 1);
    memset(t->words, 0, sizeof t->words);
    t->arguments.fill = fill;
    assert_ok(gcast_smc_set_plan(kernel, plan, &err), &err);
    for (uint32_t k = 1; k <= 3; k++) {
        gcast_smc_outcome o;
        assert_ok(gcast_smc_launch(kernel, &t->arguments, &err), &err);
        assert_ok(gcast_smc_finish(kernel, &o, &err), &err);
        check_words(t, plan->jobs, k);
        assert_int_equal(o.launched, (fill ? fill : HOLDS) * SMS);
        assert_int_equal(o.coverage->missing, o.repaired);
        assert_int_equal(o.repairs, o.repaired > 0);
        bool is_short = starved < SMS && plan->workers[starved] > 0;
        if (f->mapping != GCAST_MAPPING_ONE_JOB && fill != 1)
            assert_int_equal(o.short_sms, is_short);
        uint32_t lost = starved < SMS && binds_jobs(f) ? plan->first[starved + 1] - plan->first[starved] : 0;
        if (f->mapping != GCAST_MAPPING_ONE_JOB && fill != 1)
            assert_int_equal(o.repaired, lost);
        for (uint32_t j = 0; j < plan->jobs && binds_jobs(f); j++)
            assert_true(o.coverage->sm[j] == o.coverage->planned_sm[j] || o.coverage->sm[j] == GCAST_SMC_UNKNOWN);
        gcast_smc_coverage_free(o.coverage);
    }
    gcast_plan_free(plan);
}

static void test_every_mapping(void **state)
{
    (void)state;
    static const uint32_t grids[][3] = {{40, 1, 1}, {3, 5, 2}, {1, 1, 1}, {64, 1, 1}};
    gcast_smc_kernel *kernel;
    gcast_error err;
    trial t;
    prepare(&t);
    assert_ok(open_kernel(&t, &kernel, &err), &err);
    for (size_t i = 0; i < FORMS; i++)
        for (size_t g = 0; g < sizeof grids / sizeof grids[0]; g++) {
            launch_form(&t, kernel, &forms[i], grids[g], SMS, 0);
            for (uint32_t starved = 0; starved < SMS; starved += 3)
                launch_form(&t, kernel, &forms[i], grids[g], starved, 0);
            launch_form(&t, kernel, &forms[i], grids[g], 2, 1); /* too few workers where more are to stay */
        }
    gcast_smc_close(kernel);
    release(&t);
}

/* An SM without workers: its jobs run in another launch, and the next launch is by the plan again. */
static void test_a_starved_sm_is_repaired(void **state)
{
    (void)state;
    gcast_smc_kernel *kernel;
    gcast_smc_outcome o;
    gcast_error err;
    trial t;
    prepare(&t);
    gcast_plan *plan = make_plan(&forms[2], 16, 1, 1, SMS);
    assert_ok(open_kernel(&t, &kernel, &err), &err);
    assert_ok(gcast_smc_set_plan(kernel, plan, &err), &err);
    setenv("STUB_STARVED", "5", 1);
    assert_ok(gcast_smc_launch(kernel, &t.arguments, &err), &err);
    assert_ok(gcast_smc_finish(kernel, &o, &err), &err);
    assert_int_equal(o.short_sms, 1);
    assert_int_equal(o.repaired, 2);
    assert_int_equal(o.repairs, 1);
    assert_int_equal(o.coverage->missing_job[0], 10);
    assert_int_equal(o.coverage->missing_job[1], 11);
    gcast_smc_coverage_free(o.coverage);
    check_words(&t, 16, 1);
    unsetenv("STUB_STARVED");
    assert_ok(gcast_smc_launch(kernel, &t.arguments, &err), &err);
    assert_ok(gcast_smc_finish(kernel, &o, &err), &err);
    assert_int_equal(o.short_sms + o.repaired, 0);
    for (uint32_t j = 0; j < 16; j++)
        assert_int_equal(o.coverage->sm[j], j / 2);
    gcast_smc_coverage_free(o.coverage);
    assert_ok(gcast_smc_launch(kernel, &t.arguments, &err), &err);
    assert_ok(gcast_smc_finish(kernel, NULL, &err), &err);
    check_words(&t, 16, 3);
    gcast_plan_free(plan);
    gcast_smc_close(kernel);
    release(&t);
}

static void test_wrong_uses(void **state)
{
    (void)state;
    gcast_smc_kernel *kernel;
    gcast_smc_outcome o;
    gcast_error err;
    trial t;
    prepare(&t);
    gcast_plan *plan = make_plan(&forms[3], 16, 1, 1, SMS), *other = make_plan(&forms[3], 16, 1, 1, 4);
    assert_ok(open_kernel(&t, &kernel, &err), &err);
    assert_int_equal(gcast_smc_launch(kernel, &t.arguments, &err), GCAST_USAGE);
    assert_string_equal(err.message, "there is no plan: gcast_smc_set_plan comes first");
    assert_int_equal(gcast_smc_finish(kernel, &o, &err), GCAST_USAGE);
    assert_string_equal(err.message, "no launch is under way");
    assert_null(o.coverage);
    assert_int_equal(gcast_smc_set_plan(kernel, other, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the plan is for 4 SMs, and this GPU has 8");
    other->job[0] = 1;
    assert_int_equal(gcast_smc_set_plan(kernel, other, &err), GCAST_INPUT);
    assert_ok(gcast_smc_set_plan(kernel, plan, &err), &err);
    t.arguments.block[0] = 0;
    assert_int_equal(gcast_smc_launch(kernel, &t.arguments, &err), GCAST_USAGE);
    t.arguments.block[0] = 1025;
    assert_int_equal(gcast_smc_launch(kernel, &t.arguments, &err), GCAST_USAGE);
    t.arguments.block[0] = THREADS;
    t.arguments.fill = UINT32_MAX;
    assert_int_equal(gcast_smc_launch(kernel, &t.arguments, &err), GCAST_USAGE);
    t.arguments.fill = 0;
    t.arguments.shared_bytes = UINT32_MAX;
    assert_int_equal(gcast_smc_launch(kernel, &t.arguments, &err), GCAST_USAGE);
    t.arguments.shared_bytes = 60000;
    assert_ok(gcast_smc_launch(kernel, &t.arguments, &err), &err);
    assert_int_equal(stub_ask("stub_most_shared"), 60000);
    assert_int_equal(gcast_smc_launch(kernel, &t.arguments, &err), GCAST_USAGE);
    assert_string_equal(err.message, "a launch is under way: gcast_smc_finish comes first");
    assert_int_equal(gcast_smc_set_plan(kernel, plan, &err), GCAST_USAGE);
    assert_ok(gcast_smc_finish(kernel, NULL, &err), &err);
    assert_int_equal(gcast_smc_finish(kernel, NULL, &err), GCAST_USAGE);
    check_words(&t, 16, 1);
    gcast_plan_free(plan);
    gcast_plan_free(other);
    gcast_smc_close(kernel);
    gcast_smc_close(NULL);
    release(&t);
}

/* Modules whose kernel was not transformed, or by something else. */
static void test_kernels_that_are_not_transformed(void **state)
{
    (void)state;
    static const struct {
        const char *ptx, *message;
    } modules[] = {{"", "add_one is not SM-centric: the module has no variable add_one_smc"},
                   {".global .align 8 .u64 add_one_smc[3];", "add_one_smc is not as gridcast smc makes it: 24 bytes"}};
    gcast_smc_kernel *kernel;
    gcast_error err;
    trial t;
    prepare(&t);
    for (size_t i = 0; i < 2; i++) {
        t.d.cuModuleUnload(t.module);
        assert_ok(load_ptx(&t.d, modules[i].ptx, &t.module, &err), &err);
        assert_int_equal(open_kernel(&t, &kernel, &err), GCAST_INPUT);
        assert_string_equal(err.message, modules[i].message);
        assert_null(kernel);
    }
    gcast_smc_gpu_options o = gcast_smc_gpu_options_default();
    o.library = STUB_CUDA;
    assert_int_equal(gcast_smc_open(t.module, "other", &o, &kernel, &err), GCAST_GPU);
    assert_string_equal(err.message, "cuModuleGetFunction: CUDA_ERROR_NOT_FOUND");
    char name[1100];
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_int_equal(gcast_smc_open(t.module, name, &o, &kernel, &err), GCAST_USAGE);
    o.library = "libno-such-driver.so";
    assert_int_equal(gcast_smc_open(t.module, "add_one", &o, &kernel, &err), GCAST_GPU);
    assert_null(kernel);
    release(&t);
}

/* A plan, a launch and its repair. */
static gcast_status use(trial *t, gcast_smc_kernel *kernel, const gcast_plan *plan, gcast_error *err)
{
    gcast_smc_outcome o = {0};
    gcast_status status = gcast_smc_set_plan(kernel, plan, err);
    if (status == GCAST_OK)
        status = gcast_smc_launch(kernel, &t->arguments, err);
    if (status == GCAST_OK)
        status = gcast_smc_finish(kernel, &o, err);
    assert_int_equal(o.coverage != NULL, status == GCAST_OK);
    gcast_smc_coverage_free(o.coverage);
    return status;
}

/* After a call that failed, what the kernel is then still able to do is right. */
static void check_recovery(trial *t, gcast_smc_kernel *kernel, const gcast_plan *plan)
{
    gcast_smc_outcome o;
    gcast_error err;
    unsetenv("STUB_STARVED");
    memset(t->words, 0, sizeof t->words);
    gcast_status status = gcast_smc_launch(kernel, &t->arguments, &err);
    if (status == GCAST_OK) {
        assert_ok(gcast_smc_finish(kernel, &o, &err), &err);
        assert_int_equal(o.short_sms + o.repaired, 0);
        gcast_smc_coverage_free(o.coverage);
        check_words(t, plan->jobs, 1);
    } else {
        assert_int_equal(status, GCAST_USAGE); /* there is no plan */
    }
    memset(t->words, 0, sizeof t->words);
    assert_ok(use(t, kernel, plan, &err), &err);
    check_words(t, plan->jobs, 1);
}

static void test_every_failure(void **state)
{
    (void)state;
    trial t;
    prepare(&t);
    gcast_plan *plan = make_plan(&forms[3], 16, 1, 1, SMS);
    int failed = 0, before, n = 0;
    do {
        char number[16];
        gcast_smc_kernel *kernel;
        gcast_error err;
        before = stub_ask("stub_calls");
        memset(t.words, 0, sizeof t.words);
        snprintf(number, sizeof number, "%d", before + ++n);
        setenv("STUB_FAIL", number, 1);
        setenv("STUB_STARVED", "3", 1);
        gcast_status status = open_kernel(&t, &kernel, &err);
        if (status == GCAST_OK)
            status = use(&t, kernel, plan, &err);
        before = stub_ask("stub_calls") - before; /* so many calls */
        failed += status != GCAST_OK;
        if (status == GCAST_OK)
            check_words(&t, plan->jobs, 1);
        else {
            assert_int_equal(status, GCAST_GPU);
            assert_non_null(strstr(err.message, "CUDA_ERROR_UNKNOWN"));
        }
        unsetenv("STUB_FAIL");
        if (kernel)
            check_recovery(&t, kernel, plan);
        gcast_smc_close(kernel);
        assert_int_equal(stub_ask("stub_outstanding"), 1); /* the module */
    } while (n <= before);
    assert_in_range(failed, 20, 99);
    assert_int_equal(failed, n - 1); /* no failure is overlooked */
    gcast_plan_free(plan);
    release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_every_mapping, stub_restart),
        cmocka_unit_test_setup(test_a_starved_sm_is_repaired, stub_restart),
        cmocka_unit_test_setup(test_wrong_uses, stub_restart),
        cmocka_unit_test_setup(test_kernels_that_are_not_transformed, stub_restart),
        cmocka_unit_test_setup(test_every_failure, stub_restart),
    };
    return cmocka_run_group_tests(tests, stub_open, stub_close);
}
