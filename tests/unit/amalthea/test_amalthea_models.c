/* Models of others: what each has, and what is not understood of it. */
#include <stdio.h>
#include <string.h>

#include "support/amalthea.h"

typedef struct model_counts {
    const char *name, *version;
    size_t tasks, runnables, labels, stimuli, units, schedulers, allocations, events, chains, limits;
    size_t harmful; /* kinds of things that are not understood */
} model_counts;

static const model_counts models[] = {
    {"app4mc/NumericModes.amxmi", "0.9.5", 4, 4, 0, 3, 0, 0, 0, 1, 0, 0, 2},
    {"app4mc/hierarchicalExample.amxmi", "0.9.5", 8, 0, 0, 0, 2, 5, 8, 0, 0, 0, 0},
    {"app4mc/partitioned_fpp.amxmi", "0.9.5", 8, 0, 0, 0, 2, 5, 8, 0, 0, 0, 0},
    {"app4mc/model_1.amxmi", "0.9.5", 4, 10, 0, 4, 3, 2, 4, 0, 0, 4, 0},
    {"app4mc/model_2.amxmi", "0.9.5", 4, 7, 0, 4, 2, 1, 4, 0, 0, 4, 0},
    {"app4mc/e_e_architecture.amxmi", "0.9.5", 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0},
    {"app4mc/modeling_example_client_server_2.amxmi", "0.9.5", 2, 11, 0, 2, 2, 1, 2, 16, 0, 0, 0},
    {"app4mc/AMALTHEA_Democar_MappingExample-hw.amxmi", "0.9.5", 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0},
    {"app4mc/IMX6.amxmi", "0.9.5", 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0},
    {"toro/example.amxmi", "0.9.9", 13, 4, 9, 5, 7, 3, 13, 13, 4, 18, 1},
    {"toro/model.amxmi", "0.9.9", 16, 0, 6, 14, 9, 5, 16, 20, 6, 17, 2},
    {"rcm/NXP_MPC5744P_BBW_noMeasurements.amxmi", "0.9.7", 11, 11, 10, 11, 1, 1, 11, 11, 4, 15, 1},
};

static void test_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        const model_counts *c = &models[i];
        am_model *m = amalthea_file(c->name);
        size_t harmful = 0;
        for (size_t u = 0; u < m->unknown_count; u++)
            harmful += m->unknown[u].meaning != AM_UNUSED_HARMLESS;
        char found[300], expected[300];
        snprintf(found, sizeof found, "%s: %s, %zu %zu %zu %zu, %zu %zu %zu, %zu %zu %zu, %zu", c->name, m->version,
                 m->task_count, m->runnable_count, m->label_count, m->stimulus_count, m->unit_count, m->scheduler_count,
                 m->allocation_count, m->event_count, m->chain_count, m->limit_count, harmful);
        snprintf(expected, sizeof expected, "%s: %s, %zu %zu %zu %zu, %zu %zu %zu, %zu %zu %zu, %zu", c->name,
                 c->version, c->tasks, c->runnables, c->labels, c->stimuli, c->units, c->schedulers, c->allocations,
                 c->events, c->chains, c->limits, c->harmful);
        assert_string_equal(found, expected);
        amalthea_free(m);
    }
}

/* A lower bound above the upper one is in the model of an ECU. */
static void test_ecu(void **state)
{
    (void)state;
    static const char *const paths[] = {AMALTHEA_DATA "app4mc/ecu.amxmi"};
    am_model *m;
    gcast_error err;
    assert_int_equal(amalthea_read(paths, 1, &m, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the lower bound is above the upper one");
    assert_string_equal(err.path, "/hwModel/definitions[FlashDefinition]/accessLatency");
    assert_int_equal(err.line, 10);
}

/* Schedulers of schedulers. */
static void test_hierarchy(void **state)
{
    (void)state;
    am_model *m = amalthea_file("app4mc/hierarchicalExample.amxmi");
    const am_scheduler *parent = amalthea_scheduler(m, "Priority Based Round Robin");
    assert_int_equal(parent->algorithm, AM_SCHEDULING_ROUND_ROBIN);
    assert_ptr_equal(&m->schedulers[amalthea_scheduler(m, "OSEKA")->parent], parent);
    assert_int_equal(amalthea_scheduler(m, "OSEKC")->parent, -1);
    assert_string_equal(amalthea_scheduler(m, "OSEKD")->parameters[0].value, "10");
    assert_int_equal(amalthea_allocation(m, "TaskD2")->priority, 55);
    amalthea_free(m);
    m = amalthea_file("app4mc/partitioned_fpp.amxmi");
    const am_scheduler *group = NULL;
    for (size_t i = 0; i < m->scheduler_count; i++)
        if (m->schedulers[i].algorithm == AM_SCHEDULING_GROUPING)
            group = &m->schedulers[i];
    assert_non_null(group);
    assert_true(group->parent >= 0);
    amalthea_free(m);
}

static void test_gauss(void **state)
{
    (void)state;
    am_model *m = amalthea_file("app4mc/model_2.amxmi");
    const am_value *next = &amalthea_stimulus(m, "Stimulus_Task_4")->next_ps;
    assert_int_equal(next->kind, AM_GAUSS);
    assert_true(next->bounded_below && next->bounded_above);
    assert_int_equal(next->lower, 0); /* a time of 0 without a unit */
    assert_int_equal(next->upper, 100000000000);
    assert_true(next->average == 30e9);
    amalthea_free(m);
}

static void test_chains(void **state)
{
    (void)state;
    am_model *m = amalthea_file("toro/example.amxmi");
    const am_chain *c = &m->chains[3];
    assert_string_equal(c->name, "chain4_mixed");
    assert_int_equal(c->item_count, 3);
    assert_string_equal(m->tasks[m->events[c->items[0].stimulus].entity].name, "BET_T10");
    assert_string_equal(m->tasks[m->events[c->response].entity].name, "LET_T13");
    const am_item *need = &amalthea_runnable(m, "Runnable1")->items[0].items[0]; /* IPC from 1.0 to 1.5 */
    assert_int_equal(need->tick_count, 2);
    assert_true(need->ticks[0].value.lower == 133333 && need->ticks[0].value.upper == 300000);
    assert_int_equal(m->limits[17].kind, AM_LIMIT_AGE);
    assert_int_equal(m->limits[17].upper_ps, 50000000000);
    amalthea_free(m);
    m = amalthea_file("toro/model.amxmi");
    assert_int_equal(amalthea_unknown(m, "mappingModel/taskAllocation")->at.line, 396);
    amalthea_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts), cmocka_unit_test(test_ecu),    cmocka_unit_test(test_hierarchy),
        cmocka_unit_test(test_gauss),  cmocka_unit_test(test_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
