/* Systems of models that are made by calls: tasks on the GPU, as copies and kernels. */
#include <string.h>

#include "support/small_model.h"
#include "support/support.h"
#include "support/waters.h"

#define MS 1000000

/* A GPU of 1 GHz with 10 cycles a line. T triggers G, which copies In to the device, runs K, and copies Out back. */
typedef struct gpu_model {
    small b;
    gcast_gpu *gpu;
    int definition, unit, scheduler, memory, stimulus, task, up, kernel, down, in, in_device, out_device, out;
} gpu_model;

static int copying(gpu_model *g, const char *name, int from, int to)
{
    int r = model_runnable(g->b.m, name);
    runnable_does(g->b.m, r, item_access(from, false));
    runnable_does(g->b.m, r, item_access(to, true));
    task_does(g->b.m, g->task, item_call(r));
    return r;
}

static gpu_model gpu_model_new(void)
{
    gpu_model g = {.b = small_model(), .gpu = waters_gpu("tx2")};
    make_model *m = g.b.m;
    g.b.gpu = g.gpu;
    g.definition = model_definition(m, "Gpu_def", AM_UNIT_PROCESSOR, AM_PU_GPU);
    g.unit = model_unit(m, "Gpu", g.definition, 1e9);
    g.scheduler = model_scheduler(m, "Gpu_scheduler", AM_SCHEDULING_OTHER, &g.unit, 1);
    m->schedulers[g.scheduler].algorithm_name = "UserSpecificSchedulingAlgorithm";
    g.memory = model_unit(m, "Memory", model_definition(m, "Dram", AM_UNIT_MEMORY, AM_PU_UNKNOWN), 1e9);
    model_reaches(m, g.b.core, g.memory, 40, 40);
    model_reaches(m, g.unit, g.memory, 10, 10);
    g.in = model_label(m, "In", 6400);
    g.in_device = model_label(m, "In_device", 6400);
    g.out_device = model_label(m, "Out_device", 640);
    g.out = model_label(m, "Out", 640);
    g.stimulus = model_stimulus(m, "start_gpu", AM_STIMULUS_INTER_PROCESS, 0);
    g.task = model_task(m, "G", g.stimulus);
    model_allocate(m, g.task, g.scheduler, g.unit, 1);
    g.up = copying(&g, "Up", g.in, g.in_device);
    g.kernel = model_runnable(m, "K");
    am_item ticks = item_ticks(m, g.definition, 1000, 2001);
    item_ticks_add(m, &ticks, g.b.cpu, 5000, 6000);
    runnable_does(m, g.kernel, ticks);
    task_does(m, g.task, item_call(g.kernel));
    g.down = copying(&g, "Down", g.out_device, g.out);
    int r = small_runnable(&g.b, "R", 100, 200);
    runnable_does(m, r, item_access(g.in, true));
    runnable_does(m, r, item_access(g.out, false));
    task_does(m, g.b.task, item_call(r));
    task_does(m, g.b.task, item_trigger(g.stimulus));
    return g;
}

static void gpu_model_free(gpu_model *g, sys_system *s)
{
    small_free(&g->b, s);
    gcast_gpu_free(g->gpu);
}

static void gpu_refused(gpu_model *g, const sys_given *given, const char *text)
{
    small_refused(&g->b, given, text);
    gcast_gpu_free(g->gpu);
}

static sys_given filling(void)
{
    return (sys_given){.file = "", .switch_ns = -1, .fill = true};
}

static void check_op(const sys_system *s, const char *name, gcast_kind kind, int64_t min_ns, int64_t max_ns)
{
    const sys_step *step = system_step(s, name);
    assert_true(step->on_gpu);
    assert_int_equal(step->op.kind, kind);
    assert_string_equal(step->op.label, name);
    assert_int_equal(step->op.min_ns, min_ns);
    assert_int_equal(step->op.max_ns, max_ns);
}

static void test_copies(void **state)
{
    gpu_model g = gpu_model_new();
    sys_given given = filling();
    sys_system *s = small_system(&g.b, &given);
    (void)state;
    assert_int_equal(s->places[1].core, SYS_GPU);
    check_op(s, "Up", GCAST_KIND_COPY, 2000, 2000); /* 100 lines to read, 100 to write */
    check_op(s, "Down", GCAST_KIND_COPY, 200, 200);
    assert_int_equal(system_step(s, "Up")->op.direction, GCAST_H2D);
    assert_int_equal(system_step(s, "Up")->op.bytes, 6400);
    assert_int_equal(system_step(s, "Down")->op.direction, GCAST_D2H);
    assert_int_equal(system_step(s, "Down")->op.bytes, 640);
    assert_null(system_finding(s, "Which way"));
    /* on a core they are accesses to memory */
    assert_int_equal(system_step(s, "Up")->on[0].max_ns, 8000);
    assert_int_equal(system_step(s, "Up")->access[0].max_ns, 8000);
    assert_int_equal(s->choices[1].core_count, 2);
    gpu_model_free(&g, s);
}

/* Labels that do not tell: the order does. */
static void test_directions(void **state)
{
    gpu_model g = gpu_model_new();
    sys_given given = filling();
    (void)state;
    g.b.m->runnable_items[g.down].count = 0;
    runnable_does(g.b.m, g.down, item_access(g.out_device, false)); /* writes nothing */
    sys_system *s = small_system(&g.b, &given);
    assert_int_equal(system_step(s, "Down")->op.direction, GCAST_D2H);
    assert_int_equal(system_step(s, "Down")->op.bytes, 640);
    assert_non_null(system_finding(s, "Which way Down copies cannot be told from its labels"));
    gpu_model_free(&g, s);

    g = gpu_model_new();
    runnable_does(g.b.m, g.up, item_access(g.out, true)); /* writes on both sides */
    s = small_system(&g.b, &given);
    assert_int_equal(system_step(s, "Up")->op.direction, GCAST_H2D);
    assert_non_null(system_finding(s, "Which way Up copies cannot be told"));
    gpu_model_free(&g, s);
}

static void test_bandwidth(void **state)
{
    gpu_model g = gpu_model_new();
    sys_given given = filling();
    (void)state;
    g.b.m->units[g.unit].access_count = 0; /* 10 GB/s of the TX2, and its percent of slow copies */
    sys_system *s = small_system(&g.b, &given);
    int64_t percent = g.gpu->copy_slow_percent > 100 ? g.gpu->copy_slow_percent : 100;
    check_op(s, "Up", GCAST_KIND_COPY, 640, (640 * percent + 99) / 100);
    assert_non_null(system_finding(s, "copies take the time given by the bandwidth of tx2 (first: Up)"));
    system_free(s);
    g.gpu->h2d_bytes_per_s = 0;
    gpu_refused(&g, &given, "The time of Up is not known");
}

static void test_given_shapes(void **state)
{
    sys_given_kernel kernel = {.runnable = "K", .grid = {40, 1, 1}, .block = {256, 1, 1}, .registers = -1};
    sys_given given = {.file = "", .switch_ns = -1, .kernels = &kernel, .kernel_count = 1};
    gpu_model g = gpu_model_new();
    (void)state;
    sys_system *s = small_system(&g.b, &given); /* 16 at a time: three waves */
    check_op(s, "K", GCAST_KIND_KERNEL, 333, 667);
    assert_int_equal(system_step(s, "K")->op.blocks, 40);
    assert_int_equal(system_step(s, "K")->alone.min_ns, 999);
    assert_int_equal(system_step(s, "K")->alone.max_ns, 2001);
    assert_non_null(system_finding(s, "The model gives no registers per thread for K"));
    system_free(s);
    kernel.ticks = SYS_TICKS_OF_BLOCK;
    kernel.registers = 64; /* 4 blocks on an SM: five waves */
    kernel.shared_bytes = 8192;
    kernel.priority = -1;
    s = small_system(&g.b, &given);
    check_op(s, "K", GCAST_KIND_KERNEL, 1000, 2001);
    assert_int_equal(system_step(s, "K")->alone.max_ns, 5 * 2001);
    assert_int_equal(system_step(s, "K")->op.shape.registers, 64);
    assert_int_equal(system_step(s, "K")->op.shape.dynamic_smem, 8192);
    assert_int_equal(s->places[1].priority, 1);
    assert_null(system_finding(s, "registers"));
    system_free(s);
    kernel.fills = true;
    s = small_system(&g.b, &given);
    assert_int_equal(system_step(s, "K")->op.blocks, 16);
    system_free(s);
    kernel.fills = false;
    kernel.block[0] = 2048;
    gpu_refused(&g, &given, "Kernel K cannot run on tx2");
    g = gpu_model_new();
    kernel.block[0] = 256;
    kernel.grid[1] = 70000;
    gpu_refused(&g, &given, "K: its grid or its block is larger than CUDA takes");
    g = gpu_model_new();
    kernel.grid[1] = 0;
    gpu_refused(&g, &given, "K: its grid or its block is empty");
    g = gpu_model_new();
    kernel.runnable = "Kernel";
    gpu_refused(&g, &given, "The model has no runnable Kernel, for which --kernels gives the shape of a kernel");
}

static void test_properties(void **state)
{
    gpu_model g = gpu_model_new();
    (void)state;
    model_property(g.b.m, g.kernel, "gridcast.grid", "8 5");
    model_property(g.b.m, g.kernel, "gridcast.block", "16x16");
    model_property(g.b.m, g.kernel, "gridcast.registers", "32");
    model_property(g.b.m, g.kernel, "gridcast.shared", "8K");
    sys_system *s = small_system(&g.b, NULL);
    const gcast_op *op = &system_step(s, "K")->op;
    assert_int_equal(op->blocks, 40);
    assert_true(op->grid[1] == 5 && op->block[1] == 16 && op->shape.threads == 256);
    assert_true(op->shape.registers == 32 && op->shape.dynamic_smem == 8192);
    check_op(s, "K", GCAST_KIND_KERNEL, 333, 667); /* ticks are of the kernel */
    system_free(s);
    model_property(g.b.m, g.kernel, "gridcast.ticks", "block");
    s = small_system(&g.b, NULL);
    check_op(s, "K", GCAST_KIND_KERNEL, 1000, 2001);
    gpu_model_free(&g, s);

    g = gpu_model_new(); /* of the thesis: ticks are of a block */
    model_property(g.b.m, g.kernel, "GridSize", "20");
    s = small_system(&g.b, NULL);
    check_op(s, "K", GCAST_KIND_KERNEL, 1000, 2001);
    assert_true(system_step(s, "K")->op.blocks == 20 && system_step(s, "K")->op.shape.threads == 512);
    assert_non_null(system_finding(s, "has a GridSize, but no BlockSize: blocks of 512 threads are assumed"));
    system_free(s);
    model_property(g.b.m, g.kernel, "BlockSize", "128");
    s = small_system(&g.b, NULL);
    assert_int_equal(system_step(s, "K")->op.shape.threads, 128);
    assert_null(system_finding(s, "BlockSize"));
    gpu_model_free(&g, s);
}

static void test_bad_properties(void **state)
{
    static const struct {
        const char *key, *value, *text;
    } cases[] = {
        {"gridcast.grid", "many", "K: its custom property gridcast.grid is \"many\", and must be one to three"},
        {"gridcast.grid", "0", "must be one to three numbers from 1"},
        {"gridcast.grid", "1 2 3 4", "must be one to three numbers from 1"},
        {"gridcast.registers", "256", "must be a number from 0 to 255"},
        {"gridcast.shared", "a lot", "must be a size such as 8KiB"},
        {"gridcast.ticks", "thread", "must be kernel or block"},
        {"gridcast.block", NULL, "but no gridcast.block"},
        {"GridSize", "-3", "must be one to three numbers from 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpu_model g = gpu_model_new();
        bool grid = strcmp(cases[i].key, "gridcast.grid") == 0, thesis = strcmp(cases[i].key, "GridSize") == 0;
        if (cases[i].value)
            model_property(g.b.m, g.kernel, cases[i].key, cases[i].value);
        if (!grid && !thesis)
            model_property(g.b.m, g.kernel, "gridcast.grid", "8");
        if (strcmp(cases[i].key, "gridcast.block") != 0)
            model_property(g.b.m, g.kernel, "gridcast.block", "32");
        gpu_refused(&g, NULL, cases[i].text);
    }
}

/* What a task on the GPU must be. */
static void test_refused(void **state)
{
    sys_given given = filling();
    (void)state;
    gpu_model g = gpu_model_new();
    gpu_refused(&g, NULL,
                "Task G is mapped to the GPU, but cannot run there: the model does not give the shape of kernel K: "
                "give --kernels FILE, or --kernels fill for a kernel that fills the GPU");
    g = gpu_model_new();
    g.b.gpu = NULL;
    gpu_refused(&g, &given, "cannot run there: no GPU is named");
    g = gpu_model_new();
    g.b.m->tasks[g.task].stimuli = g.b.m->tasks[g.b.task].stimuli;
    gpu_refused(&g, &given, "it is not triggered by a task on a core");
    g = gpu_model_new();
    task_does(g.b.m, g.task, item_event(g.b.m, AM_ITEM_WAIT_EVENT, model_os_event(g.b.m, "E")));
    gpu_refused(&g, &given, "waits for event E, which no task sets");
    g = gpu_model_new();
    am_ticks *ticks = (am_ticks *)g.b.m->runnable_items[g.kernel].at[0].ticks;
    ticks[0].definition = g.b.cpu; /* nothing for the GPU */
    gpu_refused(&g, &given, "the model does not say how long K takes on the GPU");
    g = gpu_model_new();
    g.b.m->task_items[g.task].count = 0;
    gpu_refused(&g, &given, "it has no copies and no kernels");
    g = gpu_model_new();
    model_unit(g.b.m, "Gpu2", g.definition, 1e9);
    gpu_refused(&g, &given, "The model has several GPUs, Gpu and Gpu2");
}

/* On a core, with times for the GPU: a search may put it there if the shapes are known. */
static void test_possible(void **state)
{
    gpu_model g = gpu_model_new();
    sys_given given = filling();
    (void)state;
    g.b.m->allocations[1].affinity_count = 0;
    g.b.m->allocations[1].scheduler = g.b.scheduler;
    sys_system *s = small_system(&g.b, &given);
    assert_int_equal(s->places[1].core, 0);
    assert_int_equal(s->choices[1].core_count, 2);
    assert_int_equal(s->choices[1].cores[1], SYS_GPU);
    system_free(s);
    sys_given_task there = {.name = "G", .core = "gpu", .deadline_ns = -1};
    given.tasks = &there;
    given.task_count = 1;
    s = small_system(&g.b, &given);
    assert_int_equal(s->places[1].core, SYS_GPU);
    system_free(s);
    given.task_count = 0;
    s = small_system(&g.b, NULL);
    assert_int_equal(s->choices[1].core_count, 1);
    assert_non_null(system_finding(s,
                                   "Task G has times for the GPU, but cannot be put there: the model does not give the "
                                   "shape of kernel K"));
    assert_false(system_step(s, "Up")->on_gpu);
    system_free(s);
    am_ticks *ticks = (am_ticks *)g.b.m->runnable_items[g.kernel].at[0].ticks;
    ticks[0].definition = -1; /* a default is no time for the GPU, unless the task is put there */
    s = small_system(&g.b, &given);
    assert_int_equal(s->choices[1].core_count, 1);
    gpu_model_free(&g, s);
}

/* Steps that do nothing are none on the GPU; time slices. */
static void test_slices(void **state)
{
    am_parameter of_task = {"TimeSlice_G", "7200\xC2\xB5s", {"model.amxmi", 3}, false};
    am_parameter of_all[] = {{"minimumTimeslice", "1000 us", {"", 0}, false},
                             {"maximumTimeslice", "2 ms", {"", 0}, false}};
    gpu_model g = gpu_model_new();
    sys_given given = filling();
    (void)state;
    task_does(g.b.m, g.task, item_call(model_runnable(g.b.m, "Nothing")));
    g.b.m->schedulers[g.scheduler].parameters = of_all;
    g.b.m->schedulers[g.scheduler].parameter_count = 2;
    given.has_sharing = true;
    given.sharing = SYS_SLICES;
    given.switch_ns = 5;
    sys_system *s = small_system(&g.b, &given);
    assert_int_equal(s->tasks[1].step_count, 3);
    assert_true(s->sharing == SYS_SLICES && s->slice_ns == 2 * MS && s->switch_ns == 5);
    assert_non_null(system_finding(s, "Tasks on the GPU without a time slice get one of 2000 us"));
    system_free(s);
    g.b.m->allocations[1].parameters = &of_task;
    g.b.m->allocations[1].parameter_count = 1;
    s = small_system(&g.b, &given);
    assert_int_equal(s->tasks[1].slice_ns, 7200000);
    assert_null(system_finding(s, "without a time slice"));
    system_free(s);
    of_task.value = "long";
    gpu_refused(&g, &given, "The time slice TimeSlice_G is \"long\", which is not a time of at most a day");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),       cmocka_unit_test(test_directions), cmocka_unit_test(test_bandwidth),
        cmocka_unit_test(test_given_shapes), cmocka_unit_test(test_properties), cmocka_unit_test(test_bad_properties),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_possible),   cmocka_unit_test(test_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
