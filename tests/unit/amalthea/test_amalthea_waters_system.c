/* The WATERS 2019 challenge as a system: the same from every version of the schema, its GPU tasks, and what is
 * doubtful in it. */
#include <string.h>

#include "support/support.h"
#include "support/waters.h"

#define MS 1000000

static void same_range(sys_range a, sys_range b)
{
    assert_int_equal(a.min_ns, b.min_ns);
    assert_int_equal(a.max_ns, b.max_ns);
}

static void same_op(const gcast_op *a, const gcast_op *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_string_equal(a->label, b->label);
    assert_memory_equal(a->grid, b->grid, sizeof a->grid);
    assert_memory_equal(a->block, b->block, sizeof a->block);
    assert_true(a->blocks == b->blocks && a->shape.threads == b->shape.threads);
    assert_true(a->shape.registers == b->shape.registers && a->shape.dynamic_smem == b->shape.dynamic_smem);
    assert_int_equal(a->min_ns, b->min_ns);
    assert_int_equal(a->max_ns, b->max_ns);
    assert_int_equal(a->direction, b->direction);
    assert_int_equal(a->bytes, b->bytes);
}

static void same_step(const sys_system *s, const sys_step *a, const sys_step *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->task, b->task);
    assert_int_equal(a->on_gpu, b->on_gpu);
    if (a->kind != SYS_RUN)
        return;
    for (size_t k = 0; k < s->kind_count; k++) {
        same_range(a->on[k], b->on[k]);
        same_range(a->access[k], b->access[k]);
    }
    if (!a->on_gpu)
        return;
    same_op(&a->op, &b->op);
    same_range(a->alone, b->alone);
}

static void same_task(const sys_system *s, const sys_task *a, const sys_task *b)
{
    assert_string_equal(a->name, b->name);
    assert_true(a->isr == b->isr && a->arrival == b->arrival && a->preemption == b->preemption);
    assert_int_equal(a->period_ns, b->period_ns);
    assert_int_equal(a->offset_ns, b->offset_ns);
    assert_int_equal(a->jitter_ns, b->jitter_ns);
    assert_true(a->trigger == b->trigger && a->trigger_step == b->trigger_step);
    assert_true(a->root == b->root && a->waiter == b->waiter);
    assert_int_equal(a->deadline_ns, b->deadline_ns);
    assert_string_equal(a->deadline_name, b->deadline_name);
    assert_int_equal(a->slice_ns, b->slice_ns);
    assert_int_equal(a->step_count, b->step_count);
    for (size_t i = 0; i < a->step_count; i++)
        same_step(s, &a->steps[i], &b->steps[i]);
}

static void same_place(const sys_place *a, const sys_place *b, const sys_choice *c, const sys_choice *d)
{
    assert_true(a->core == b->core && a->priority == b->priority && a->busy == b->busy);
    assert_true(c->may_busy == d->may_busy && c->may_suspend == d->may_suspend && c->core_count == d->core_count);
    for (size_t i = 0; i < c->core_count; i++)
        assert_int_equal(c->cores[i], d->cores[i]);
}

static void same_system(const sys_system *a, const sys_system *b)
{
    assert_true(a->kind_count == b->kind_count && a->core_count == b->core_count && a->task_count == b->task_count);
    for (size_t i = 0; i < a->kind_count; i++)
        assert_string_equal(a->kinds[i], b->kinds[i]);
    for (size_t i = 0; i < a->core_count; i++) {
        assert_string_equal(a->cores[i].name, b->cores[i].name);
        assert_int_equal(a->cores[i].kind, b->cores[i].kind);
    }
    assert_string_equal(a->gpu_name, b->gpu_name);
    assert_int_equal(a->sharing, b->sharing);
    assert_int_equal(a->slice_ns, b->slice_ns);
    assert_int_equal(a->switch_ns, b->switch_ns);
    for (size_t i = 0; i < a->task_count; i++) {
        same_task(a, &a->tasks[i], &b->tasks[i]);
        same_place(&a->places[i], &b->places[i], &a->choices[i], &b->choices[i]);
    }
    assert_int_equal(a->chain_count, b->chain_count);
    assert_int_equal(a->finding_count, b->finding_count);
    for (size_t i = 0; i < a->finding_count; i++) {
        assert_string_equal(a->findings[i].text, b->findings[i].text);
        assert_int_equal(a->findings[i].doubtful, b->findings[i].doubtful);
    }
}

static void test_versions(void **state)
{
    static const char *const others[] = {"waters-2019-0.9.9.amxmi", "waters-2019-1.0.0.amxmi",
                                         "waters-2019-2.0.0.amxmi"};
    gcast_gpu *gpu = waters_gpu("tx2");
    sys_given given = waters_published();
    (void)state;
    sys_system *first = waters_system("waters-2019-0.9.8.amxmi", gpu, &given);
    assert_int_equal(first->task_count, 14);
    for (size_t i = 0; i < 3; i++) {
        sys_system *s = waters_system(others[i], gpu, &given);
        same_system(first, s);
        system_free(s);
    }
    system_free(first);
    first = waters_system("mapped-1.0.0.amxmi", gpu, &given);
    sys_system *s = waters_system("mapped-2.0.0.amxmi", gpu, &given);
    for (size_t i = 0; i < first->task_count; i++)
        same_task(first, &first->tasks[i], &s->tasks[i]);
    system_free(s);
    system_free(first);
    gcast_gpu_free(gpu);
}

/* Tasks in the order of the file: period, core, deadline, waiting, choices. */
static const struct {
    const char *name, *core;
    int period_ms, deadline_ms;
    bool busy;
    size_t steps, choices;
} expected[] = {
    {"OS_Overhead", "Core0", 100, 0, false, 1, 6},
    {"Lidar_Grabber", "Core1", 33, 33, false, 1, 6},
    {"DASM", "Core0", 5, 5, false, 1, 6},
    {"CANbus_polling", "Core0", 10, 10, false, 1, 6},
    {"EKF", "Core4", 15, 15, false, 1, 6},
    {"Planner", "Core3", 15, 12, false, 1, 6},
    {"PRE_SFM_gpu_POST", "Core0", 33, 33, true, 4, 6},
    {"PRE_Localization_gpu_POST", "Core0", 400, 400, true, 4, 6},
    {"PRE_Lane_detection_gpu_POST", "Core5", 66, 200, true, 4, 6},
    {"PRE_Detection_gpu_POST", "Core5", 200, 66, false, 5, 6},
    {"SFM", NULL, 33, 0, false, 3, 7},
    {"Localization", NULL, 400, 0, false, 3, 7},
    {"Lane_detection", NULL, 66, 0, false, 3, 7},
    {"Detection", NULL, 200, 0, false, 3, 1},
};

static void test_tasks(void **state)
{
    gcast_gpu *gpu = waters_gpu("tx2");
    sys_given given = waters_filling();
    sys_system *s = waters_system("waters-2019-2.0.0.amxmi", gpu, &given);
    (void)state;
    assert_string_equal(s->name, "waters-2019-2.0.0");
    assert_string_equal(s->gpu_name, "GP10B");
    assert_ptr_equal(s->gpu, gpu);
    for (size_t i = 0; i < s->task_count; i++) {
        const sys_task *t = &s->tasks[i];
        assert_string_equal(t->name, expected[i].name);
        assert_int_equal(s->places[i].core, expected[i].core ? system_core(s, expected[i].core) : SYS_GPU);
        assert_int_equal(t->period_ns, (int64_t)expected[i].period_ms * MS);
        assert_int_equal(t->deadline_ns, (int64_t)expected[i].deadline_ms * MS);
        assert_int_equal(s->places[i].busy, expected[i].busy);
        assert_int_equal(t->step_count, expected[i].steps);
        assert_int_equal(s->choices[i].core_count, expected[i].choices);
        assert_int_equal(t->arrival, expected[i].core ? SYS_PERIODIC : SYS_TRIGGERED);
    }
    const sys_task *detection = &s->tasks[system_task(s, "Detection")];
    int pre = system_task(s, "PRE_Detection_gpu_POST");
    assert_int_equal(detection->trigger, pre);
    assert_int_equal(detection->trigger_step, 1);
    assert_int_equal(detection->waiter, pre);
    assert_int_equal(detection->root, pre);
    assert_int_equal(detection->slice_ns, 50 * MS);
    assert_int_equal(s->tasks[system_task(s, "SFM")].slice_ns, 7200000);
    assert_int_equal(s->slice_ns, 50 * MS);
    assert_int_equal(s->sharing, SYS_ONE_CONTEXT);
    assert_int_equal(system_step(s, "Detection_Function")->on[0].min_ns, SYS_NEVER);
    system_free(s);
    gcast_gpu_free(gpu);
}

static void check_copy(const sys_system *s, const char *name, gcast_direction direction, int64_t bytes, int64_t lines)
{
    const sys_step *step = system_step(s, name);
    assert_true(step->on_gpu);
    assert_int_equal(step->op.kind, GCAST_KIND_COPY);
    assert_int_equal(step->op.direction, direction);
    assert_int_equal(step->op.bytes, bytes);
    assert_int_equal(step->op.min_ns, 3 * lines);
    assert_int_equal(step->op.max_ns, 3 * lines);
    same_range(step->alone, (sys_range){3 * lines, 3 * lines});
}

static void test_gpu_tasks(void **state)
{
    gcast_gpu *gpu = waters_gpu("tx2");
    sys_given given = waters_published();
    sys_system *s = waters_system("waters-2019-1.0.0.amxmi", gpu, &given);
    (void)state;
    check_copy(s, "SFM_host_to_device", GCAST_H2D, 2000256, 2 * (31251 + 5));
    check_copy(s, "SFM_device_to_host", GCAST_D2H, 24000, 2 * 376);
    check_copy(s, "Localization_host_to_device", GCAST_H2D, 1501000, 2 * (23438 + 16));
    check_copy(s, "Localization_device_to_host", GCAST_D2H, 3000, 2 * 3 * 16);
    check_copy(s, "Detection_device_to_host", GCAST_D2H, 750000, 2 * 11719);
    const sys_step *kernel = system_step(s, "SFM_Function");
    assert_int_equal(kernel->op.kind, GCAST_KIND_KERNEL);
    assert_int_equal(kernel->op.blocks, 16); /* eight blocks of 256 threads on each of two SMs */
    same_range((sys_range){kernel->op.min_ns, kernel->op.max_ns}, (sys_range){7050000, 7900000});
    system_free(s);

    given = waters_filling(); /* 5 cycles of 1.5 GHz and 64 B at 20 GB/s a line, ceil */
    s = waters_system("waters-2019-1.0.0.amxmi", gpu, &given);
    const sys_step *copy = system_step(s, "Detection_host_to_device");
    same_range((sys_range){copy->op.min_ns, copy->op.max_ns}, (sys_range){408333, 408334});
    system_free(s);
    gcast_gpu_free(gpu);
}

static void check_doubt(const sys_system *s, const char *text)
{
    const sys_finding *f = system_finding(s, text);
    if (!f)
        fail_msg("no finding says: %s", text);
    assert_true(f->doubtful);
}

static void test_quirks(void **state)
{
    gcast_gpu *gpu = waters_gpu("tx2");
    sys_given given = waters_filling();
    sys_system *s = waters_system("waters-2019-0.9.8.amxmi", gpu, &given);
    (void)state;
    check_doubt(s, "Two deadlines look swapped: Deadline_Task_Detection (200ms) limits PRE_Lane_detection_gpu_POST, "
                   "and Deadline_Task_Lane_Detection (66ms) limits PRE_Detection_gpu_POST.");
    check_doubt(s, "Task Planner takes up to 13.642691ms alone on Core3, more than its deadline of 12ms");
    check_doubt(s, "Task CANbus_polling is bound to Core0, but its scheduler Scheduler_A57 is responsible for Core2, "
                   "Core3, Core4 and Core5: Core0 is used.");
    check_doubt(s, "Task DASM is bound to Core0");
    check_doubt(s, "Task OS_Overhead is bound to Core0");
    check_doubt(s, "Scheduler Scheduler_A57 runs on Core0, but is responsible for Core2");
    check_doubt(s, "The model gives no deadline for OS_Overhead.");
    check_doubt(s, "Core0 is overloaded");
    check_doubt(s, "Labels are marked as constant, but written: Matrix_SFM_host");
    check_doubt(s, "Label NN_weights (142 MB) is never read or written.");
    assert_non_null(system_finding(s, "On Core0 all priorities are equal"));
    assert_non_null(system_finding(s, "Task PRE_SFM_gpu_POST may run on Core0 and Core1: Core0 is assumed."));
    assert_non_null(system_finding(s, "The model has time slices for the GPU,"));
    assert_non_null(system_finding(s, "contention with other cores and the GPU is not included"));
    assert_non_null(system_finding(s, "assumed to fill the GPU: SFM_Function"));
    const sys_finding *planner = system_finding(s, "Task Planner takes");
    assert_int_equal(planner->line, 39);
    assert_non_null(strstr(planner->file, "waters-2019-0.9.8.amxmi"));
    system_free(s);

    given = waters_published();
    s = waters_system("mapped-2.0.0.amxmi", gpu, &given);
    assert_null(system_finding(s, "swapped"));
    assert_null(system_finding(s, "is bound to"));
    assert_null(system_finding(s, "contention"));
    check_doubt(s, "Task PRE_Localization_gpu_POST holds Core3 while it waits for Localization, which is on Core3 too");
    system_free(s);
    gcast_gpu_free(gpu);
}

/* Another GPU than the model's, slices, and things that are said about it beside the model. */
static void test_other_gpu(void **state)
{
    gcast_gpu *gpu = waters_gpu("h200");
    sys_given given = waters_filling();
    given.has_sharing = true;
    given.sharing = SYS_SLICES;
    sys_system *s = waters_system("waters-2019-2.0.0.amxmi", gpu, &given);
    (void)state;
    assert_non_null(system_finding(s, "The model's GPU has 2 SMs, but the named GPU (h200) has 132"));
    assert_null(system_finding(s, "The model has time slices for the GPU,"));
    assert_non_null(system_finding(s, "The model does not say how long the GPU takes to switch contexts"));
    assert_int_equal(s->sharing, SYS_SLICES);
    assert_int_equal(s->switch_ns, 200000);
    assert_int_equal(system_step(s, "SFM_Function")->op.blocks, 132 * 8);
    system_free(s);
    gcast_gpu_free(gpu);
}

static void check_refused(const gcast_gpu *gpu, const sys_given *given, const char *text)
{
    const char *paths[] = {SOURCE_DIR "/tests/data/amalthea/waters/waters-2019-0.9.8.amxmi"};
    gcast_error err = {0};
    am_model *m;
    sys_system *s;
    assert_ok(amalthea_read(paths, 1, &m, &err), &err);
    assert_int_equal(amalthea_system(m, gpu, given, &s, &err), GCAST_INPUT);
    assert_null(s);
    if (!strstr(err.message, text))
        fail_msg("\"%s\" does not say \"%s\"", err.message, text);
    assert_non_null(strstr(err.file, "waters-2019-0.9.8.amxmi"));
    amalthea_free(m);
}

static void test_refused(void **state)
{
    gcast_gpu *gpu = waters_gpu("tx2");
    (void)state;
    check_refused(gpu, NULL,
                  "the model does not give the shape of kernel SFM_Function: give --kernels FILE, or --kernels fill");
    check_refused(NULL, NULL, "no GPU is named: give --gpu NAME");
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions), cmocka_unit_test(test_tasks),     cmocka_unit_test(test_gpu_tasks),
        cmocka_unit_test(test_quirks),   cmocka_unit_test(test_other_gpu), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
