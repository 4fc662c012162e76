#include "amalthea/read/values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/number.h"

typedef struct quantity_unit {
    const char *name;
    int64_t factor;
} quantity_unit;

static const quantity_unit time_units[] = {{"s", 1000000000000}, {"ms", 1000000000}, {"us", 1000000},
                                           {"ns", 1000},         {"ps", 1},          {NULL, 0}};
static const quantity_unit frequency_units[] = {
    {"Hz", 1}, {"kHz", 1000}, {"MHz", 1000000}, {"GHz", 1000000000}, {NULL, 0}};
/* In bits; both spellings of some of them are in use. */
static const quantity_unit size_units[] = {{"bit", 1},
                                           {"kbit", 1000},
                                           {"Mbit", 1000000},
                                           {"Gbit", 1000000000},
                                           {"Tbit", 1000000000000},
                                           {"Kibit", (int64_t)1 << 10},
                                           {"kibit", (int64_t)1 << 10},
                                           {"Mibit", (int64_t)1 << 20},
                                           {"Gibit", (int64_t)1 << 30},
                                           {"Tibit", (int64_t)1 << 40},
                                           {"B", 8},
                                           {"byte", 8},
                                           {"kB", 8000},
                                           {"MB", 8000000},
                                           {"GB", 8000000000},
                                           {"TB", 8000000000000},
                                           {"KiB", (int64_t)8 << 10},
                                           {"MiB", (int64_t)8 << 20},
                                           {"GiB", (int64_t)8 << 30},
                                           {"TiB", (int64_t)8 << 40},
                                           {NULL, 0}};

static bool parse_integer(am_reader *r, const xml_node *n, const char *name, const char *text, int64_t *out)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    bool digits = *text == '-' ? text[1] >= '0' && text[1] <= '9' : *text >= '0' && *text <= '9';
    if (!digits || *end)
        return reader_fail(r, n, "%s: '%.60s' is not a whole number", name, text);
    if (errno == ERANGE)
        return reader_fail(r, n, "%s: %.60s is too large", name, text);
    *out = value;
    return true;
}

bool quantity_integer(am_reader *r, xml_node *n, const char *name, int64_t missing, int64_t *out)
{
    const char *text = xml_get(n, name);
    *out = missing;
    return !text || parse_integer(r, n, name, text, out);
}

bool quantity_real(am_reader *r, xml_node *n, const char *name, double missing, double *out)
{
    const char *text = xml_get(n, name);
    *out = missing;
    if (!text)
        return true;
    char *end;
    double value = number_parse(text, &end);
    bool hostile = strspn(text, "+-.0123456789eE") != strlen(text); /* such as nan, or 0x10 */
    if (end == text || *end || hostile || !isfinite(value))
        return reader_fail(r, n, "%s: '%.60s' is not a number", name, text);
    *out = value;
    return true;
}

bool quantity_bool(am_reader *r, xml_node *n, const char *name, bool missing, bool *out)
{
    const char *text = xml_get(n, name);
    *out = missing;
    if (!text)
        return true;
    *out = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *out || strcmp(text, "false") == 0 || strcmp(text, "0") == 0 ||
           reader_fail(r, n, "%s: '%.60s' is neither true nor false", name, text);
}

/* The factor of the element's unit without `suffix`; 0 where there is none. */
static bool unit_factor(am_reader *r, xml_node *n, const quantity_unit *units, const char *suffix, int64_t *factor)
{
    const char *text = xml_get(n, "unit");
    *factor = 0;
    if (!text || strcmp(text, "_undefined_") == 0)
        return true;
    size_t length = strlen(text), cut = strlen(suffix);
    if (length > cut && strcmp(text + length - cut, suffix) == 0)
        for (const quantity_unit *u = units; u->name; u++)
            if (strlen(u->name) == length - cut && memcmp(u->name, text, length - cut) == 0) {
                *factor = u->factor;
                return true;
            }
    return reader_fail(r, n, "'%.60s' is not a known unit", text);
}

bool quantity_time(am_reader *r, xml_node *n, bool below_zero, int64_t *ps)
{
    int64_t value, factor;
    if (!quantity_integer(r, n, "value", 0, &value) || !unit_factor(r, n, time_units, "", &factor))
        return false;
    if (!factor && value)
        return reader_fail(r, n, "the time has no unit");
    if (value < 0 && !below_zero)
        return reader_fail(r, n, "the time is below 0");
    if (!checked_mul(value, factor, ps))
        return reader_fail(r, n, "the time is too long: more than 106 days");
    return true;
}

bool quantity_child_time(am_reader *r, xml_node *n, const char *name, int64_t missing, int64_t *ps)
{
    xml_node *child = xml_first(n, name);
    *ps = missing;
    return !child || quantity_time(r, child, false, ps);
}

bool quantity_child_size(am_reader *r, xml_node *n, const char *name, int64_t *bits)
{
    xml_node *child = xml_first(n, name);
    int64_t value, factor;
    *bits = -1;
    if (!child)
        return true;
    if (!quantity_integer(r, child, "value", 0, &value) || !unit_factor(r, child, size_units, "", &factor))
        return false;
    if (!factor && value)
        return reader_fail(r, child, "the size has no unit");
    if (value < 0)
        return reader_fail(r, child, "the size is below 0");
    if (factor && !checked_mul(value, factor, bits))
        return reader_fail(r, child, "the size is too large");
    return true;
}

static bool real_with_unit(am_reader *r, xml_node *n, const quantity_unit *units, const char *suffix, double *out)
{
    double value;
    int64_t factor;
    if (!quantity_real(r, n, "value", 0, &value) || !unit_factor(r, n, units, suffix, &factor))
        return false;
    if (!factor && value != 0)
        return reader_fail(r, n, "the value has no unit");
    if (value < 0)
        return reader_fail(r, n, "the value is below 0");
    *out = value * (double)factor;
    if (!isfinite(*out))
        return reader_fail(r, n, "the value is too large");
    return true;
}

bool quantity_child_rate(am_reader *r, xml_node *n, const char *name, double *bits_per_s)
{
    xml_node *child = xml_first(n, name);
    *bits_per_s = 0;
    return !child || real_with_unit(r, child, size_units, "PerSecond", bits_per_s);
}

bool quantity_child_frequency(am_reader *r, xml_node *n, const char *name, double *hz)
{
    xml_node *child = xml_first(n, name);
    *hz = 0;
    return !child || real_with_unit(r, child, frequency_units, "", hz);
}

/* Values that vary have a lower and an upper bound, which only a Gauss distribution may lack. */

/* A bound, mean or average of a deviation. */
typedef struct deviation_number {
    bool given;
    int64_t whole; /* rounded, where `real` is not whole */
    double real;
} deviation_number;

static bool find_kind(am_reader *r, const xml_node *n, am_deviation *kind)
{
    static const char *const names[AM_DEVIATIONS] = {
#define X(id, name) [AM_##id] = name,
        AM_DEVIATION_TABLE(X)
#undef X
    };
    static const char *const prefixes[] = {"DiscreteValue", "ContinuousValue", "Time"};
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
        size_t length = strlen(prefixes[p]);
        if (strncmp(n->type, prefixes[p], length) != 0)
            continue;
        for (size_t k = 0; k < AM_DEVIATIONS; k++)
            if (strcmp(n->type + length, names[k]) == 0) {
                *kind = (am_deviation)k;
                return true;
            }
    }
    if (!*n->type)
        return reader_fail(r, n, "it does not say which kind of value it is (xsi:type)");
    return reader_fail(r, n, "'%.80s' is not a known kind of value that varies", n->type);
}

static bool to_milli(am_reader *r, const xml_node *n, const char *name, double value, bool up, int64_t *out)
{
    double scaled = up ? ceil(value * 1000) : floor(value * 1000);
    if (fabs(scaled) > 9e15)
        return reader_fail(r, n, "%s is too large", name);
    *out = (int64_t)scaled;
    return true;
}

/* Takes a number of the element: an attribute, or a child where it is a time. */
static bool take(am_reader *r, xml_node *n, const char *name, deviation_of of, bool up, deviation_number *out)
{
    *out = (deviation_number){0};
    if (of == DEVIATION_TIME || of == DEVIATION_JITTER) {
        xml_node *child = xml_first(n, name);
        out->given = child;
        if (child && !quantity_time(r, child, of == DEVIATION_JITTER, &out->whole))
            return false;
        out->real = (double)out->whole;
        return true;
    }
    out->given = xml_peek(n, name);
    if (of == DEVIATION_MILLI) {
        if (!quantity_real(r, n, name, 0, &out->real) || !to_milli(r, n, name, out->real, up, &out->whole))
            return false;
        out->real *= 1000;
    } else {
        if (!quantity_integer(r, n, name, 0, &out->whole))
            return false;
        out->real = (double)out->whole;
    }
    return of == DEVIATION_JITTER || out->whole >= 0 || reader_fail(r, n, "%s is below 0", name);
}

/* Takes an average or a mean, which need not be whole for whole numbers. */
static bool take_real(am_reader *r, xml_node *n, const char *name, deviation_of of, deviation_number *out)
{
    if (of != DEVIATION_COUNT)
        return take(r, n, name, of, false, out);
    out->given = xml_peek(n, name);
    return quantity_real(r, n, name, 0, &out->real);
}

static bool take_bounds(am_reader *r, xml_node *n, deviation_of of, am_value *value)
{
    deviation_number lower, upper;
    if (!take(r, n, "lowerBound", of, false, &lower) || !take(r, n, "upperBound", of, true, &upper))
        return false;
    bool times = of == DEVIATION_TIME || of == DEVIATION_JITTER;
    bool optional = value->kind == AM_GAUSS;
    /* The schema's numbers are 0 where they are not written; its times are needed. */
    if (times && !optional && (!lower.given || !upper.given))
        return reader_fail(r, n, "%s is missing", lower.given ? "upperBound" : "lowerBound");
    value->bounded_below = lower.given || !optional;
    value->bounded_above = upper.given || !optional;
    value->lower = lower.whole;
    value->upper = upper.whole;
    if (value->bounded_below && value->bounded_above && value->lower > value->upper)
        return reader_fail(r, n, "the lower bound is above the upper one");
    return true;
}

static bool read_constant(am_reader *r, xml_node *n, deviation_of of, am_value *value)
{
    deviation_number lower, upper;
    if (!take(r, n, "value", of, false, &lower) || !take(r, n, "value", of, true, &upper))
        return false;
    if (!lower.given && (of == DEVIATION_TIME || of == DEVIATION_JITTER))
        return reader_fail(r, n, "value is missing");
    value->bounded_below = value->bounded_above = true;
    value->lower = lower.whole;
    value->upper = upper.whole;
    value->average = lower.real;
    return true;
}

static bool read_histogram(am_reader *r, xml_node *n, deviation_of of, am_value *value)
{
    double sum = 0, weight = 0;
    bool any = false;
    for (xml_node *e = xml_first(n, "entries"); e; e = xml_next(e, "entries")) {
        am_value entry = {.kind = AM_BOUNDARIES};
        int64_t occurrences;
        if (!take_bounds(r, e, of, &entry) || !quantity_integer(r, e, "occurrences", 1, &occurrences))
            return false;
        if (occurrences <= 0)
            return reader_fail(r, e, "occurrences must be above 0");
        if (!any || entry.lower < value->lower)
            value->lower = entry.lower;
        if (!any || entry.upper > value->upper)
            value->upper = entry.upper;
        any = true;
        sum += ((double)entry.lower + (double)entry.upper) / 2 * (double)occurrences;
        weight += (double)occurrences;
    }
    if (!any)
        return reader_fail(r, n, "the histogram has no entries");
    value->bounded_below = value->bounded_above = true;
    value->average = sum / weight;
    return true;
}

/* An average that is written must be between the bounds; 0 is what tools write for none. */
static bool read_average(am_reader *r, xml_node *n, deviation_of of, am_value *value)
{
    deviation_number average = {0};
    if (!take_bounds(r, n, of, value) || !take_real(r, n, "average", of, &average))
        return false;
    if (!average.given || (average.real == 0 && value->lower > 0))
        return true;
    if (average.real < (double)value->lower || average.real > (double)value->upper)
        return reader_fail(r, n, "the average is not between the bounds");
    value->average = average.real;
    return true;
}

static bool read_weibull(am_reader *r, xml_node *n, deviation_of of, am_value *value)
{
    double remain;
    if (!read_average(r, n, of, value) || !quantity_real(r, n, "pRemainPromille", 1, &remain))
        return false;
    return (remain >= 0 && remain <= 1000) || reader_fail(r, n, "pRemainPromille must be from 0 to 1000");
}

static bool read_gauss(am_reader *r, xml_node *n, deviation_of of, am_value *value)
{
    deviation_number mean = {0}, sd = {0};
    if (!take_bounds(r, n, of, value) || !take_real(r, n, "mean", of, &mean) || !take_real(r, n, "sd", of, &sd))
        return false;
    if (sd.real < 0)
        return reader_fail(r, n, "sd is below 0");
    value->average = mean.real;
    if (value->bounded_below && value->average < (double)value->lower)
        value->average = (double)value->lower;
    if (value->bounded_above && value->average > (double)value->upper)
        value->average = (double)value->upper;
    return true;
}

static bool read_beta(am_reader *r, xml_node *n, deviation_of of, am_value *value)
{
    double alpha, beta;
    if (!take_bounds(r, n, of, value) || !quantity_real(r, n, "alpha", 1, &alpha) ||
        !quantity_real(r, n, "beta", 1, &beta))
        return false;
    if (alpha <= 0 || beta <= 0)
        return reader_fail(r, n, "alpha and beta must be above 0");
    double share = alpha / (alpha + beta); /* of the way from the lower to the upper bound */
    value->average = (double)value->lower * (1 - share) + (double)value->upper * share;
    return true;
}

/* Of the element itself. */
static bool deviation_read(am_reader *r, xml_node *n, deviation_of of, am_value *value)
{
    *value = (am_value){.given = true, .average = -1, .at = reader_place(r, n)};
    if (!find_kind(r, n, &value->kind))
        return false;
    switch (value->kind) {
    case AM_CONSTANT:
        return read_constant(r, n, of, value);
    case AM_HISTOGRAM:
        return read_histogram(r, n, of, value);
    case AM_BOUNDARIES:
        xml_get(n, "samplingType"); /* how a simulation draws it; the bounds are the same */
        return take_bounds(r, n, of, value);
    case AM_STATISTICS:
        return read_average(r, n, of, value);
    case AM_UNIFORM:
        if (!take_bounds(r, n, of, value))
            return false;
        value->average = ((double)value->lower + (double)value->upper) / 2;
        return true;
    case AM_GAUSS:
        return read_gauss(r, n, of, value);
    case AM_BETA:
        return read_beta(r, n, of, value);
    case AM_WEIBULL:
        return read_weibull(r, n, of, value);
    default:
        return reader_fail(r, n, "'%.80s' is not a known kind of value that varies", n->type);
    }
}

bool deviation_child(am_reader *r, xml_node *n, const char *name, deviation_of of, am_value *value)
{
    *value = (am_value){.average = -1};
    xml_node *child = xml_first(n, name);
    return !child || deviation_read(r, child, of, value);
}
