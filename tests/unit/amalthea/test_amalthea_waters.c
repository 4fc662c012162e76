/* The WATERS 2019 challenge in every version of the schema that it is in. */
#include <stdio.h>
#include <string.h>

#include "amalthea/mapping_check.h"
#include "support/amalthea.h"

static const char *const versions[] = {"0.9.8", "0.9.9", "1.0.0", "2.0.0"};

static am_model *waters(size_t version)
{
    char name[64];
    snprintf(name, sizeof name, "waters/waters-2019-%s.amxmi", versions[version]);
    return amalthea_file(name);
}

#define EACH(m) for (size_t v = 0; v < 4 && (m = waters(v)); v++, amalthea_free(m))

static void test_counts(void **state)
{
    (void)state;
    am_model *m;
    EACH(m)
    {
        assert_string_equal(m->version, versions[v]);
        assert_int_equal(m->file_count, 1);
        assert_int_equal(m->task_count, 14);
        assert_int_equal(m->runnable_count, 27);
        assert_int_equal(m->label_count, 30);
        assert_int_equal(m->stimulus_count, 12);
        assert_int_equal(m->os_event_count, 4);
        assert_int_equal(m->definition_count, 7);
        assert_int_equal(m->unit_count, 12);
        assert_int_equal(m->scheduler_count, 3);
        assert_int_equal(m->allocation_count, 14);
        assert_int_equal(m->limit_count, 9);
        assert_int_equal(m->chain_count, 0);
    }
}

/* Ticks of a runnable's only item of that kind, on one definition. */
static const am_value *ticks_on(const am_model *m, const char *runnable, const char *definition)
{
    const am_runnable *f = amalthea_runnable(m, runnable);
    for (size_t i = 0; i < f->item_count; i++)
        for (size_t t = 0; t < f->items[i].tick_count; t++)
            if (strcmp(m->definitions[f->items[i].ticks[t].definition].name, definition) == 0)
                return &f->items[i].ticks[t].value;
    return NULL;
}

static void test_ticks(void **state)
{
    (void)state;
    am_model *m;
    EACH(m)
    {
        const am_value *lidar = ticks_on(m, "Lidar_Function", "A57");
        assert_int_equal(lidar->lower, 20320000); /* 10.160 ms at 2 GHz */
        assert_int_equal(lidar->upper, 27320000); /* 13.660 ms */
        assert_int_equal(lidar->kind, AM_STATISTICS);
        assert_true(lidar->bounded_below && lidar->bounded_above);
        assert_float_equal(lidar->average, 23520000, 1e-6);
        assert_int_equal(ticks_on(m, "SFM_Function", "GPU_def")->upper, 11850000); /* 7.9 ms at 1.5 GHz */
        assert_int_equal(ticks_on(m, "Detection_Function", "GPU_def")->lower, 162000000);
        assert_null(ticks_on(m, "Detection_Function", "A57"));
        assert_int_equal(ticks_on(m, "OS_Ops_Function", "Denver")->lower, 100000000);
        assert_int_equal(ticks_on(m, "AsyncOffloadingCosts", "A57")->kind, AM_CONSTANT);
        assert_int_equal(ticks_on(m, "AsyncOffloadingCosts", "A57")->upper, 5000); /* 2.5 us */
    }
}

static void test_offloading(void **state)
{
    (void)state;
    am_model *m;
    EACH(m)
    {
        const am_task *t = amalthea_task(m, "PRE_SFM_gpu_POST");
        assert_false(t->isr);
        assert_int_equal(t->preemption, AM_PREEMPTION_PREEMPTIVE);
        assert_int_equal(t->item_count, 1);
        const am_item *items = t->items[0].items;
        assert_int_equal(t->items[0].kind, AM_ITEM_GROUP);
        assert_string_equal(t->items[0].name, "CallSequence");
        assert_false(t->items[0].unordered);
        assert_int_equal(t->items[0].item_count, 5);
        assert_int_equal(items[0].kind, AM_ITEM_CALL);
        assert_string_equal(m->runnables[items[0].runnable].name, "SFM_Preprocessing");
        assert_int_equal(items[1].kind, AM_ITEM_TRIGGER);
        assert_string_equal(m->stimuli[items[1].stimulus].name, "SFM_stim");
        assert_int_equal(items[2].kind, AM_ITEM_WAIT_EVENT);
        assert_true(items[2].active);
        assert_int_equal(items[2].event_count, 1);
        assert_string_equal(m->os_events[items[2].events[0]], "SFM");
        assert_int_equal(items[3].kind, AM_ITEM_CLEAR_EVENT);
        assert_false(amalthea_task(m, "PRE_Detection_gpu_POST")->items[0].items[2].active);
        const am_task *kernel = amalthea_task(m, "SFM");
        const am_item *last = &kernel->items[0].items[3];
        assert_int_equal(last->kind, AM_ITEM_SET_EVENT);
        assert_ptr_equal(&m->tasks[last->process], t);
        assert_int_equal(m->stimuli[kernel->stimuli[0]].kind, AM_STIMULUS_INTER_PROCESS);
    }
}

static void test_hardware(void **state)
{
    (void)state;
    am_model *m;
    EACH(m)
    {
        const am_unit *gpu = amalthea_unit(m, "GP10B"), *core = amalthea_unit(m, "Core2");
        const am_definition *d = &m->definitions[gpu->definition];
        assert_int_equal(gpu->kind, AM_UNIT_PROCESSOR);
        assert_true(gpu->frequency == 1.5e9 && core->frequency == 2e9);
        assert_int_equal(d->pu, AM_PU_GPU);
        assert_int_equal(d->feature_count, 2);
        assert_string_equal(d->features[1].category, "SMs");
        assert_string_equal(d->features[1].name, "SM_2");
        assert_true(d->features[1].value == 2 && d->features[0].value == 128);
        assert_int_equal(m->definitions[core->definition].pu, AM_PU_CPU);
        assert_int_equal(core->accesses[0].read_latency.lower, 40);
        assert_int_equal(gpu->accesses[0].write_latency.upper, 5);
        assert_true(gpu->accesses[0].data_rate == 160e9); /* 20 GB/s in bits */
        assert_true(core->accesses[0].data_rate == 0 && !core->accesses[0].has_path);
        assert_string_equal(m->units[gpu->accesses[0].destination].name, "SYSTEM_DRAM");
        const am_definition *cache = &m->definitions[amalthea_unit(m, "L2_GP10B")->definition];
        assert_int_equal(cache->kind, AM_UNIT_CACHE);
        assert_int_equal(cache->size_bits, 512 * 8000);
        assert_int_equal(cache->line_bits, 512);
        assert_int_equal(amalthea_label(m, "Image_SFM_host")->bits, 16000000);
        assert_true(&m->units[amalthea_label(m, "NN_weights")->memory] == amalthea_unit(m, "SYSTEM_DRAM"));
    }
}

static void test_mapping(void **state)
{
    (void)state;
    am_model *m;
    EACH(m)
    {
        const am_scheduler *a57 = amalthea_scheduler(m, "Scheduler_A57"), *gpu = amalthea_scheduler(m, "GPU_Sched");
        assert_int_equal(a57->algorithm, AM_SCHEDULING_FIXED_PRIORITY);
        assert_int_equal(a57->unit_count, 4);
        assert_string_equal(m->units[a57->units[3]].name, "Core5");
        assert_string_equal(m->units[a57->executing_unit].name, "Core0"); /* as the model has it */
        assert_int_equal(gpu->algorithm, AM_SCHEDULING_OTHER);
        assert_int_equal(gpu->parameter_count, 2);
        assert_string_equal(gpu->parameters[0].key, "minimumTimeslice");
        assert_string_equal(gpu->parameters[0].value, "1000 \xc2\xb5s");
        const am_allocation *dasm = amalthea_allocation(m, "DASM"), *sfm = amalthea_allocation(m, "SFM");
        assert_true(dasm->has_priority && dasm->priority == 1);
        assert_int_equal(dasm->affinity_count, 1);
        assert_string_equal(m->units[dasm->affinity[0]].name, "Core0");
        assert_ptr_equal(&m->schedulers[dasm->scheduler], a57);
        assert_false(sfm->has_priority);
        assert_string_equal(sfm->parameters[0].key, "TimeSlice_SFM");
        assert_string_equal(sfm->parameters[0].value, "7200\xc2\xb5s");
        assert_int_equal(amalthea_allocation(m, "PRE_SFM_gpu_POST")->affinity_count, 2);
    }
}

/* Two deadlines are swapped in the original, and not in the mapped one. */
static void test_deadlines(void **state)
{
    (void)state;
    am_model *m;
    EACH(m)
    {
        const am_limit *l = &m->limits[6];
        assert_string_equal(l->name, "Deadline_Task_Detection");
        assert_int_equal(l->kind, AM_LIMIT_PROCESS);
        assert_int_equal(l->metric, AM_METRIC_RESPONSE);
        assert_string_equal(m->tasks[l->entity].name, "PRE_Lane_detection_gpu_POST");
        assert_int_equal(l->upper_ps, 200000000000);
        assert_int_equal(l->lower_ps, -1);
    }
    m = amalthea_file("waters/mapped-2.0.0.amxmi");
    assert_string_equal(m->tasks[m->limits[6].entity].name, "PRE_Detection_gpu_POST");
    amalthea_free(m);
}

/* What a version says and its migrated twin says are one model, but for the name of an algorithm. */
static void test_twins(void **state)
{
    (void)state;
    am_model *first = waters(0), *m;
    EACH(m)
    {
        am_scheduler *schedulers = (am_scheduler *)m->schedulers;
        schedulers[1].algorithm_name = first->schedulers[1].algorithm_name;
        m->version = first->version;
        assert_true(same_but_places(first, m));
        for (size_t i = 0; i < m->allocation_count; i++)
            assert_true(same_allocation(&first->allocations[i], &m->allocations[i]));
    }
    amalthea_free(first);
}

static void test_mapped_twins(void **state)
{
    (void)state;
    am_model *old = amalthea_file("waters/mapped-1.0.0.amxmi"), *new = amalthea_file("waters/mapped-2.0.0.amxmi");
    am_scheduler *schedulers = (am_scheduler *)new->schedulers;
    schedulers[1].algorithm_name = old->schedulers[1].algorithm_name;
    new->version = old->version;
    assert_true(same_but_places(old, new));
    for (size_t i = 0; i < old->allocation_count; i++) /* a priority of 0 was lost when the model was migrated */
        if (strcmp(old->tasks[old->allocations[i].task].name, "OS_Overhead") != 0)
            assert_true(same_allocation(&old->allocations[i], &new->allocations[i]));
    assert_true(amalthea_allocation(old, "OS_Overhead")->has_priority);
    assert_false(amalthea_allocation(new, "OS_Overhead")->has_priority);
    assert_int_equal(amalthea_allocation(new, "OS_Overhead")->priority, 0);
    assert_string_equal(old->units[amalthea_allocation(old, "Planner")->affinity[0]].name, "Core0");
    assert_int_equal(amalthea_allocation(new, "Planner")->priority, 9);
    amalthea_free(old);
    amalthea_free(new);
}

static void test_safety(void **state)
{
    (void)state;
    am_model *m = amalthea_file("waters/mapped-safety-1.0.0.amxmi");
    assert_int_equal(m->runnable_count, 28);
    const am_item *choice = NULL;
    for (size_t r = 0; r < m->runnable_count; r++)
        for (size_t i = 0; i < m->runnables[r].item_count; i++)
            if (m->runnables[r].items[i].kind == AM_ITEM_SWITCH)
                choice = &m->runnables[r].items[i];
    assert_non_null(choice);
    assert_int_equal(choice->item_count, 2);
    assert_float_equal(choice->items[0].probability, 0.01, 1e-12);
    assert_float_equal(choice->items[1].probability, 0.99, 1e-12);
    assert_int_equal(choice->items[0].item_count, 0);
    assert_int_equal(choice->items[1].item_count, 3);
    assert_int_equal(m->event_count, 4);
    assert_int_equal(m->events[0].kind, AM_EVENT_OTHER);
    assert_int_equal(amalthea_unknown(m, "events:CustomEvent")->meaning, AM_UNUSED_HARMLESS);
    assert_int_equal(amalthea_unknown(m, "labels/customProperties")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
}

/* All that is left out says nothing about times, or is a condition of its own: how accesses share a connection. */
static void test_unknown(void **state)
{
    (void)state;
    am_model *m;
    EACH(m)
    {
        size_t harmful = 0;
        for (size_t i = 0; i < m->unknown_count; i++)
            harmful += m->unknown[i].meaning != AM_UNUSED_HARMLESS;
        assert_int_equal(harmful, 0);
        const am_unknown *u = amalthea_unknown(m, "definitions:ConnectionHandlerDefinition, attribute policy");
        assert_int_equal(u->meaning, AM_UNUSED_HARMLESS);
        assert_int_equal(u->count, 1);
        assert_int_equal(u->at.line, 599);
        assert_non_null(strstr(u->at.file, versions[v]));
        assert_int_equal(amalthea_unknown(m, "labels, attribute bVolatile")->count, 30);
        assert_int_equal(amalthea_unknown(m, "modules/ports")->meaning, AM_UNUSED_HARMLESS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),   cmocka_unit_test(test_ticks),        cmocka_unit_test(test_offloading),
        cmocka_unit_test(test_hardware), cmocka_unit_test(test_mapping),      cmocka_unit_test(test_deadlines),
        cmocka_unit_test(test_twins),    cmocka_unit_test(test_mapped_twins), cmocka_unit_test(test_safety),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
