/* Items of activity graphs, in the styles of all versions. */
#include <stdio.h>
#include <string.h>

#include "support/amalthea.h"

/* A task with these items, and what they may refer to. */
#define AROUND(items)                                                                                                  \
    "<swModel><tasks name=\"t\"><activityGraph>" items "</activityGraph></tasks><tasks name=\"other\"/>"               \
    "<runnables name=\"f\"/><runnables name=\"g\"/><labels name=\"l\"/><events name=\"e1\"/><events name=\"e2\"/>"     \
    "</swModel><stimuliModel><stimuli xsi:type=\"am:InterProcessStimulus\" name=\"s\"/></stimuliModel>"                \
    "<osModel><semaphores name=\"m\"/></osModel>"
#define ITEM(class, rest) "<items xsi:type=\"am:" class "\" " rest "/>"

static am_model *with(const char *body)
{
    am_model *m = amalthea_new(body);
    assert_int_equal(m->task_count, 2);
    return m;
}

static void test_each_kind(void **state)
{
    (void)state;
    am_model *m = with(AROUND(
        ITEM("RunnableCall", "runnable=\"g?type=Runnable\"") ITEM("LabelAccess",
                                                                  "data=\"l?type=Label\" access=\"write\"")
            ITEM("LabelAccess", "data=\"l?type=Label\" access=\"read\"") ITEM(
                "SenderReceiverRead", "label=\"l?type=Label\"") ITEM("SenderReceiverWrite", "label=\"l?type=Label\"")
                ITEM("InterProcessTrigger", "stimulus=\"s?type=InterProcessStimulus\"") ITEM("SchedulePoint", "")
                    ITEM("SemaphoreAccess", "semaphore=\"m?type=Semaphore\" access=\"request\"")
                        ITEM("SemaphoreAccess", "semaphore=\"m?type=Semaphore\" access=\"release\"")
                            ITEM("ModeLabelAccess", "data=\"x?type=ModeLabel\" access=\"set\" value=\"1\"")
                                ITEM("SynchronousServerCall", "serverRunnable=\"f?type=Runnable\"") ITEM(
                                    "AsynchronousServerCall",
                                    "serverRunnable=\"f?type=Runnable\"") "<items xsi:type=\"am:WaitEvent\" "
                                                                          "maskType=\"AND\"><eventMask "
                                                                          "events=\"e1?type=OsEvent "
                                                                          "e2?type=OsEvent\"/></items>"
                                                                          "<items xsi:type=\"am:SetEvent\" "
                                                                          "process=\"other?type=Task\"><eventMask "
                                                                          "events=\"e2?type=OsEvent\"/></items><items "
                                                                          "xsi:type=\"am:ClearEvent\"/>"));
    static const am_item_kind kinds[] = {
        AM_ITEM_CALL,        AM_ITEM_ACCESS,         AM_ITEM_ACCESS,     AM_ITEM_ACCESS,    AM_ITEM_ACCESS,
        AM_ITEM_TRIGGER,     AM_ITEM_SCHEDULE_POINT, AM_ITEM_SEMAPHORE,  AM_ITEM_SEMAPHORE, AM_ITEM_MODE,
        AM_ITEM_SERVER_CALL, AM_ITEM_SERVER_CALL,    AM_ITEM_WAIT_EVENT, AM_ITEM_SET_EVENT, AM_ITEM_CLEAR_EVENT};
    const am_item *items = m->tasks[0].items;
    assert_int_equal(m->tasks[0].item_count, sizeof kinds / sizeof *kinds);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_int_equal(items[i].kind, kinds[i]);
    assert_int_equal(items[0].runnable, 1);
    assert_int_equal(items[0].label, -1);
    assert_true(items[1].write && !items[2].write && !items[3].write && items[4].write);
    assert_true(items[7].request && !items[8].request);
    assert_true(!items[10].asynchronous && items[11].asynchronous);
    assert_true(items[12].wait_all && !items[12].active);
    assert_int_equal(items[12].event_count, 2);
    assert_int_equal(items[13].process, 1);
    assert_int_equal(items[13].events[0], 1);
    assert_int_equal(items[14].event_count, 0);
    assert_string_equal(m->semaphores[items[7].semaphore], "m");
    assert_int_equal(amalthea_unknown(m, "items:ModeLabelAccess, attribute value")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
}

static void test_unknown_items(void **state)
{
    (void)state;
    am_model *m =
        with(AROUND(ITEM("CustomEventTrigger", "event=\"x?type=CustomEvent\"") ITEM("ChannelSend", "")
                        ITEM("TerminateProcess", "") ITEM("EnforcedMigration", "") ITEM("GetResultServerCall", "")
                            ITEM("FromTheFuture", "a=\"1\"") ITEM("FromTheFuture", "a=\"2\"")));
    for (size_t i = 0; i < m->tasks[0].item_count; i++)
        assert_int_equal(m->tasks[0].items[i].kind, AM_ITEM_OTHER);
    assert_int_equal(amalthea_unknown(m, "items:FromTheFuture")->count, 2);
    assert_int_not_equal(amalthea_unknown(m, "items:FromTheFuture")->meaning, AM_UNUSED_HARMLESS);
    assert_int_equal(amalthea_unknown(m, "items:FromTheFuture")->at.line, 3);
    assert_non_null(amalthea_unknown(m, "items:CustomEventTrigger"));
    assert_non_null(amalthea_unknown(m, "items:ChannelSend"));
    amalthea_free(m);
}

static void test_groups(void **state)
{
    (void)state;
    am_model *m = with(
        AROUND("<items xsi:type=\"am:Group\" name=\"a\" ordered=\"false\" interruptible=\"false\"><items "
               "xsi:type=\"am:Group\" name=\"b\">" ITEM(
                   "RunnableCall", "runnable=\"f?type=Runnable\"") "</items></items><items "
                                                                   "xsi:type=\"am:WhileLoop\"><condition/"
                                                                   ">" ITEM("RunnableCall", "runnable=\"f?type="
                                                                                            "Runnable\"") "</items>"));
    const am_item *group = &m->tasks[0].items[0];
    assert_true(group->unordered);
    assert_false(group->items[0].unordered);
    assert_string_equal(group->items[0].name, "b");
    assert_int_equal(group->items[0].items[0].kind, AM_ITEM_CALL);
    assert_int_equal(m->tasks[0].items[1].kind, AM_ITEM_LOOP);
    assert_int_equal(m->tasks[0].items[1].item_count, 1);
    assert_int_not_equal(amalthea_unknown(m, "items:Group, attribute interruptible")->meaning, AM_UNUSED_HARMLESS);
    assert_int_equal(amalthea_unknown(m, "items/condition")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
}

static void test_switches(void **state)
{
    (void)state;
    am_model *m = with(AROUND("<items xsi:type=\"am:Switch\"><entries name=\"a\"><condition/>" ITEM(
        "RunnableCall",
        "runnable=\"f?type=Runnable\"") "</entries><entries name=\"b\"/><defaultEntry>" ITEM("RunnableCall",
                                                                                             "runnable=\"g?type="
                                                                                             "Runnable\"") "</"
                                                                                                           "defaultEntr"
                                                                                                           "y></"
                                                                                                           "items><"
                                                                                                           "items "
                                                                                                           "xsi:type="
                                                                                                           "\"am:"
                                                                                                           "Probability"
                                                                                                           "Switch\"><"
                                                                                                           "entries "
                                                                                                           "probability"
                                                                                                           "=\"30\"/"
                                                                                                           "><entries "
                                                                                                           "probability"
                                                                                                           "=\"10.0\"/"
                                                                                                           "></"
                                                                                                           "items>"));
    const am_item *items = m->tasks[0].items;
    assert_int_equal(items[0].kind, AM_ITEM_SWITCH);
    assert_int_equal(items[0].item_count, 3);
    assert_string_equal(items[0].items[1].name, "b");
    assert_true(items[0].items[0].probability == -1 && !items[0].items[0].is_default);
    assert_true(items[0].items[2].is_default);
    assert_int_equal(items[0].items[2].items[0].runnable, 1);
    assert_true(items[1].items[0].probability == 0.75 && items[1].items[1].probability == 0.25);
    amalthea_free(m);
    assert_refused(AROUND("<items xsi:type=\"am:ProbabilitySwitch\"><entries probability=\"-1\"/></items>"), "below 0");
    assert_refused(AROUND("<items xsi:type=\"am:ProbabilitySwitch\"><entries/><entries/></items>"), "sum to 0");
}

/* What happens only now and then is a switch between it and nothing. */
static void test_counters(void **state)
{
    (void)state;
    am_model *m = with("<swModel><tasks name=\"t\"><activityGraph><items xsi:type=\"am:RunnableCall\" "
                       "runnable=\"f?type=Runnable\"><counter prescaler=\"4\" offset=\"1\"/></items><items "
                       "xsi:type=\"am:RunnableCall\" runnable=\"f?type=Runnable\"><counter/></items></activityGraph>"
                       "</tasks><tasks name=\"other\"/><runnables "
                       "name=\"f\"><executionCondition><entries/></executionCondition><activityGraph><items "
                       "xsi:type=\"am:Ticks\"><default xsi:type=\"am:DiscreteValueConstant\" value=\"5\"/></items>"
                       "</activityGraph></runnables></swModel>");
    const am_item *item = &m->tasks[0].items[0];
    assert_int_equal(item->kind, AM_ITEM_SWITCH);
    assert_int_equal(item->item_count, 2);
    assert_true(item->items[0].probability == 0.25 && item->items[1].probability == 0.75);
    assert_int_equal(item->items[0].items[0].kind, AM_ITEM_CALL);
    assert_int_equal(item->items[1].item_count, 0);
    assert_int_equal(m->tasks[0].items[1].kind, AM_ITEM_CALL);
    const am_item *whole = &m->runnables[0].items[0];
    assert_int_equal(m->runnables[0].item_count, 1);
    assert_int_equal(whole->kind, AM_ITEM_SWITCH);
    assert_int_equal(whole->items[0].items[0].kind, AM_ITEM_TICKS);
    assert_true(whole->items[1].is_default);
    assert_int_equal(amalthea_unknown(m, "executionCondition/entries")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
    assert_refused(AROUND("<items xsi:type=\"am:SchedulePoint\"><counter prescaler=\"0\"/></items>"), "prescaler");
}

#define TICKS "<default xsi:type=\"am:DiscreteValueConstant\" value=\"5\"/>"

static void assert_old(const char *version, const char *body)
{
    am_model *m = amalthea_of(version, body);
    const am_task *t = &m->tasks[0];
    assert_int_equal(t->item_count, 2);
    assert_int_equal(t->items[0].kind, AM_ITEM_GROUP);
    assert_int_equal(t->items[0].items[0].kind, AM_ITEM_CALL);
    assert_int_equal(t->items[0].items[1].kind, AM_ITEM_SCHEDULE_POINT);
    assert_int_equal(t->items[1].kind, AM_ITEM_SWITCH);
    assert_int_equal(t->items[1].items[0].items[0].kind, AM_ITEM_GROUP);
    assert_int_equal(m->runnables[0].item_count, 1);
    assert_int_equal(m->runnables[0].items[0].kind, AM_ITEM_TICKS);
    assert_int_equal(m->runnables[0].items[0].ticks[0].value.upper, 5);
    amalthea_free(m);
}

/* The same graph as three versions write it. */
static void test_styles(void **state)
{
    (void)state;
    assert_old("0.9.4",
               "<swModel><tasks name=\"t\"><callGraph><graphEntries xsi:type=\"am:CallSequence\" name=\"c\"><calls "
               "xsi:type=\"am:TaskRunnableCall\" runnable=\"f?type=Runnable\"/><calls "
               "xsi:type=\"am:SchedulePoint\"/></graphEntries><graphEntries xsi:type=\"am:ProbabilitySwitch\">"
               "<entries probability=\"1\"><items xsi:type=\"am:CallSequence\"/></entries></graphEntries>"
               "</callGraph></tasks><runnables name=\"f\"><runnableItems xsi:type=\"am:Ticks\">" TICKS
               "</runnableItems></runnables></swModel>");
    assert_old("0.9.5",
               "<swModel><tasks name=\"t\"><callGraph><items xsi:type=\"am:Group\" name=\"c\"><items "
               "xsi:type=\"am:RunnableCall\" runnable=\"f?type=Runnable\"/><items xsi:type=\"am:SchedulePoint\"/>"
               "</items><items xsi:type=\"am:ProbabilitySwitch\"><entries probability=\"1\"><items "
               "xsi:type=\"am:Group\"/></entries></items></callGraph></tasks><runnables name=\"f\"><callGraph>"
               "<items xsi:type=\"am:Ticks\">" TICKS "</items></callGraph></runnables></swModel>");
    assert_old(
        "1.2.0",
        "<swModel><tasks name=\"t\"><activityGraph><items xsi:type=\"am:Group\" name=\"c\"><items "
        "xsi:type=\"am:RunnableCall\" runnable=\"f?type=Runnable\"/><items xsi:type=\"am:SchedulePoint\"/></items>"
        "<items xsi:type=\"am:ModeSwitch\"><entries><items xsi:type=\"am:Group\"/></entries></items></activityGraph>"
        "</tasks><runnables name=\"f\"><activityGraph><items xsi:type=\"am:Ticks\">" TICKS
        "</items></activityGraph></runnables></swModel>");
}

#define HARDWARE                                                                                                       \
    "<hwModel><definitions xsi:type=\"am:ProcessingUnitDefinition\" name=\"fast\" features=\"Instructions/four?type="  \
    "HwFeature\"/><definitions xsi:type=\"am:ProcessingUnitDefinition\" name=\"slow\" "                                \
    "features=\"Instructions/half?type=HwFeature Instructions/one?type=HwFeature\"/><definitions "                     \
    "xsi:type=\"am:MemoryDefinition\" name=\"ram\"/>"                                                                  \
    "<featureCategories name=\"Instructions\"><features name=\"four\" value=\"4.0\"/><features name=\"half\" "         \
    "value=\"0.5\"/><features name=\"one\" value=\"1.0\"/></featureCategories></hwModel>"
#define GRAPH(items)                                                                                                   \
    "<swModel><runnables name=\"f\"><activityGraph>" items "</activityGraph></runnables></swModel>" HARDWARE
#define EXTENDED(key) "<extended key=\"" key "\"><value xsi:type=\"am:DiscreteValueConstant\" value=\"9\"/></extended>"

static void test_ticks(void **state)
{
    (void)state;
    am_model *m = amalthea_new(
        GRAPH("<items xsi:type=\"am:Ticks\">" TICKS EXTENDED("slow?type=ProcessingUnitDefinition") "</items>"));
    const am_item *ticks = &m->runnables[0].items[0];
    assert_int_equal(ticks->tick_count, 2);
    assert_int_equal(ticks->ticks[0].definition, -1);
    assert_int_equal(ticks->ticks[1].definition, 1);
    assert_int_equal(ticks->ticks[1].value.upper, 9);
    amalthea_free(m);
    assert_refused(GRAPH("<items xsi:type=\"am:Ticks\">" EXTENDED("slow?type=ProcessingUnitDefinition")
                             EXTENDED("slow?type=ProcessingUnitDefinition") "</items>"),
                   "there are ticks for 'slow' already");
    assert_refused(GRAPH("<items xsi:type=\"am:Ticks\">" EXTENDED("ram?type=MemoryDefinition") "</items>"),
                   "not a definition of processing units");
    assert_refused(GRAPH("<items xsi:type=\"am:Ticks\"><extended key=\"slow?type=ProcessingUnitDefinition\"/></items>"),
                   "value is missing");
}

/* Instructions become ticks by how many of them a tick does. */
static void test_needs(void **state)
{
    (void)state;
    am_model *m =
        amalthea_new(GRAPH("<items xsi:type=\"am:ExecutionNeed\"><needs key=\"Instructions\"><value "
                           "xsi:type=\"am:DiscreteValueBoundaries\" lowerBound=\"9\" upperBound=\"10\"/></needs>"
                           "<needs key=\"Magic\"><value xsi:type=\"am:DiscreteValueConstant\" value=\"1\"/></needs>"
                           "</items>"));
    const am_item *group = &m->runnables[0].items[0];
    assert_int_equal(group->kind, AM_ITEM_GROUP);
    assert_int_equal(group->item_count, 2);
    const am_ticks *ticks = group->items[0].ticks;
    assert_int_equal(group->items[0].tick_count, 2);
    assert_int_equal(ticks[0].definition, 0);
    assert_true(ticks[0].value.lower == 2 && ticks[0].value.upper == 3);
    assert_true(ticks[1].value.lower == 9 && ticks[1].value.upper == 20); /* at 1, and at 0.5 */
    assert_int_equal(group->items[1].kind, AM_ITEM_OTHER);
    assert_int_not_equal(amalthea_unknown(m, "items/needs")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
}

static void test_wrong_items(void **state)
{
    (void)state;
    assert_refused(AROUND(ITEM("LabelAccess", "data=\"l?type=Label\"")), "neither read nor write");
    assert_refused(AROUND(ITEM("LabelAccess", "access=\"read\"")), "data is missing");
    assert_refused(AROUND(ITEM("RunnableCall", "")), "runnable is missing");
    assert_refused(AROUND(ITEM("RunnableCall", "runnable=\"l?type=Label\"")), "'l' is a Label, not a runnable");
    assert_refused(AROUND(ITEM("SemaphoreAccess", "semaphore=\"m?type=Semaphore\" access=\"steal\"")),
                   "neither request");
    assert_refused(AROUND(ITEM("WaitEvent", "waitingBehaviour=\"lazy\"")), "neither active nor passive");
    assert_refused(AROUND(ITEM("Group", "ordered=\"perhaps\"")), "neither true nor false");
    assert_refused("<swModel><tasks name=\"t\" preemption=\"never\"/></swModel>", "'never' is not known");
    assert_refused("<swModel><tasks name=\"t\" multipleTaskActivationLimit=\"-1\"/></swModel>", "from 0 to");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kind), cmocka_unit_test(test_unknown_items), cmocka_unit_test(test_groups),
        cmocka_unit_test(test_switches),  cmocka_unit_test(test_counters),      cmocka_unit_test(test_styles),
        cmocka_unit_test(test_ticks),     cmocka_unit_test(test_needs),         cmocka_unit_test(test_wrong_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
