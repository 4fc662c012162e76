/* A launch on a driver without a GPU (tests/measure/stub_cuda.c): buffers are sent and
 * fetched, and every call that fails is reported and changes nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/stub_client.h"
#include "model/exec.h"
#include "support/support.h"

#define WORDS 64

typedef struct trial {
    uint32_t words[WORDS], value;
    gcast_buffer buffer[2];
    gcast_argument argument[2];
    gcast_launch launch;
} trial;

static void prepare(trial *t)
{
    *t = (trial){.value = 7};
    for (uint32_t i = 0; i < WORDS; i++)
        t->words[i] = i;
    t->buffer[0] = (gcast_buffer){"words", t->words, sizeof t->words};
    t->buffer[1] = (gcast_buffer){"empty", NULL, 0};
    t->argument[0] = (gcast_argument){0, NULL, 8};
    t->argument[1] = (gcast_argument){-1, &t->value, sizeof t->value};
    t->launch = (gcast_launch){.kernel = "add_one",
                               .grid = {2, 1, 1},
                               .block = {16, 2, 1},
                               .shared_bytes = 100000,
                               .arguments = 2,
                               .buffers = 2,
                               .argument = t->argument,
                               .buffer = t->buffer};
}

static gcast_status run(trial *t, const char *ptx, int64_t limit, gcast_error *err)
{
    gcast_gpu_exec_options options = gcast_gpu_exec_options_default();
    options.library = STUB_CUDA;
    options.limit_ns = limit;
    return gcast_gpu_exec(ptx, &t->launch, &options, err);
}

static void unchanged(const trial *t)
{
    for (uint32_t i = 0; i < WORDS; i++)
        assert_int_equal(t->words[i], i);
}

static void test_buffers_come_back(void **state)
{
    (void)state;
    gcast_error err;
    trial t;
    prepare(&t);
    assert_ok(run(&t, "", 0, &err), &err);
    for (uint32_t i = 0; i < WORDS; i++)
        assert_int_equal(t.words[i], i + 7);
    assert_int_equal(stub_ask("stub_most_shared"), 100000);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
}

/* Blocks of a cooperative launch start together, and the launch is refused where not all fit. */
static void test_blocks_that_meet(void **state)
{
    (void)state;
    gcast_error err;
    trial t;
    prepare(&t);
    t.launch.kernel = "meet";
    assert_int_equal(run(&t, "", 0, &err), GCAST_GPU);
    unchanged(&t);
    t.launch.cooperative = true;
    assert_ok(run(&t, "", 0, &err), &err);
    for (uint32_t i = 0; i < WORDS; i++)
        assert_int_equal(t.words[i], i + 7);
    assert_int_equal(stub_ask("stub_together"), 1);
    t.launch.grid[0] = 9;
    assert_int_equal(run(&t, "", 0, &err), GCAST_GPU);
    assert_string_equal(err.message, "cuLaunchCooperativeKernel: CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE");
    assert_int_equal(stub_ask("stub_outstanding"), 0);
}

/* Lets the first call fail, then the second, and so on, until none fails. */
static void test_every_failure(void **state)
{
    (void)state;
    int n = 0;
    gcast_status status = GCAST_GPU;
    while (status == GCAST_GPU && n < 100) {
        char number[16];
        gcast_error err;
        trial t;
        uint32_t one = 9;
        gcast_variable variable = {"one", &one, sizeof one, true};
        prepare(&t);
        t.launch.variable = &variable;
        t.launch.variables = 1;
        stub_restart(NULL);
        snprintf(number, sizeof number, "%d", ++n);
        setenv("STUB_FAIL", number, 1);
        status = run(&t, ".global .align 4 .u32 one;", 0, &err);
        assert_int_equal(stub_ask("stub_outstanding"), 0);
        if (status == GCAST_OK)
            break;
        unchanged(&t);
        assert_int_equal(one, 9);
        assert_non_null(strstr(err.message, "CUDA_ERROR_UNKNOWN"));
    }
    assert_int_equal(status, GCAST_OK);
    assert_in_range(n, 21, 99);
}

#define VARIABLES_PTX                                                                                                  \
    ".visible .global .align 4 .b32 counts[3];\n.global .align 4 .u32 one;\n.global .align 16 .u64 add_one_smc[9];\n"

/* Variables of the module: what is set is there before the launch, and all come back. The kernel is SM-centric, so that
 * it runs only if its plan, one queue of two jobs, is there. */
static void test_variables(void **state)
{
    (void)state;
    gcast_error err;
    trial t;
    uint32_t counts[3] = {5, 6, 7}, one = 9, first[3] = {0, 2, 1}, job[2] = {0, 1}, stay[1] = {0}, counters[4] = {0};
    uint32_t marks[2] = {0}, plan[18] = {2, 1, 1, 1, 2, 1, 1, 0};
    const void *const arrays[] = {stay, first, job, counters, marks};
    memcpy(plan + 8, arrays, sizeof arrays);
    gcast_variable variable[] = {{"counts", counts, sizeof counts, true},
                                 {"one", &one, sizeof one, false},
                                 {"add_one_smc", plan, sizeof plan, true}};
    prepare(&t);
    t.launch.variable = variable;
    t.launch.variables = 3;
    assert_ok(run(&t, VARIABLES_PTX, 0, &err), &err);
    for (uint32_t i = 0; i < WORDS; i++)
        assert_int_equal(t.words[i], i + 7);
    assert_int_equal(marks[0], 1 + 4096);
    assert_int_equal(counts[0] * 100 + counts[1] * 10 + counts[2], 567);
    assert_int_equal(one, 0); /* not set: the module's own value */
    assert_int_equal(plan[0], 2);
    prepare(&t);
    t.launch.variable = variable;
    t.launch.variables = 3;
    variable[2].is_set = false; /* then there is no plan */
    assert_int_equal(run(&t, VARIABLES_PTX, 0, &err), GCAST_GPU);
    variable[2].is_set = true;
    variable[0].bytes = 8;
    assert_int_equal(run(&t, VARIABLES_PTX, 0, &err), GCAST_INPUT);
    assert_string_equal(err.message, "counts has 12 bytes on the GPU, not 8");
    variable[0].name = "other";
    assert_int_equal(run(&t, VARIABLES_PTX, 0, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the module has no variable other");
    unchanged(&t);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
}

static void test_the_compiler_complains(void **state)
{
    (void)state;
    gcast_error err;
    trial t;
    prepare(&t);
    assert_int_equal(run(&t, "wrong", 0, &err), GCAST_GPU);
    assert_string_equal(err.message, "cuModuleLoadDataEx: CUDA_ERROR_UNKNOWN: ptxas: line 1: wrong");
    unchanged(&t);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
    assert_int_equal(run(&t, "wrong", 0, NULL), GCAST_GPU);
}

static void test_no_such_kernel(void **state)
{
    (void)state;
    gcast_error err;
    trial t;
    prepare(&t);
    t.launch.kernel = "other";
    assert_int_equal(run(&t, "", 0, &err), GCAST_GPU);
    assert_string_equal(err.message, "cuModuleGetFunction: CUDA_ERROR_NOT_FOUND");
    assert_int_equal(stub_ask("stub_outstanding"), 0);
}

static void test_a_kernel_that_hangs(void **state)
{
    (void)state;
    gcast_error err;
    trial t;
    prepare(&t);
    setenv("STUB_HANG", "1", 1);
    assert_int_equal(run(&t, "", 3000000, &err), GCAST_GPU);
    assert_string_equal(err.message, "add_one still runs after 3 ms; given up");
    unchanged(&t);
}

static void test_no_driver(void **state)
{
    (void)state;
    gcast_error err;
    trial t;
    gcast_gpu_exec_options options = {.size = sizeof options, .library = "libno-such-driver.so"};
    prepare(&t);
    assert_int_equal(gcast_gpu_exec("", &t.launch, &options, &err), GCAST_GPU);
    assert_string_equal(err.message, "no usable GPU: libno-such-driver.so cannot be opened");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_buffers_come_back, stub_restart),
        cmocka_unit_test_setup(test_blocks_that_meet, stub_restart),
        cmocka_unit_test_setup(test_every_failure, stub_restart),
        cmocka_unit_test_setup(test_variables, stub_restart),
        cmocka_unit_test_setup(test_the_compiler_complains, stub_restart),
        cmocka_unit_test_setup(test_no_such_kernel, stub_restart),
        cmocka_unit_test_setup(test_a_kernel_that_hangs, stub_restart),
        cmocka_unit_test_setup(test_no_driver, stub_restart),
    };
    return cmocka_run_group_tests(tests, stub_open, stub_close);
}
