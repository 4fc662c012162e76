/* Chrome traces, read back and looked at as Perfetto's importer does. */
#ifndef TESTS_TRACE_H
#define TESTS_TRACE_H

#include <jansson.h>

#include "gridcast/gridcast.h"

/* The events of a run's trace; options may be NULL. For the caller to json_decref. */
json_t *trace_events(const gcast_run *run, const gcast_report_options *o);

const char *trace_word(json_t *e, const char *key); /* "" where it is not there */
int64_t trace_number(json_t *e, const char *key);
/* Microseconds with three decimals, which are exact in a double here, in nanoseconds. */
int64_t trace_ns(json_t *e, const char *key);
/* Events of this phase. */
size_t trace_count(json_t *list, const char *phase);

/* What the importer wants: threads from 1 with a name, X with a duration, and slices of a thread, by time and then as
 * they are in the file, one after another or one inside of the other: it drops those that only overlap. */
void trace_assert_tracks(json_t *list);
/* Each arrow starts once and ends once, later or at the same time. */
void trace_assert_flows(json_t *list);

#endif
