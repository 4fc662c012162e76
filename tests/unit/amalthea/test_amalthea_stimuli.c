/* Stimuli of every kind. */
#include <stdio.h>
#include <string.h>

#include "support/amalthea.h"

#define MS 1000000000
#define TIME(tag, value) "<" tag " value=\"" value "\" unit=\"ms\"/>"
#define STIMULUS(class, rest)                                                                                          \
    "<stimuliModel><stimuli xsi:type=\"am:" class "\" name=\"s\">" rest "</stimuli></stimuliModel>"

static am_model *read_one(const char *body, am_stimulus_kind kind)
{
    am_model *m = amalthea_new(body);
    assert_int_equal(m->stimulus_count, 1);
    assert_string_equal(m->stimuli[0].name, "s");
    assert_int_equal(m->stimuli[0].kind, kind);
    return m;
}

static void test_periodic(void **state)
{
    (void)state;
    am_model *m =
        read_one(STIMULUS("PeriodicStimulus", TIME("offset", "2") TIME("recurrence", "5") TIME("minDistance", "4")),
                 AM_STIMULUS_PERIODIC);
    const am_stimulus *s = &m->stimuli[0];
    assert_int_equal(s->recurrence_ps, 5LL * MS);
    assert_int_equal(s->offset_ps, 2LL * MS);
    assert_int_equal(s->min_distance_ps, 4LL * MS);
    assert_false(s->jitter.given);
    amalthea_free(m);
    m = read_one(STIMULUS("PeriodicStimulus", TIME("recurrence", "5")), AM_STIMULUS_PERIODIC);
    assert_int_equal(m->stimuli[0].min_distance_ps, -1);
    amalthea_free(m);
}

static void test_relative(void **state)
{
    (void)state;
    am_model *m =
        read_one(STIMULUS("RelativePeriodicStimulus",
                          TIME("offset", "1") "<nextOccurrence xsi:type=\"am:TimeBoundaries\">" TIME("lowerBound", "5")
                              TIME("upperBound", "10") "</nextOccurrence>"),
                 AM_STIMULUS_RELATIVE);
    const am_stimulus *s = &m->stimuli[0];
    assert_int_equal(s->next_ps.lower, 5LL * MS);
    assert_int_equal(s->next_ps.upper, 10LL * MS);
    assert_int_equal(s->offset_ps, 1LL * MS);
    amalthea_free(m);
    assert_refused(STIMULUS("RelativePeriodicStimulus", ""), "nextOccurrence is missing");
}

static void test_single_and_synthetic(void **state)
{
    (void)state;
    am_model *m = read_one(STIMULUS("SingleStimulus", TIME("occurrence", "7")), AM_STIMULUS_SINGLE);
    assert_int_equal(m->stimuli[0].occurrence_ps, 7LL * MS);
    amalthea_free(m);
    m = read_one(STIMULUS("PeriodicSyntheticStimulus", TIME("recurrence", "10") TIME("occurrenceTimes", "1")
                                                           TIME("occurrenceTimes", "4") TIME("occurrenceTimes", "9")),
                 AM_STIMULUS_SYNTHETIC);
    assert_int_equal(m->stimuli[0].occurrence_count, 3);
    assert_int_equal(m->stimuli[0].occurrences[2], 9LL * MS);
    amalthea_free(m);
    m = amalthea_of("0.9.4",
                    STIMULUS("SyntheticStimulus", TIME("recurrence", "10") "<occurrenceTimes>" TIME("timestamps", "3")
                                                      TIME("timestamps", "5") "</occurrenceTimes>"));
    assert_int_equal(m->stimuli[0].occurrences[1], 5LL * MS);
    amalthea_free(m);
    assert_refused(STIMULUS("SingleStimulus", ""), "occurrence is missing");
    assert_refused(STIMULUS("PeriodicSyntheticStimulus", TIME("recurrence", "10")), "occurrenceTimes is missing");
    assert_refused(STIMULUS("PeriodicSyntheticStimulus",
                            TIME("recurrence", "10") TIME("occurrenceTimes", "4") TIME("occurrenceTimes", "1")),
                   "before the one above it");
    assert_refused(STIMULUS("PeriodicSyntheticStimulus", TIME("recurrence", "10") TIME("occurrenceTimes", "10")),
                   "not within the recurrence");
}

#define ENTRY(number, time) "<entries numberOfOccurrences=\"" number "\">" TIME("lowerTimeBorder", time) "</entries>"

static void test_arrival_curve(void **state)
{
    (void)state;
    /* For two alone it is a distance. */
    am_model *m = read_one(STIMULUS("ArrivalCurveStimulus", ENTRY("2", "3")), AM_STIMULUS_SPORADIC);
    assert_int_equal(m->stimuli[0].next_ps.lower, 3LL * MS);
    assert_false(m->stimuli[0].next_ps.bounded_above);
    amalthea_free(m);
    /* Numbers that are not said are no closer than smaller ones. */
    m = read_one(STIMULUS("ArrivalCurveStimulus", ENTRY("1", "0") ENTRY("2", "3") ENTRY("5", "9")),
                 AM_STIMULUS_ARRIVAL_CURVE);
    static const int64_t expected[] = {3, 3, 3, 9};
    assert_int_equal(m->stimuli[0].occurrence_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(m->stimuli[0].occurrences[i], expected[i] * MS);
    amalthea_free(m);
    assert_refused(STIMULUS("ArrivalCurveStimulus", ENTRY("1", "0")), "no entry for two or more");
    assert_refused(STIMULUS("ArrivalCurveStimulus", ENTRY("0", "0")), "from 1 to 65536");
    assert_refused(STIMULUS("ArrivalCurveStimulus", ENTRY("2000000000", "0")), "from 1 to 65536");
    assert_refused(STIMULUS("ArrivalCurveStimulus", "<entries numberOfOccurrences=\"2\">" TIME("lowerTimeBorder", "3")
                                                        TIME("upperTimeBorder", "2") "</entries>"),
                   "above the upper");
}

/* Three in a burst of 4 ms, 1 ms apart, every 10 ms: as the tightest placement of any number of them says. */
static void test_burst(void **state)
{
    (void)state;
    am_model *m = read_one("<stimuliModel><stimuli xsi:type=\"am:PeriodicBurstStimulus\" name=\"s\" "
                           "occurrenceCount=\"3\">" TIME("recurrence", "10") TIME("burstLength", "4")
                               TIME("occurrenceMinDistance", "1") "</stimuli></stimuliModel>",
                           AM_STIMULUS_ARRIVAL_CURVE);
    static const int64_t expected[] = {1, 2, 8, 9, 10, 18};
    assert_int_equal(m->stimuli[0].occurrence_count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(m->stimuli[0].occurrences[i], expected[i] * MS);
    assert_int_equal(m->stimuli[0].recurrence_ps, 10LL * MS);
    amalthea_free(m);
    /* What does not fit in a burst is cut off. */
    m = read_one("<stimuliModel><stimuli xsi:type=\"am:PeriodicBurstStimulus\" name=\"s\" "
                 "occurrenceCount=\"1000\">" TIME("recurrence", "10") TIME("burstLength", "1")
                     TIME("occurrenceMinDistance", "1") "</stimuli></stimuliModel>",
                 AM_STIMULUS_ARRIVAL_CURVE);
    assert_int_equal(m->stimuli[0].occurrence_count, 4);
    amalthea_free(m);
    assert_refused(STIMULUS("PeriodicBurstStimulus", TIME("recurrence", "10")), "burstLength is missing");
    assert_refused(STIMULUS("PeriodicBurstStimulus", TIME("recurrence", "10") TIME("burstLength", "11")),
                   "above the recurrence");
    assert_refused("<stimuliModel><stimuli xsi:type=\"am:PeriodicBurstStimulus\" name=\"s\" "
                   "occurrenceCount=\"2000000000\">" TIME("recurrence", "10")
                       TIME("burstLength", "4") "</stimuli></stimuliModel>",
                   "occurrenceCount");
}

static void test_variable_rate(void **state)
{
    (void)state;
    am_model *m =
        read_one(STIMULUS("VariableRateStimulus", TIME("step", "100") "<occurrencesPerStep "
                                                                      "xsi:type=\"am:ContinuousValueBoundaries\" "
                                                                      "lowerBound=\"2\" upperBound=\"12.5\"/>"),
                 AM_STIMULUS_VARIABLE_RATE);
    const am_value *next = &m->stimuli[0].next_ps;
    assert_true(next->bounded_below && next->bounded_above);
    assert_int_equal(next->lower, 8LL * MS);
    assert_int_equal(next->upper, 50LL * MS);
    amalthea_free(m);
    m = read_one(STIMULUS("VariableRateStimulus",
                          TIME("step", "100") "<occurrencesPerStep xsi:type=\"am:ContinuousValueGaussDistribution\" "
                                              "mean=\"10\" sd=\"1\"/>"),
                 AM_STIMULUS_VARIABLE_RATE);
    assert_false(m->stimuli[0].next_ps.bounded_below || m->stimuli[0].next_ps.bounded_above);
    assert_float_equal(m->stimuli[0].next_ps.average, 10.0 * MS, 1);
    amalthea_free(m);
    assert_refused(STIMULUS("VariableRateStimulus", ""), "step is missing");
    assert_refused(STIMULUS("VariableRateStimulus", TIME("step", "1")), "occurrencesPerStep is missing");
}

static void test_others(void **state)
{
    (void)state;
    am_model *m = read_one(STIMULUS("InterProcessStimulus", ""), AM_STIMULUS_INTER_PROCESS);
    amalthea_free(m);
    m = read_one(STIMULUS("CustomStimulus", ""), AM_STIMULUS_CUSTOM);
    amalthea_free(m);
    m = read_one("<stimuliModel><stimuli xsi:type=\"am:EventStimulus\" name=\"s\" triggeringEvents=\"e?type=LabelEvent "
                 "f?type=RunnableEvent\"/></stimuliModel><eventModel><events xsi:type=\"am:LabelEvent\" name=\"e\"/>"
                 "<events xsi:type=\"am:RunnableEvent\" name=\"f\"/></eventModel>",
                 AM_STIMULUS_EVENT);
    assert_int_equal(m->stimuli[0].event_count, 2);
    assert_string_equal(m->events[m->stimuli[0].events[1]].name, "f");
    amalthea_free(m);
    m = amalthea_of("0.9.4", STIMULUS("SporadicStimulus",
                                      "<stimulusDeviation xsi:type=\"am:TimeBoundaries\">" TIME("lowerBound", "5")
                                          TIME("upperBound", "6") "</stimulusDeviation>"));
    assert_int_equal(m->stimuli[0].kind, AM_STIMULUS_SPORADIC);
    assert_int_equal(m->stimuli[0].next_ps.lower, 5LL * MS);
    amalthea_free(m);
    assert_refused(STIMULUS("MagicStimulus", ""), "'MagicStimulus' is not a known kind of stimulus");
    assert_refused("<stimuliModel><stimuli name=\"s\"/></stimuliModel>", "not a known kind");
}

/* A counter of a stimulus is not understood, and said to be so. */
static void test_listed(void **state)
{
    (void)state;
    am_model *m = amalthea_new(STIMULUS("InterProcessStimulus", "<counter prescaler=\"2\"/><executionCondition/>"));
    assert_int_equal(amalthea_unknown(m, "stimuli/counter")->meaning, AM_UNUSED_EITHER);
    assert_int_not_equal(amalthea_unknown(m, "stimuli/executionCondition")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_relative),
        cmocka_unit_test(test_single_and_synthetic),
        cmocka_unit_test(test_arrival_curve),
        cmocka_unit_test(test_burst),
        cmocka_unit_test(test_variable_rate),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
