/* Models with GridSize, the thesis' way: f, R, u and U_t of its task sets. */
#include <stdlib.h>
#include <string.h>

#include "papers/thesis/thesis.h"
#include "papers/thesis/thesis_workload.h"
#include "support/make_model.h"
#include "support/support.h"
#include "support/waters.h"

#define MS 1000000

/* A kernel: ticks of a block and GridSize. */
typedef struct set_kernel {
    const char *name, *grid;
    int64_t ticks;
    int64_t f; /* when it ends, in ticks */
} set_kernel;

static const set_kernel example[] = {{"K1", "2", 4, 4}, {"K2", "7", 6, 10}, {"K3", "2", 6, 12}, {"K4", "5", 5, 11}};
static const set_kernel first[] = {{"K2", "7", 6, 6}, {"K3", "2", 6, 12}, {"K4", "5", 5, 11}, {"K1", "2", 4, 10}};
static const set_kernel second[] = {{"K2", "7", 6, 6}, {"K4", "5", 5, 11}, {"K1", "2", 4, 10}, {"K3", "2", 6, 12}};
static const set_kernel third[] = {{"K2", "7", 6, 6}, {"K1", "2", 4, 8}, {"K3", "2", 6, 12}, {"K4", "5", 5, 11}};
static const set_kernel sixth[] = {
    {"K4", "1", 11, 11}, {"K2", "7", 1, 1}, {"K3", "10", 4, 9}, {"K5", "3", 6, 11}, {"K1", "4", 2, 11}};
static const set_kernel seventh[] = {
    {"K5", "8", 25, 25}, {"K1", "5", 15, 40}, {"K4", "1", 40, 65}, {"K3", "7", 15, 55}, {"K2", "4", 15, 70}};

#define SET(s)                                                                                                         \
    {                                                                                                                  \
        s, sizeof(s) / sizeof *(s)                                                                                     \
    }
static const struct {
    const set_kernel *kernels;
    size_t count;
} sets[] = {SET(example), SET(first), SET(second), SET(third), SET(sixth), SET(seventh)};

static make_model *model_of(const set_kernel *kernels, size_t count)
{
    make_model *m = make_model_new();
    for (size_t i = 0; i < count; i++) {
        int r = model_runnable(m, kernels[i].name);
        runnable_does(m, r, item_ticks(m, -1, kernels[i].ticks, kernels[i].ticks));
        model_property(m, r, "GridSize", kernels[i].grid);
    }
    return m;
}

static const sys_given one_ms = {.file = "", .switch_ns = -1, .tick_ps = INT64_C(1000000000)};

static gcast_thesis *thesis_of(make_model *m, const gcast_gpu *gpu, gcast_workload **w, int64_t **periods)
{
    gcast_error err = {0};
    gcast_thesis *t;
    assert_ok(amalthea_thesis(model_done(m), gpu, &one_ms, w, periods, &err), &err);
    assert_ok(gcast_workload_check(*w, &err), &err);
    assert_ok(gcast_thesis_create(*w, gpu, *periods, &t, &err), &err);
    assert_null(t->why_not);
    return t;
}

static void free_all(make_model *m, gcast_workload *w, int64_t *periods, gcast_thesis *t)
{
    gcast_thesis_free(t);
    gcast_workload_free(w);
    free(periods);
    make_model_free(m);
}

/* Without hardware and tasks, as the thesis' generator makes them: in the order of the file. */
static void test_sets(void **state)
{
    gcast_gpu *gpu = waters_gpu("tx2");
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        make_model *m = model_of(sets[i].kernels, sets[i].count);
        gcast_workload *w;
        int64_t *periods;
        gcast_thesis *t = thesis_of(m, gpu, &w, &periods);
        assert_int_equal(t->pool.slots, 8);
        assert_int_equal(t->count, sets[i].count);
        assert_int_equal(t->period_count, 0);
        for (size_t k = 0; k < t->count; k++) {
            assert_string_equal(w->ops[t->ops[k]].label, sets[i].kernels[k].name);
            assert_int_equal(t->completions_ns[k], sets[i].kernels[k].f * MS);
            assert_int_equal(t->responses_ns[k], sets[i].kernels[k].f * MS);
        }
        free_all(m, w, periods, t);
    }
    gcast_gpu_free(gpu);
}

/* Called by tasks: in their order, with their periods. */
static void test_tasks(void **state)
{
    static const int64_t period_ms[] = {15, 20, 10, 12};
    static const int64_t thousandths[] = {273067, 1075200, 614400, 1066667}; /* C g b / T with b = 512 */
    gcast_gpu *gpu = waters_gpu("tx2");
    make_model *m = model_of(first, 4);
    gcast_workload *w;
    int64_t *periods;
    int order[] = {3, 0, 1, 2}, plain = model_runnable(m, "Plain"); /* K1 K2 K3 K4 */
    (void)state;
    for (int i = 0; i < 4; i++) {
        int task = model_task(m, "T", model_stimulus(m, "s", AM_STIMULUS_PERIODIC, period_ms[i] * MS));
        task_does(m, task, item_call(plain));
        task_does(m, task, item_call(order[i]));
    }
    gcast_thesis *t = thesis_of(m, gpu, &w, &periods);
    assert_int_equal(t->count, 4);
    assert_int_equal(t->period_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(w->ops[t->ops[i]].label, example[i].name);
        assert_int_equal(t->completions_ns[i], example[i].f * MS);
        assert_int_equal(t->periods_ns[i], period_ms[i] * MS);
        assert_int_equal(t->utilisations[i], thousandths[i]);
    }
    assert_int_equal(t->total_utilisation, 3029333);
    free_all(m, w, periods, t);
    gcast_gpu_free(gpu);
}

static void refused(make_model *m, const gcast_gpu *gpu, const sys_given *given, const char *text)
{
    gcast_error err = {0};
    gcast_workload *w;
    int64_t *periods;
    assert_int_equal(amalthea_thesis(model_done(m), gpu, given, &w, &periods, &err), GCAST_INPUT);
    assert_null(w);
    assert_null(periods);
    if (!strstr(err.message, text))
        fail_msg("\"%s\" does not say \"%s\"", err.message, text);
    make_model_free(m);
}

static void test_refused(void **state)
{
    gcast_gpu *gpu = waters_gpu("tx2");
    (void)state;
    refused(model_of(example, 4), gpu, NULL, "give --tick TIME");
    refused(make_model_new(), gpu, &one_ms, "No runnable has the custom property GridSize");
    make_model *m = model_of(example, 4);
    m->runnable_items[0].at[0].tick_count = 0;
    refused(m, gpu, &one_ms, "The model does not say how long kernel K1 takes on the GPU");
    m = model_of(example, 4);
    model_property(m, 0, "BlockSize", "2000");
    refused(m, gpu, &one_ms, "Kernel K1 cannot run on tx2");
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_tasks),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
