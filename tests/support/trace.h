/* Chrome traces, read and checked as Perfetto's importer does. */
#ifndef TESTS_TRACE_H
#define TESTS_TRACE_H

#include <jansson.h>

#include "gridcast/gridcast.h"

/* The events of a run's trace; options may be NULL. For the caller to json_decref. */
json_t *trace_events(const gcast_run *run, const gcast_report_options *o);

const char *trace_word(json_t *e, const char *key); /* "" where it is missing */
int64_t trace_number(json_t *e, const char *key);
/* Microseconds with three decimals, which are exact in a double here, as nanoseconds. */
int64_t trace_ns(json_t *e, const char *key);
/* Events of this phase. */
size_t trace_count(json_t *list, const char *phase);

/* What viewers need: the documented keys of each event and no others, threads from 1 with a name, and slices of a
 * thread in the order of times, one after the other or one inside the other: Perfetto drops those that overlap in part.
 */
void trace_assert_tracks(json_t *list);
/* Each arrow starts once and ends once, later or at the same time. */
void trace_assert_flows(json_t *list);

#endif
