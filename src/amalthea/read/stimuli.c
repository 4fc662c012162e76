/* Reads stimuli of every kind. */
#include <string.h>

#include "amalthea/read/reader.h"
#include "amalthea/read/references.h"
#include "amalthea/read/values.h"
#include "base/integers.h"

#define MAX_OCCURRENCES 65536 /* of an arrival curve or a burst */

static bool read_kind(am_reader *r, const xml_node *n, am_stimulus_kind *kind)
{
    static const struct {
        const char *class;
        am_stimulus_kind kind;
    } kinds[] = {
#define X(id, name) {name, AM_STIMULUS_##id},
        AM_STIMULUS_TABLE(X)
#undef X
            {"PeriodicBurstStimulus", AM_STIMULUS_ARRIVAL_CURVE},
        {"SyntheticStimulus", AM_STIMULUS_SYNTHETIC}, /* its name before 0.9.5 */
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(n->type, kinds[i].class) == 0) {
            *kind = kinds[i].kind;
            return true;
        }
    return reader_fail(r, n, "'%.80s' is not a known kind of stimulus", n->type);
}

static bool read_recurrence(am_reader *r, xml_node *n, am_stimulus *s)
{
    if (!quantity_child_time(r, n, "recurrence", -1, &s->recurrence_ps))
        return false;
    if (s->recurrence_ps < 0)
        return reader_fail(r, n, "recurrence is missing");
    return s->recurrence_ps > 0 || reader_fail(r, n, "recurrence is 0");
}

static bool read_periodic(am_reader *r, xml_node *n, am_stimulus *s)
{
    return read_recurrence(r, n, s) && deviation_child(r, n, "jitter", DEVIATION_JITTER, &s->jitter) &&
           quantity_child_time(r, n, "minDistance", -1, &s->min_distance_ps);
}

/* The distance to the next occurrence, under one of the names that it had. */
static bool read_distance(am_reader *r, xml_node *n, am_stimulus *s)
{
    static const char *const names[] = {"nextOccurrence", "stimulusDeviation", "occurrence"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !s->next_ps.given; i++)
        if (!deviation_child(r, n, names[i], DEVIATION_TIME, &s->next_ps))
            return false;
    return s->next_ps.given || reader_fail(r, n, "nextOccurrence is missing");
}

static bool read_single(am_reader *r, xml_node *n, am_stimulus *s)
{
    if (!quantity_child_time(r, n, "occurrence", -1, &s->occurrence_ps))
        return false;
    return s->occurrence_ps >= 0 || reader_fail(r, n, "occurrence is missing");
}

/* Reads a list of ascending times, which repeats. */
static bool read_synthetic(am_reader *r, xml_node *n, am_stimulus *s)
{
    xml_node *in = xml_first(n, "occurrenceTimes");
    const char *tag = in && xml_first(in, "timestamps") ? "timestamps" : "occurrenceTimes";
    in = in && strcmp(tag, "timestamps") == 0 ? in : n;
    for (xml_node *t = xml_first(in, tag); t; t = xml_next(t, tag))
        s->occurrence_count++;
    int64_t *times = reader_array(r, s->occurrence_count, sizeof *times);
    if (!times || !read_recurrence(r, n, s))
        return false;
    s->occurrences = times;
    size_t i = 0;
    for (xml_node *t = xml_first(in, tag); t; t = xml_next(t, tag), i++) {
        if (!quantity_time(r, t, false, &times[i]))
            return false;
        if (i && times[i] < times[i - 1])
            return reader_fail(r, t, "the time is before the one above it");
        if (times[i] >= s->recurrence_ps)
            return reader_fail(r, t, "the time is not within the recurrence");
    }
    return s->occurrence_count || reader_fail(r, n, "occurrenceTimes is missing");
}

/* Reads the least time that each number of occurrences spans; a number without an entry has that of the next smaller
 * one. */
static bool read_entries(am_reader *r, xml_node *n, int64_t *distances, size_t count, am_value *two)
{
    for (xml_node *e = xml_first(n, "entries"); e; e = xml_next(e, "entries")) {
        int64_t number, lower, upper;
        if (!quantity_integer(r, e, "numberOfOccurrences", 1, &number) ||
            !quantity_child_time(r, e, "lowerTimeBorder", 0, &lower) ||
            !quantity_child_time(r, e, "upperTimeBorder", -1, &upper))
            return false;
        if (upper >= 0 && lower > upper)
            return reader_fail(r, e, "the lower time is above the upper one");
        if (number >= 2)
            distances[number - 2] = lower;
        if (number == 2)
            *two = (am_value){.given = true,
                              .kind = AM_BOUNDARIES,
                              .bounded_below = true,
                              .bounded_above = upper >= 0,
                              .lower = lower,
                              .upper = upper >= 0 ? upper : 0,
                              .average = -1,
                              .at = reader_place(r, e)};
    }
    for (size_t i = 1; i < count; i++)
        distances[i] = max_i64(distances[i], distances[i - 1]);
    return true;
}

static bool read_arrival_curve(am_reader *r, xml_node *n, am_stimulus *s)
{
    int64_t most = 1, number;
    for (xml_node *e = xml_first(n, "entries"); e; e = xml_next(e, "entries")) {
        if (!quantity_integer(r, e, "numberOfOccurrences", 1, &number))
            return false;
        if (number < 1 || number > MAX_OCCURRENCES)
            return reader_fail(r, e, "numberOfOccurrences must be from 1 to %d", MAX_OCCURRENCES);
        most = max_i64(most, number);
    }
    if (most < 2)
        return reader_fail(r, n, "there is no entry for two or more occurrences");
    int64_t *distances = reader_array(r, (size_t)(most - 1), sizeof *distances);
    if (!distances || !read_entries(r, n, distances, (size_t)(most - 1), &s->next_ps))
        return false;
    s->kind = most == 2 ? AM_STIMULUS_SPORADIC : AM_STIMULUS_ARRIVAL_CURVE;
    s->occurrences = distances;
    s->occurrence_count = (size_t)(most - 1);
    return true;
}

/* Up to `count` occurrences come anywhere in a burst that recurs. Computes the least time that any number of them
 * spans, for up to two bursts: more than one burst has reach from the end of one into the beginning of the next. */
static bool read_burst(am_reader *r, xml_node *n, am_stimulus *s)
{
    int64_t length, apart, count;
    if (!read_recurrence(r, n, s) || !quantity_child_time(r, n, "burstLength", -1, &length) ||
        !quantity_child_time(r, n, "occurrenceMinDistance", 0, &apart) ||
        !quantity_integer(r, n, "occurrenceCount", 1, &count))
        return false;
    if (length < 0)
        return reader_fail(r, n, "burstLength is missing");
    if (length > s->recurrence_ps)
        return reader_fail(r, n, "burstLength is above the recurrence");
    if (count < 1 || count > MAX_OCCURRENCES / 2)
        return reader_fail(r, n, "occurrenceCount must be from 1 to %d", MAX_OCCURRENCES / 2);
    if (apart && count > length / apart + 1)
        count = length / apart + 1; /* more do not fit into the burst */
    int64_t *distances = reader_array(r, (size_t)(2 * count), sizeof *distances);
    if (!distances)
        return false;
    for (int64_t k = 2; k <= 2 * count + 1; k++) {
        int64_t within = k <= count ? apart * (k - 1) : INT64_MAX, across, more;
        int64_t bursts = k <= 2 * count ? 1 : 2, rest = k - (bursts - 1) * count - 2;
        if (!checked_mul(s->recurrence_ps, bursts, &across) || !checked_mul(apart, rest, &more) ||
            !checked_add(across - length, more, &across))
            return reader_fail(r, n, "the times are too long");
        distances[k - 2] = min_i64(within, across);
    }
    s->occurrences = distances;
    s->occurrence_count = (size_t)(2 * count);
    return true;
}

/* Converts occurrences per step of time to the distance between them. */
static bool read_variable_rate(am_reader *r, xml_node *n, am_stimulus *s)
{
    int64_t step;
    am_value rate;
    if (!quantity_child_time(r, n, "step", -1, &step) ||
        !deviation_child(r, n, "occurrencesPerStep", DEVIATION_MILLI, &rate))
        return false;
    if (step <= 0)
        return reader_fail(r, n, "step is missing or 0");
    if (!rate.given)
        return reader_fail(r, n, "occurrencesPerStep is missing");
    am_value *next = &s->next_ps;
    *next = (am_value){.given = true, .kind = AM_BOUNDARIES, .average = -1, .at = rate.at};
    int64_t upper = 0;
    if (rate.bounded_above && rate.upper > 0 && step <= INT64_MAX / 1000) {
        next->bounded_below = true;
        next->lower = step * 1000 / rate.upper;
    }
    if (rate.bounded_below && rate.lower > 0 && checked_mul_div_up(step, 1000, rate.lower, &upper)) {
        next->bounded_above = true;
        next->upper = upper;
    }
    if (rate.average > 0)
        next->average = (double)step * 1000 / rate.average;
    return true;
}

static bool read_stimulus(am_reader *r, xml_node *n, const char *class, void *slot)
{
    am_stimulus *s = slot;
    s->at = reader_place(r, n);
    s->name = reader_keep(r, xml_get(n, "name"));
    s->recurrence_ps = s->min_distance_ps = -1;
    s->jitter.average = s->next_ps.average = -1;
    if (!s->name || !read_kind(r, n, &s->kind) || !quantity_child_time(r, n, "offset", 0, &s->offset_ps))
        return false;
    if (strcmp(class, "PeriodicBurstStimulus") == 0)
        return read_burst(r, n, s);
    switch (s->kind) {
    case AM_STIMULUS_PERIODIC:
        return read_periodic(r, n, s);
    case AM_STIMULUS_RELATIVE:
    case AM_STIMULUS_SPORADIC:
        return read_distance(r, n, s);
    case AM_STIMULUS_SINGLE:
        return read_single(r, n, s);
    case AM_STIMULUS_SYNTHETIC:
        return read_synthetic(r, n, s);
    case AM_STIMULUS_ARRIVAL_CURVE:
        return read_arrival_curve(r, n, s);
    case AM_STIMULUS_VARIABLE_RATE:
        return read_variable_rate(r, n, s);
    case AM_STIMULUS_EVENT:
        return reference_list(r, n, "triggeringEvents", SYMBOL_EVENT, &s->events, &s->event_count);
    default: /* INTER_PROCESS and CUSTOM say nothing more */
        return true;
    }
}

bool read_stimuli(am_reader *r)
{
    const void *array;
    bool good = read_each(r, SYMBOL_STIMULUS, sizeof(am_stimulus), read_stimulus, &array, &r->m->stimulus_count);
    r->m->stimuli = good ? array : NULL;
    return good;
}
