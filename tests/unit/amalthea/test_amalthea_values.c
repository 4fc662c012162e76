/* Values that vary, quantities with units, and custom properties. */
#include <stdio.h>
#include <string.h>

#include "support/amalthea.h"

/* A runnable with ticks of this kind; the value's attributes and children are given. */
static am_model *with_ticks(const char *value)
{
    char body[2000];
    snprintf(body, sizeof body,
             "<swModel><runnables name=\"f\"><activityGraph><items xsi:type=\"am:Ticks\">"
             "%s</items></activityGraph></runnables></swModel>",
             value);
    return amalthea_new(body);
}

static am_value ticks_of(const char *value)
{
    am_model *m = with_ticks(value);
    am_value v = m->runnables[0].items[0].ticks[0].value;
    assert_int_equal(m->runnables[0].items[0].ticks[0].definition, -1);
    assert_true(v.given);
    amalthea_free(m);
    return v;
}

static void refuse_ticks(const char *value, const char *part)
{
    char body[2000];
    snprintf(body, sizeof body,
             "<swModel><runnables name=\"f\"><activityGraph><items xsi:type=\"am:Ticks\">"
             "%s</items></activityGraph></runnables></swModel>",
             value);
    assert_refused(body, part);
}

#define DISCRETE(class, rest) "<default xsi:type=\"am:DiscreteValue" class "\" " rest "/>"

static void assert_range(const am_value *v, am_deviation kind, int64_t lower, int64_t upper, double average)
{
    assert_int_equal(v->kind, kind);
    assert_true(v->bounded_below && v->bounded_above);
    assert_int_equal(v->lower, lower);
    assert_int_equal(v->upper, upper);
    if (!(v->average > average - 1e-6 && v->average < average + 1e-6))
        fail_msg("average %g instead of %g", v->average, average);
}

static void test_discrete(void **state)
{
    (void)state;
    am_value v = ticks_of(DISCRETE("Constant", "value=\"7\""));
    assert_range(&v, AM_CONSTANT, 7, 7, 7);
    v = ticks_of(DISCRETE("Boundaries", "lowerBound=\"2\" upperBound=\"9\" samplingType=\"WorstCase\""));
    assert_range(&v, AM_BOUNDARIES, 2, 9, -1);
    v = ticks_of(DISCRETE("Statistics", "lowerBound=\"2\" upperBound=\"9\" average=\"3.5\""));
    assert_range(&v, AM_STATISTICS, 2, 9, 3.5);
    v = ticks_of(DISCRETE("UniformDistribution", "lowerBound=\"2\" upperBound=\"9\""));
    assert_range(&v, AM_UNIFORM, 2, 9, 5.5);
    v = ticks_of(DISCRETE("BetaDistribution", "lowerBound=\"10\" upperBound=\"20\" alpha=\"1\" beta=\"3\""));
    assert_range(&v, AM_BETA, 10, 20, 12.5);
    v = ticks_of(DISCRETE("WeibullEstimatorsDistribution",
                          "lowerBound=\"1\" upperBound=\"5\" average=\"2\" pRemainPromille=\"0.5\""));
    assert_range(&v, AM_WEIBULL, 1, 5, 2);
    v = ticks_of(DISCRETE("GaussDistribution", "lowerBound=\"1\" upperBound=\"5\" mean=\"2\" sd=\"0.5\""));
    assert_range(&v, AM_GAUSS, 1, 5, 2);
    v = ticks_of("<default xsi:type=\"am:DiscreteValueHistogram\"><entries occurrences=\"3\" lowerBound=\"4\" "
                 "upperBound=\"6\"/><entries lowerBound=\"10\" upperBound=\"16\"/></default>");
    assert_range(&v, AM_HISTOGRAM, 4, 16, (3 * 5 + 13) / 4.0);
}

/* What is not written is 0 in the schema, and an average of 0 below the lower bound is none. */
static void test_defaults(void **state)
{
    (void)state;
    am_value v = ticks_of(DISCRETE("Constant", ""));
    assert_range(&v, AM_CONSTANT, 0, 0, 0);
    v = ticks_of(DISCRETE("Boundaries", "upperBound=\"3\""));
    assert_range(&v, AM_BOUNDARIES, 0, 3, -1);
    v = ticks_of(DISCRETE("Statistics", "lowerBound=\"2\" upperBound=\"3\" average=\"0.0\""));
    assert_range(&v, AM_STATISTICS, 2, 3, -1);
}

static void test_unbounded(void **state)
{
    (void)state;
    am_value v = ticks_of(DISCRETE("GaussDistribution", "mean=\"20.5\" sd=\"2\""));
    assert_false(v.bounded_below || v.bounded_above);
    assert_true(v.average == 20.5);
    v = ticks_of(DISCRETE("GaussDistribution", "mean=\"20\" sd=\"2\" upperBound=\"10\""));
    assert_true(v.bounded_above && !v.bounded_below && v.upper == 10 && v.average == 10);
}

static void test_wrong_numbers(void **state)
{
    (void)state;
    refuse_ticks(DISCRETE("Constant", "value=\"-1\""), "value is below 0");
    refuse_ticks(DISCRETE("Constant", "value=\"1.5\""), "'1.5' is not a whole number");
    refuse_ticks(DISCRETE("Constant", "value=\"\""), "is not a whole number");
    refuse_ticks(DISCRETE("Constant", "value=\"7x\""), "is not a whole number");
    refuse_ticks(DISCRETE("Constant", "value=\"9223372036854775808\""), "9223372036854775808 is too large");
    refuse_ticks(DISCRETE("Constant", "value=\"-99999999999999999999\""), "too large");
    refuse_ticks(DISCRETE("Boundaries", "lowerBound=\"3\" upperBound=\"2\""), "the lower bound is above the upper");
    refuse_ticks(DISCRETE("Statistics", "lowerBound=\"3\" upperBound=\"4\" average=\"5\""), "not between the bounds");
    refuse_ticks(DISCRETE("Statistics", "lowerBound=\"3\" upperBound=\"4\" average=\"nan\""), "is not a number");
    refuse_ticks(DISCRETE("Statistics", "lowerBound=\"3\" upperBound=\"4\" average=\"1e999\""), "is not a number");
    refuse_ticks(DISCRETE("Statistics", "lowerBound=\"3\" upperBound=\"4\" average=\"0x3\""), "is not a number");
    refuse_ticks(DISCRETE("BetaDistribution", "upperBound=\"4\" alpha=\"0\" beta=\"1\""), "above 0");
    refuse_ticks(DISCRETE("GaussDistribution", "mean=\"4\" sd=\"-1\""), "sd is below 0");
    refuse_ticks(DISCRETE("WeibullEstimatorsDistribution", "upperBound=\"4\" pRemainPromille=\"1001\""),
                 "from 0 to 1000");
    refuse_ticks("<default xsi:type=\"am:DiscreteValueHistogram\"/>", "no entries");
    refuse_ticks("<default xsi:type=\"am:DiscreteValueHistogram\"><entries occurrences=\"0\"/></default>", "above 0");
    refuse_ticks("<default xsi:type=\"am:DiscreteValueMagic\"/>", "'DiscreteValueMagic' is not a known kind");
    refuse_ticks("<default value=\"3\"/>", "xsi:type");
}

static am_model *periodic(const char *rest)
{
    char body[2000];
    snprintf(body, sizeof body,
             "<stimuliModel><stimuli xsi:type=\"am:PeriodicStimulus\" name=\"s\">%s</stimuli></stimuliModel>", rest);
    return amalthea_new(body);
}

static void test_times(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        int64_t ps;
    } units[] = {{"s", 3000000000000}, {"ms", 3000000000}, {"us", 3000000}, {"ns", 3000}, {"ps", 3}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char rest[100];
        snprintf(rest, sizeof rest, "<recurrence value=\"3\" unit=\"%s\"/><offset value=\"0\"/>", units[i].unit);
        am_model *m = periodic(rest);
        assert_int_equal(m->stimuli[0].recurrence_ps, units[i].ps);
        assert_int_equal(m->stimuli[0].offset_ps, 0);
        amalthea_free(m);
    }
}

#define TIME(tag, value) "<" tag " value=\"" value "\" unit=\"ms\"/>"
#define JITTER(class, rest) TIME("recurrence", "10") "<jitter xsi:type=\"am:Time" class ">" rest "</jitter>"

static void test_time_deviations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        am_deviation kind;
        int64_t lower, upper; /* ms */
        double average;
    } cases[] = {
        {JITTER("Constant\"", TIME("value", "2")), AM_CONSTANT, 2, 2, 2},
        {JITTER("Boundaries\"", TIME("lowerBound", "1") TIME("upperBound", "4")), AM_BOUNDARIES, 1, 4, -1e-9},
        {JITTER("Statistics\"", TIME("lowerBound", "1") TIME("upperBound", "4") TIME("average", "3")), AM_STATISTICS, 1,
         4, 3},
        {JITTER("UniformDistribution\"", TIME("lowerBound", "-2") TIME("upperBound", "4")), AM_UNIFORM, -2, 4, 1},
        {JITTER("BetaDistribution\" alpha=\"2\" beta=\"2\"", TIME("lowerBound", "1") TIME("upperBound", "5")), AM_BETA,
         1, 5, 3},
        {JITTER("WeibullEstimatorsDistribution\" pRemainPromille=\"1\"",
                TIME("lowerBound", "1") TIME("upperBound", "5") TIME("average", "2")),
         AM_WEIBULL, 1, 5, 2},
        {JITTER("GaussDistribution\"",
                TIME("lowerBound", "1") TIME("upperBound", "5") TIME("mean", "2") TIME("sd", "1")),
         AM_GAUSS, 1, 5, 2},
        {JITTER("Histogram\"",
                "<entries occurrences=\"2\">" TIME("lowerBound", "1") TIME("upperBound", "3") "</entries>"),
         AM_HISTOGRAM, 1, 3, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        am_model *m = periodic(cases[i].text);
        const am_value *v = &m->stimuli[0].jitter;
        assert_range(v, cases[i].kind, cases[i].lower * 1000000000, cases[i].upper * 1000000000,
                     cases[i].average * 1e9);
        amalthea_free(m);
    }
}

static void test_wrong_times(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"<recurrence value=\"3\"/>", "the time has no unit"},
        {"<recurrence value=\"3\" unit=\"_undefined_\"/>", "the time has no unit"},
        {"<recurrence value=\"3\" unit=\"min\"/>", "'min' is not a known unit"},
        {"<recurrence value=\"-3\" unit=\"ms\"/>", "the time is below 0"},
        {"<recurrence value=\"9223373\" unit=\"s\"/>", "the time is too long"},
        {"<recurrence value=\"0\" unit=\"ms\"/>", "recurrence is 0"},
        {"", "recurrence is missing"},
        {TIME("recurrence", "1") "<jitter xsi:type=\"am:TimeBoundaries\">" TIME("lowerBound", "1") "</jitter>",
         "upperBound is missing"},
        {TIME("recurrence", "1") "<jitter xsi:type=\"am:TimeConstant\"/>", "value is missing"},
        {JITTER("Boundaries\"", TIME("lowerBound", "5") TIME("upperBound", "4")), "above the upper"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[1000];
        snprintf(body, sizeof body,
                 "<stimuliModel><stimuli xsi:type=\"am:PeriodicStimulus\" name=\"s\">%s</stimuli></stimuliModel>",
                 cases[i][0]);
        assert_refused(body, cases[i][1]);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        int64_t bits;
    } units[] = {{"bit", 5},
                 {"kbit", 5000},
                 {"Mbit", 5000000},
                 {"Gbit", 5000000000},
                 {"Tbit", 5000000000000},
                 {"Kibit", 5 * 1024},
                 {"Mibit", 5 * 1048576},
                 {"B", 40},
                 {"kB", 40000},
                 {"MB", 40000000},
                 {"GB", 40000000000},
                 {"TB", 40000000000000},
                 {"KiB", 40960},
                 {"MiB", 41943040},
                 {"GiB", 42949672960},
                 {"TiB", 43980465111040}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char body[300];
        snprintf(body, sizeof body,
                 "<swModel><labels name=\"l\"><size value=\"5\" unit=\"%s\"/></labels><labels name=\"none\"/></swModel>"
                 "<hwModel><definitions xsi:type=\"am:MemoryDefinition\" name=\"d\"><dataRate value=\"5\" "
                 "unit=\"%sPerSecond\"/></definitions></hwModel>",
                 units[i].unit, units[i].unit);
        am_model *m = amalthea_new(body);
        assert_int_equal(m->labels[0].bits, units[i].bits);
        assert_int_equal(m->labels[1].bits, -1);
        assert_true(m->definitions[0].data_rate == (double)units[i].bits);
        amalthea_free(m);
    }
    assert_refused("<swModel><labels name=\"l\"><size value=\"5\"/></labels></swModel>", "the size has no unit");
    assert_refused("<swModel><labels name=\"l\"><size value=\"-5\" unit=\"B\"/></labels></swModel>", "below 0");
    assert_refused("<swModel><labels name=\"l\"><size value=\"9000000000000000000\" unit=\"B\"/></labels></swModel>",
                   "the size is too large");
    assert_refused("<hwModel><definitions xsi:type=\"am:MemoryDefinition\" name=\"d\"><dataRate value=\"5\" "
                   "unit=\"MB\"/></definitions></hwModel>",
                   "'MB' is not a known unit");
}

static void test_frequencies(void **state)
{
    (void)state;
    static const char body[] = "<hwModel><structures name=\"s\"><modules xsi:type=\"am:ProcessingUnit\" name=\"u\" "
                               "frequencyDomain=\"f?type=FrequencyDomain\"/></structures><domains "
                               "xsi:type=\"am:FrequencyDomain\" name=\"f\"><defaultValue value=\"2.5\" "
                               "unit=\"%s\"/></domains></hwModel>";
    static const struct {
        const char *unit;
        double hz;
    } units[] = {{"Hz", 2.5}, {"kHz", 2500}, {"MHz", 2.5e6}, {"GHz", 2.5e9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char text[600];
        snprintf(text, sizeof text, body, units[i].unit);
        am_model *m = amalthea_new(text);
        assert_true(m->units[0].frequency == units[i].hz);
        amalthea_free(m);
    }
}

static void test_properties(void **state)
{
    (void)state;
    static const char body[] =
        "<swModel><runnables name=\"f\">"
        "<customProperties key=\"GridSize\"><value xsi:type=\"am:IntegerObject\" value=\"20\"/></customProperties>"
        "<customProperties key=\"zero\"><value xsi:type=\"am:LongObject\"/></customProperties>"
        "<customProperties key=\"text\"><value xsi:type=\"am:StringObject\" value=\"a &lt; b &amp; "
        "c\"/></customProperties>"
        "<customProperties key=\"real\"><value xsi:type=\"am:DoubleObject\" value=\"1.5\"/></customProperties>"
        "<customProperties key=\"no\"><value xsi:type=\"am:BooleanObject\"/></customProperties>"
        "<customProperties key=\"time\"><value xsi:type=\"am:Time\" value=\"3\" unit=\"ms\"/></customProperties>"
        "<customProperties key=\"other\"><value xsi:type=\"am:ReferenceObject\" value=\"E%2FE+1?type=Task\"/>"
        "</customProperties>"
        "<customProperties key=\"far\"><value xsi:type=\"am:ReferenceObject\"><value xsi:type=\"am:Task\" "
        "href=\"amlt:/#T?type=Task\"/></value></customProperties>"
        "<customProperties key=\"list\"><value xsi:type=\"am:ListObject\"><values xsi:type=\"am:IntegerObject\" "
        "value=\"1\"/><values xsi:type=\"am:ListObject\"><values xsi:type=\"am:StringObject\" value=\"x\"/><values "
        "xsi:type=\"am:StringObject\" value=\"y\"/></values></value></customProperties>"
        "<customProperties key=\"map\"><value xsi:type=\"am:MapObject\"><entries key=\"a\"><value "
        "xsi:type=\"am:IntegerObject\" value=\"1\"/></entries><entries key=\"b\"><value xsi:type=\"am:IntegerObject\" "
        "value=\"2\"/></entries></value></customProperties>"
        "<customProperties key=\"nothing\"/>"
        "</runnables></swModel>";
    static const char *const expected[][2] = {
        {"GridSize", "20"}, {"zero", "0"}, {"text", "a < b & c"}, {"real", "1.5"},    {"no", "false"}, {"time", "3 ms"},
        {"other", "E/E 1"}, {"far", "T"},  {"list", "1 x y"},     {"map", "a=1 b=2"}, {"nothing", ""}};
    am_model *m = amalthea_new(body);
    const am_runnable *f = &m->runnables[0];
    assert_int_equal(f->property_count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < f->property_count; i++) {
        assert_string_equal(f->properties[i].key, expected[i][0]);
        assert_string_equal(f->properties[i].value, expected[i][1]);
    }
    assert_int_equal(f->properties[0].at.line, 3);
    assert_null(amalthea_unknown(m, "runnables/customProperties"));
    amalthea_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_discrete),    cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_unbounded),   cmocka_unit_test(test_wrong_numbers),
        cmocka_unit_test(test_times),       cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_frequencies), cmocka_unit_test(test_time_deviations),
        cmocka_unit_test(test_wrong_times), cmocka_unit_test(test_properties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
