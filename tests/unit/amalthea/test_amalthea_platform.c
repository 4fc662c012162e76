/* Hardware, schedulers in both styles, and the mapping. */
#include <stdio.h>
#include <string.h>

#include "support/amalthea.h"

#define CONSTANT(tag, value) "<" tag " xsi:type=\"am:DiscreteValueConstant\" value=\"" value "\"/>"

static const char hardware[] =
    "<hwModel><definitions xsi:type=\"am:ProcessingUnitDefinition\" name=\"cpu\"/>"
    "<definitions xsi:type=\"am:ConnectionHandlerDefinition\" name=\"bus\">" CONSTANT("readLatency", "3") CONSTANT(
        "writeLatency",
        "4") "<dataRate value=\"1\" unit=\"GBPerSecond\"/></definitions>"
             "<definitions xsi:type=\"am:MemoryDefinition\" name=\"ram\"><size value=\"1\" unit=\"KiB\"/>"
             "<accessLatency xsi:type=\"am:DiscreteValueGaussDistribution\" mean=\"5\" sd=\"1\"/></definitions>"
             "<definitions xsi:type=\"am:CacheDefinition\" name=\"l1\" hitRate=\"0.5\">" CONSTANT(
                 "accessLatency",
                 "1") "</definitions><structures name=\"outer\"><structures name=\"inner\">"
                      "<modules xsi:type=\"am:ProcessingUnit\" name=\"c0\" "
                      "definition=\"cpu?type=ProcessingUnitDefinition\">"
                      "<caches name=\"c0l1\" definition=\"l1?type=CacheDefinition\"/>"
                      "<accessElements name=\"a\" destination=\"m?type=Memory\"><accessPath "
                      "pathElements=\"link?type=HwConnection "
                      "b?type=ConnectionHandler c0l1?type=Cache\" startAddress=\"0x0\"/></accessElements></modules>"
                      "<connections name=\"link\" port1=\"c0/p?type=HwPort\">" CONSTANT(
                          "readLatency",
                          "2") "</connections></structures>"
                               "<modules xsi:type=\"am:ConnectionHandler\" name=\"b\" "
                               "definition=\"bus?type=ConnectionHandlerDefinition\"/>"
                               "<modules xsi:type=\"am:Memory\" name=\"m\" definition=\"ram?type=MemoryDefinition\" "
                               "powerDomain=\"p?type=PowerDomain\"/>"
                               "</structures><domains xsi:type=\"am:PowerDomain\" name=\"p\"/></hwModel>";

static void test_hardware(void **state)
{
    (void)state;
    am_model *m = amalthea_new(hardware);
    assert_int_equal(m->unit_count, 4);
    const am_unit *core = amalthea_unit(m, "c0");
    assert_int_equal(amalthea_unit(m, "c0l1")->kind, AM_UNIT_CACHE);
    assert_int_equal(amalthea_unit(m, "m")->kind, AM_UNIT_MEMORY);
    assert_true(core->frequency == 0);
    assert_int_equal(m->definitions[core->definition].pu, AM_PU_UNKNOWN);
    const am_access_element *a = &core->accesses[0];
    assert_true(a->has_path && !a->read_latency.given);
    assert_int_equal(a->path_count, 2); /* a connection is no unit */
    assert_string_equal(m->units[a->path[0]].name, "b");
    assert_string_equal(m->units[a->path[1]].name, "c0l1");
    const am_definition *bus = &m->definitions[amalthea_unit(m, "b")->definition];
    assert_true(bus->read_latency.upper == 3 && bus->write_latency.upper == 4 && bus->data_rate == 8e9);
    const am_definition *ram = &m->definitions[amalthea_unit(m, "m")->definition];
    assert_int_equal(ram->size_bits, 8192);
    assert_true(ram->access_latency.given && !ram->access_latency.bounded_above && ram->access_latency.average == 5);
    assert_int_not_equal(amalthea_unknown(m, "definitions:CacheDefinition, attribute hitRate")->meaning,
                         AM_UNUSED_HARMLESS);
    assert_int_not_equal(amalthea_unknown(m, "readLatency:DiscreteValueConstant")->meaning,
                         AM_UNUSED_HARMLESS); /* of the connection */
    assert_int_equal(amalthea_unknown(m, "domains:PowerDomain")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
}

static void test_wrong_hardware(void **state)
{
    (void)state;
    assert_refused("<hwModel><definitions xsi:type=\"am:Engine\" name=\"x\"/></hwModel>",
                   "not a known kind of definition");
    assert_refused(
        "<hwModel><definitions xsi:type=\"am:ProcessingUnitDefinition\" puType=\"TPU\" name=\"x\"/></hwModel>",
        "'TPU' is neither");
    assert_refused("<hwModel><structures><modules xsi:type=\"am:Wheel\" name=\"x\"/></structures></hwModel>",
                   "not a known kind of module");
    assert_refused(
        "<hwModel><definitions xsi:type=\"am:MemoryDefinition\" name=\"d\"/><structures><modules "
        "xsi:type=\"am:ProcessingUnit\" name=\"x\" definition=\"d?type=MemoryDefinition\"/></structures></hwModel>",
        "is one of other units");
    assert_refused("<hwModel><structures><modules xsi:type=\"am:ProcessingUnit\" name=\"x\"><accessElements/></modules>"
                   "</structures></hwModel>",
                   "destination is missing");
}

#define UNITS                                                                                                          \
    "<hwModel><structures><modules xsi:type=\"am:ProcessingUnit\" name=\"c0\"/><modules "                              \
    "xsi:type=\"am:ProcessingUnit\" name=\"c1\"/><modules xsi:type=\"am:Memory\" name=\"m\"/></structures></hwModel>"
#define TASKS                                                                                                          \
    "<swModel><tasks name=\"t\"/><isrs name=\"i\"/><runnables name=\"f\"/><labels name=\"l\"/><labels name=\"k\"/>"    \
    "</swModel>"
#define ALLOCATIONS                                                                                                    \
    "<schedulerAllocation scheduler=\"child?type=TaskScheduler\" responsibility=\"c0?type=ProcessingUnit\" "           \
    "executingPU=\"c1?type=ProcessingUnit\"/><schedulerAllocation scheduler=\"child?type=TaskScheduler\" "             \
    "responsibility=\"c1?type=ProcessingUnit\"/>"                                                                      \
    "<isrAllocation isr=\"i?type=ISR\" controller=\"irq?type=InterruptController\" priority=\"9\"/>"                   \
    "<runnableAllocation scheduler=\"child?type=TaskScheduler\" entity=\"f?type=Runnable\"/>"                          \
    "<memoryMapping abstractElement=\"l?type=Label\" memory=\"m?type=Memory\"/>"                                       \
    "<memoryMapping abstractElement=\"gone?type=Task\" memory=\"m?type=Memory\"/><taskAllocation/>"

static void assert_schedulers(am_model *m)
{
    assert_int_equal(m->scheduler_count, 3);
    const am_scheduler *child = amalthea_scheduler(m, "child"), *parent = amalthea_scheduler(m, "parent");
    assert_int_equal(parent->algorithm, AM_SCHEDULING_ROUND_ROBIN);
    assert_int_equal(parent->parent, -1);
    assert_int_equal(child->algorithm, AM_SCHEDULING_OSEK);
    assert_string_equal(child->algorithm_name, "OSEK");
    assert_ptr_equal(&m->schedulers[child->parent], parent);
    assert_int_equal(child->parameter_count, 2); /* its own, and the one towards its parent */
    assert_string_equal(child->parameters[0].key, "slice");
    assert_string_equal(child->parameters[0].value, "2 ms");
    assert_string_equal(child->parameters[1].key, "priority");
    assert_string_equal(child->parameters[1].value, "20");
    assert_true(amalthea_scheduler(m, "irq")->interrupts && !child->interrupts);
    assert_int_equal(child->unit_count, 2);
    assert_string_equal(m->units[child->executing_unit].name, "c1");
    assert_int_equal(m->allocation_count, 2);
    const am_allocation *t = &m->allocations[0], *i = &m->allocations[1];
    assert_true(t->has_priority && t->priority == -3);
    assert_int_equal(t->parameter_count, 2);
    assert_string_equal(t->parameters[1].key, "budget");
    assert_string_equal(t->parameters[1].value, "7 us");
    assert_true(m->tasks[i->task].isr && i->priority == 9 && i->has_priority);
    assert_ptr_equal(&m->schedulers[i->scheduler], amalthea_scheduler(m, "irq"));
    assert_int_equal(m->runnable_allocation_count, 1);
    assert_string_equal(m->units[amalthea_label(m, "l")->memory].name, "m");
    assert_int_equal(amalthea_label(m, "k")->memory, -1);
    assert_int_equal(amalthea_unknown(m, "mappingModel/taskAllocation")->count, 1);
    assert_int_equal(amalthea_unknown(m, "mappingModel/memoryMapping")->meaning,
                     AM_UNUSED_HARMLESS); /* of what is no label */
    amalthea_free(m);
}

static void test_old_style(void **state)
{
    (void)state;
    assert_schedulers(amalthea_of(
        "1.2.0", UNITS TASKS
        "<osModel><operatingSystems name=\"os\"><taskSchedulers name=\"parent\"><schedulingAlgorithm "
        "xsi:type=\"am:PriorityBasedRoundRobin\"/></taskSchedulers><taskSchedulers name=\"child\"><schedulingAlgorithm "
        "xsi:type=\"am:OSEK\"><parameterExtensions key=\"slice\" value=\"2 "
        "ms\"/></schedulingAlgorithm><parentAssociation "
        "parent=\"parent?type=TaskScheduler\"><schedulingParameters "
        "priority=\"20\"/></parentAssociation></taskSchedulers>"
        "<interruptControllers name=\"irq\"/></operatingSystems></osModel><mappingModel>" ALLOCATIONS
        "<taskAllocation task=\"t?type=Task\" scheduler=\"child?type=TaskScheduler\"><schedulingParameters "
        "priority=\"-3\"/><parameterExtensions key=\"budget\" value=\"7 us\"/></taskAllocation></mappingModel>"));
}

#define PARAMETER(key, value)                                                                                          \
    "<schedulingParameters key=\"" key "?type=SchedulingParameterDefinition\">" value "</schedulingParameters>"
#define NUMBER(value) "<value xsi:type=\"am:IntegerObject\" value=\"" value "\"/>"

static void test_new_style(void **state)
{
    (void)state;
    assert_schedulers(amalthea_of(
        "2.0.0", UNITS TASKS
        "<osModel><operatingSystems name=\"os\"><taskSchedulers name=\"parent\" "
        "definition=\"PriorityBasedRoundRobin?type=SchedulerDefinition\"/><taskSchedulers name=\"child\" "
        "definition=\"OSEK?type=SchedulerDefinition\">" PARAMETER(
            "extended%3A+slice",
            "<value xsi:type=\"am:StringObject\" value=\"2 ms\"/>") "<parentAssociation "
                                                                    "parent=\"parent?type=TaskScheduler\">" PARAMETER(
                                                                        "priority",
                                                                        NUMBER("20")) "</parentAssociation></"
                                                                                      "taskSchedulers>"
                                                                                      "<interruptControllers "
                                                                                      "name=\"irq\"/></"
                                                                                      "operatingSystems><"
                                                                                      "schedulerDefinitions "
                                                                                      "name=\"OSEK\"/"
                                                                                      "><schedulerDefinitions "
                                                                                      "name="
                                                                                      "\"PriorityBasedRoundRobin\"/"
                                                                                      "><"
                                                                                      "schedulingParameterDefinitions "
                                                                                      "name=\"priority\"/>"
                                                                                      "<schedulingParameterDefinitions "
                                                                                      "name=\"extended: "
                                                                                      "slice\"/"
                                                                                      "><"
                                                                                      "schedulingParameterDefinitions "
                                                                                      "name=\"budget\"/></osModel>"
                                                                                      "<mappingModel>" ALLOCATIONS
                                                                                      "<taskAllocation "
                                                                                      "task=\"t?type=Task\" "
                                                                                      "scheduler=\"child?type="
                                                                                      "TaskScheduler\">" PARAMETER(
                                                                                          "priority", NUMBER("-3"))
                                                                                          PARAMETER(
                                                                                              "budget",
                                                                                              "<value "
                                                                                              "xsi:type=\"am:Time\" "
                                                                                              "value=\"7\" "
                                                                                              "unit=\"us\"/>") "</"
                                                                                                               "taskAll"
                                                                                                               "ocation"
                                                                                                               "></"
                                                                                                               "mapping"
                                                                                                               "Model"
                                                                                                               ">"));
}

static void test_algorithms(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        am_scheduling algorithm;
    } cases[] = {{"FixedPriorityPreemptive", AM_SCHEDULING_FIXED_PRIORITY},
                 {"OSEK", AM_SCHEDULING_OSEK},
                 {"RateMonotonic", AM_SCHEDULING_RATE_MONOTONIC},
                 {"DeadlineMonotonic", AM_SCHEDULING_DEADLINE_MONOTONIC},
                 {"EarliestDeadlineFirst", AM_SCHEDULING_EDF},
                 {"Grouping", AM_SCHEDULING_GROUPING},
                 {"PollingPeriodicServer", AM_SCHEDULING_OTHER}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[600];
        snprintf(body, sizeof body,
                 "<osModel><operatingSystems><taskSchedulers name=\"old\"><schedulingAlgorithm xsi:type=\"am:%s\"/>"
                 "</taskSchedulers><taskSchedulers name=\"new\" definition=\"%s?type=SchedulerDefinition\"/>"
                 "</operatingSystems><schedulerDefinitions name=\"%s\"/></osModel>",
                 cases[i].name, cases[i].name, cases[i].name);
        am_model *m = amalthea_new(body);
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(m->schedulers[k].algorithm, cases[i].algorithm);
            assert_string_equal(m->schedulers[k].algorithm_name, cases[i].name);
        }
        amalthea_free(m);
    }
}

/* A priority that is not written is 0 where its element is there, and not said where that is missing. */
static void test_priorities(void **state)
{
    (void)state;
    am_model *m =
        amalthea_of("1.0.0", TASKS "<mappingModel><taskAllocation task=\"t?type=Task\"><schedulingParameters/>"
                                   "</taskAllocation></mappingModel>");
    assert_true(m->allocations[0].has_priority && m->allocations[0].priority == 0);
    amalthea_free(m);
    m = amalthea_of("1.0.0", TASKS "<mappingModel><taskAllocation task=\"t?type=Task\"/></mappingModel>");
    assert_false(m->allocations[0].has_priority);
    assert_int_equal(m->allocations[0].scheduler, -1);
    amalthea_free(m);
    m = amalthea_of("2.0.0",
                    TASKS "<osModel><schedulingParameterDefinitions name=\"priority\"/></osModel><mappingModel>"
                          "<taskAllocation task=\"t?type=Task\">" PARAMETER(
                              "priority", "<value xsi:type=\"am:IntegerObject\"/>") "</taskAllocation></mappingModel>");
    assert_true(m->allocations[0].has_priority && m->allocations[0].priority == 0);
    amalthea_free(m);
}

static void test_wrong_mapping(void **state)
{
    (void)state;
    assert_refused_in("1.0.0",
                      TASKS "<mappingModel><taskAllocation task=\"t?type=Task\"><schedulingParameters "
                            "priority=\"high\"/></taskAllocation></mappingModel>",
                      "the priority 'high' is not a whole number");
    assert_refused(UNITS TASKS
                   "<mappingModel><taskAllocation task=\"t?type=Task\" affinity=\"m?type=Memory\"/></mappingModel>",
                   "'m' is not a processing unit");
    assert_refused(UNITS TASKS "<mappingModel><memoryMapping abstractElement=\"l?type=Label\" "
                               "memory=\"c0?type=ProcessingUnit\"/></mappingModel>",
                   "'c0' is not a memory");
    assert_refused(TASKS "<mappingModel><taskAllocation task=\"f?type=Runnable\"/></mappingModel>", "not a task");
    assert_refused(TASKS "<mappingModel><taskAllocation task=\"t?type=Task\">" PARAMETER(
                       "priority", NUMBER("1")) "</taskAllocation></mappingModel>",
                   "there is no SchedulingParameterDefinition 'priority'");
    assert_refused("<mappingModel><schedulerAllocation/></mappingModel>", "scheduler is missing");
}

static void test_scheduler_circle(void **state)
{
    (void)state;
    assert_refused("<osModel><operatingSystems><taskSchedulers name=\"a\"><parentAssociation "
                   "parent=\"b?type=TaskScheduler\"/></taskSchedulers><taskSchedulers name=\"b\"><parentAssociation "
                   "parent=\"a?type=TaskScheduler\"/></taskSchedulers></operatingSystems></osModel>",
                   "the scheduler's parents go in a circle");
    assert_refused("<osModel><operatingSystems><taskSchedulers name=\"a\"><parentAssociation "
                   "parent=\"a?type=TaskScheduler\"/></taskSchedulers></operatingSystems></osModel>",
                   "in a circle");
}

static void test_consistency(void **state)
{
    (void)state;
    am_model *m =
        amalthea_new("<osModel><operatingSystems><osDataConsistency mode=\"noProtection\"/></operatingSystems>"
                     "<operatingSystems><osDataConsistency mode=\"automaticProtection\"/></operatingSystems>"
                     "<osOverheads name=\"o\"/></osModel>");
    assert_int_equal(amalthea_unknown(m, "operatingSystems/osDataConsistency")->count, 1);
    assert_int_not_equal(amalthea_unknown(m, "operatingSystems/osDataConsistency")->meaning, AM_UNUSED_HARMLESS);
    assert_int_not_equal(amalthea_unknown(m, "osModel/osOverheads")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hardware),      cmocka_unit_test(test_wrong_hardware),
        cmocka_unit_test(test_old_style),     cmocka_unit_test(test_new_style),
        cmocka_unit_test(test_algorithms),    cmocka_unit_test(test_priorities),
        cmocka_unit_test(test_wrong_mapping), cmocka_unit_test(test_scheduler_circle),
        cmocka_unit_test(test_consistency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
