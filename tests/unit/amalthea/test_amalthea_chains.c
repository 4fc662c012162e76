/* Events, chains of events, limits on times; and what goes in circles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/amalthea.h"

#define SOFTWARE                                                                                                       \
    "<swModel><tasks name=\"a\"/><tasks name=\"b\"/><runnables name=\"f\"/><labels name=\"l\"/><processChains "        \
    "name=\"p\" processes=\"a?type=Task b?type=Task\"/></swModel>"
#define EVENTS                                                                                                         \
    "<eventModel><events xsi:type=\"am:ProcessEvent\" name=\"a\" entity=\"a?type=Task\" eventType=\"activate\"/>"      \
    "<events xsi:type=\"am:LabelEvent\" name=\"l\" entity=\"l?type=Label\" process=\"b?type=Task\" "                   \
    "eventType=\"write\"/><events xsi:type=\"am:RunnableEvent\" name=\"f\" entity=\"f?type=Runnable\" "                \
    "eventType=\"_all_\"/><events xsi:type=\"am:StimulusEvent\" name=\"s\" entity=\"s?type=InterProcessStimulus\"/>"   \
    "<events xsi:type=\"am:EventSet\" name=\"set\" events=\"a?type=ProcessEvent\"/></eventModel>"                      \
    "<stimuliModel><stimuli xsi:type=\"am:InterProcessStimulus\" name=\"s\"/></stimuliModel>"
#define MODEL(constraints) SOFTWARE EVENTS "<constraintsModel>" constraints "</constraintsModel>"
#define ENDS " stimulus=\"a?type=ProcessEvent\" response=\"l?type=LabelEvent\""
#define CONTAINED(tag, name)                                                                                           \
    "<" tag " xsi:type=\"am:EventChainContainer\"><eventChain name=\"" name "\"" ENDS "/></" tag ">"
#define REFERENCE(tag, name) "<" tag " xsi:type=\"am:EventChainReference\" eventChain=\"" name "?type=EventChain\"/>"
#define TIME(tag, value) "<" tag " value=\"" value "\" unit=\"ms\"/>"
#define MS 1000000000LL

static void test_events(void **state)
{
    (void)state;
    am_model *m = amalthea_new(MODEL(""));
    assert_int_equal(m->event_count, 5);
    assert_int_equal(m->events[0].kind, AM_EVENT_PROCESS);
    assert_string_equal(m->events[0].type, "activate");
    assert_int_equal(m->events[1].kind, AM_EVENT_LABEL);
    assert_int_equal(m->events[1].process, 1);
    assert_string_equal(m->events[1].type, "write");
    assert_int_equal(m->events[2].kind, AM_EVENT_RUNNABLE);
    assert_string_equal(m->events[2].type, "");
    assert_int_equal(m->events[3].kind, AM_EVENT_STIMULUS);
    assert_int_equal(m->events[4].kind, AM_EVENT_OTHER);
    assert_int_equal(amalthea_unknown(m, "events:EventSet")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
}

static void assert_chain(const am_chain *c, const char *name, size_t items, bool parallel)
{
    assert_string_equal(c->name, name);
    assert_int_equal(c->item_count, items);
    assert_int_equal(c->parallel, parallel);
    assert_int_equal(c->stimulus, 0);
    assert_int_equal(c->response, 1);
}

/* A reference is replaced by what it refers to, also where that comes later in the file. */
static void test_chains(void **state)
{
    (void)state;
    am_model *m = amalthea_new(MODEL("<eventChains name=\"x\"" ENDS ">" CONTAINED("items", "x1") REFERENCE(
        "items", "y") "</eventChains><eventChains name=\"y\" itemType=\"parallel\" minItemsCompleted=\"2\"" ENDS
                      ">" CONTAINED("items", "y1") CONTAINED("items", "y2") "</eventChains>"));
    assert_int_equal(m->chain_count, 2);
    assert_chain(&m->chains[0], "x", 2, false);
    assert_chain(&m->chains[1], "y", 2, true);
    assert_chain(&m->chains[0].items[0], "x1", 0, false);
    assert_chain(&m->chains[0].items[1], "y", 2, true);
    assert_chain(&m->chains[0].items[1].items[1], "y2", 0, false);
    assert_int_not_equal(amalthea_unknown(m, "eventChains, attribute minItemsCompleted")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
}

static void test_old_chains(void **state)
{
    (void)state;
    am_model *m =
        amalthea_of("0.9.5", MODEL("<eventChains name=\"x\"" ENDS ">" CONTAINED("segments", "x1")
                                       REFERENCE("segments", "y") "</eventChains><eventChains name=\"y\"" ENDS
                                                                  ">" CONTAINED("strands", "y1")
                                                                      CONTAINED("strands", "y2") "</eventChains>"));
    assert_chain(&m->chains[0], "x", 2, false);
    assert_chain(&m->chains[1], "y", 2, true);
    assert_chain(&m->chains[0].items[1], "y", 2, true);
    amalthea_free(m);
    assert_refused_in("0.9.5",
                      MODEL("<eventChains name=\"x\"" ENDS ">" CONTAINED("segments", "x1")
                                CONTAINED("strands", "x2") "</eventChains>"),
                      "segments and strands");
    assert_refused(MODEL("<eventChains name=\"x\"><items xsi:type=\"am:EventChainContainer\"/></eventChains>"),
                   "eventChain is missing");
}

#define REQUIREMENT(class, entity, limit)                                                                              \
    "<requirements xsi:type=\"am:" class "\" name=\"r\" severity=\"Critical\" " entity ">" limit "</requirements>"
#define LIMIT(type, metric, value)                                                                                     \
    "<limit xsi:type=\"am:TimeRequirementLimit\" limitType=\"" type "\" metric=\"" metric                              \
    "\">" TIME("limitValue", value) "</limit>"

static void test_requirements(void **state)
{
    (void)state;
    am_model *m = amalthea_new(
        MODEL(REQUIREMENT("ProcessRequirement", "process=\"b?type=Task\"", LIMIT("UpperLimit", "ResponseTime", "5"))
                  REQUIREMENT("RunnableRequirement", "runnable=\"f?type=Runnable\"",
                              LIMIT("LowerLimit", "NetExecutionTime", "1"))
                      REQUIREMENT("ProcessChainRequirement", "processChain=\"p?type=ProcessChain\"",
                                  LIMIT("UpperLimit", "EndToEnd", "9")) REQUIREMENT("ArchitectureRequirement", "", "")
                          REQUIREMENT("ProcessRequirement", "process=\"b?type=Task\"",
                                      "<limit xsi:type=\"am:CPUPercentageRequirementLimit\" limitValue=\"3\"/>")));
    assert_int_equal(m->limit_count, 3);
    const am_limit *l = m->limits;
    assert_true(l[0].kind == AM_LIMIT_PROCESS && l[0].metric == AM_METRIC_RESPONSE && l[0].entity == 1);
    assert_true(l[0].upper_ps == 5 * MS && l[0].lower_ps == -1);
    assert_string_equal(l[0].severity, "Critical");
    assert_true(l[1].kind == AM_LIMIT_RUNNABLE && l[1].metric == AM_METRIC_OTHER && l[1].lower_ps == 1 * MS);
    assert_true(l[2].kind == AM_LIMIT_PROCESS_CHAIN && l[2].metric == AM_METRIC_END_TO_END && l[2].entity == 0);
    assert_null(amalthea_unknown(m, "limit:TimeRequirementLimit, attribute metric")); /* told with its name */
    assert_int_equal(amalthea_unknown(m, "requirements:ArchitectureRequirement")->meaning, AM_UNUSED_CHECK);
    assert_int_equal(amalthea_unknown(m, "limit:CPUPercentageRequirementLimit")->meaning, AM_UNUSED_CHECK);
    amalthea_free(m);
    assert_refused(MODEL(REQUIREMENT("ProcessRequirement", "process=\"b?type=Task\"", LIMIT("", "ResponseTime", "5"))),
                   "neither UpperLimit nor LowerLimit");
    assert_refused(MODEL(REQUIREMENT("ProcessRequirement", "", LIMIT("UpperLimit", "ResponseTime", "5"))),
                   "process is missing");
    assert_refused(MODEL(REQUIREMENT("ProcessRequirement", "process=\"b?type=Task\"",
                                     "<limit xsi:type=\"am:TimeRequirementLimit\" limitType=\"UpperLimit\"/>")),
                   "limitValue is missing");
}

static void test_constraints(void **state)
{
    (void)state;
    am_model *m = amalthea_new(MODEL(
        "<eventChains name=\"x\"" ENDS "/><timingConstraints xsi:type=\"am:EventChainLatencyConstraint\" name=\"c\" "
        "scope=\"x?type=EventChain\" type=\"Reaction\">" TIME("minimum", "1")
            TIME("maximum", "2") "</timingConstraints>"
                                 "<timingConstraints xsi:type=\"am:EventChainLatencyConstraint\" name=\"d\" "
                                 "scope=\"x?type=EventChain\" "
                                 "type=\"Age\">" TIME(
                                     "maximum",
                                     "3") "</timingConstraints><timingConstraints xsi:type=\"am:DelayConstraint\" "
                                          "name=\"e\" mappingType=\"UniqueReaction\" source=\"a?type=ProcessEvent\" "
                                          "target=\"f?type=RunnableEvent\">" TIME(
                                              "upper", "4") "</timingConstraints>"
                                                            "<timingConstraints xsi:type=\"am:RepetitionConstraint\" "
                                                            "name=\"g\"/><dataAgeConstraints name=\"h\"/>"));
    const am_limit *l = m->limits;
    assert_int_equal(m->limit_count, 3);
    assert_true(l[0].kind == AM_LIMIT_REACTION && l[0].lower_ps == 1 * MS && l[0].upper_ps == 2 * MS);
    assert_true(l[1].kind == AM_LIMIT_AGE && l[1].lower_ps == -1 && l[1].entity == 0);
    assert_true(l[2].kind == AM_LIMIT_DELAY && l[2].source == 0 && l[2].target == 2 && l[2].entity == -1);
    assert_int_equal(l[2].mapping, AM_MAPPING_UNIQUE);
    assert_int_not_equal(amalthea_unknown(m, "timingConstraints:RepetitionConstraint")->meaning, AM_UNUSED_HARMLESS);
    assert_int_not_equal(amalthea_unknown(m, "constraintsModel/dataAgeConstraints")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
    assert_refused(MODEL("<eventChains name=\"x\"" ENDS
                         "/><timingConstraints xsi:type=\"am:EventChainLatencyConstraint\" "
                         "scope=\"x?type=EventChain\" type=\"Age\">" TIME("minimum", "3")
                             TIME("maximum", "2") "</timingConstraints>"),
                   "the least time is above the greatest");
    assert_refused(MODEL("<timingConstraints xsi:type=\"am:EventChainLatencyConstraint\"/>"),
                   "neither Age nor Reaction");
    assert_refused(MODEL("<timingConstraints xsi:type=\"am:DelayConstraint\" mappingType=\"Many\"/>"),
                   "'Many' is none of Reaction, OneToOne and UniqueReaction");
}

static void test_chain_circles(void **state)
{
    (void)state;
    assert_refused(MODEL("<eventChains name=\"x\">" REFERENCE("items", "x") "</eventChains>"),
                   "chains of events refer to each other in a circle");
    assert_refused(MODEL("<eventChains name=\"x\">" REFERENCE(
                       "items", "y") "</eventChains><eventChains name=\"y\"><items "
                                     "xsi:type=\"am:EventChainContainer\"><eventChain>" REFERENCE(
                                         "items", "z") "</eventChain></items>"
                                                       "</eventChains><eventChains name=\"z\">" REFERENCE(
                                                           "items", "x") "</eventChains>"),
                   "in a circle");
}

/* Runnables or chains of which each needs the next one `times` times; the last needs the first where it is a circle. */
static void assert_tower(const char *open, const char *need, const char *close, const char *around[2], size_t count,
                         size_t times, bool circle, const char *part)
{
    text out;
    text_open(&out, NULL, NULL);
    text_str(&out, around[0]);
    for (size_t i = 0; i < count; i++) {
        text_printf(&out, open, i);
        for (size_t k = 0; k < times && (circle || i + 1 < count); k++)
            text_printf(&out, need, (i + 1) % count);
        text_str(&out, close);
    }
    text_str(&out, around[1]);
    char *body = text_take(&out, NULL);
    assert_non_null(body);
    if (part)
        assert_refused(body, part);
    else
        amalthea_free(amalthea_new(body));
    free(body);
}

static void calls(size_t count, size_t times, bool circle, const char *part)
{
    const char *around[] = {"<swModel><tasks name=\"t\"><activityGraph><items xsi:type=\"am:RunnableCall\" "
                            "runnable=\"f0?type=Runnable\"/></activityGraph></tasks>",
                            "</swModel>"};
    assert_tower("<runnables name=\"f%zu\"><activityGraph>",
                 "<items xsi:type=\"am:RunnableCall\" runnable=\"f%zu?type=Runnable\"/>",
                 "</activityGraph></runnables>", around, count, times, circle, part);
}

static void references(size_t count, size_t times, bool circle, const char *part)
{
    const char *around[] = {"<constraintsModel>", "</constraintsModel>"};
    assert_tower("<eventChains name=\"c%zu\">",
                 "<items xsi:type=\"am:EventChainReference\" eventChain=\"c%zu?type=EventChain\"/>", "</eventChains>",
                 around, count, times, circle, part);
}

static void test_calls(void **state)
{
    (void)state;
    calls(1, 1, true, "the runnable calls itself in a circle");
    calls(2, 3, true, "in a circle");
    calls(50000, 1, true, "in a circle");
    calls(200, 1, false, NULL);
    calls(202, 1, false, "more than 200 calls in each other");
    calls(15, 2, false, NULL);
    calls(40, 2, false, "the task runs more than 1000000 items");
}

static void test_chain_towers(void **state)
{
    (void)state;
    references(50000, 1, true, "in a circle");
    references(200, 1, false, NULL);
    references(202, 1, false, "more than 200 in each other");
    references(15, 2, false, NULL);
    references(40, 2, false, "more than 1000000 parts");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),       cmocka_unit_test(test_chains),       cmocka_unit_test(test_old_chains),
        cmocka_unit_test(test_requirements), cmocka_unit_test(test_constraints),  cmocka_unit_test(test_chain_circles),
        cmocka_unit_test(test_calls),        cmocka_unit_test(test_chain_towers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
