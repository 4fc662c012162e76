/* How long calls take to reach their stream's queue, in an analysis. */
#ifndef ANALYZE_CALL_LATENCY_H
#define ANALYZE_CALL_LATENCY_H

#include "gridcast/analyze.h"

/* The latencies of calls, without what ops have in addition. */
void call_latency_find(const gcast_gpu *gpu, const gcast_analyze_options *options, gcast_call_latency *launch,
                       gcast_call_latency *copy);
/* GCAST_USAGE where a maximum is given for calls that the workload has, no minimum, and the GPU is never as fast. */
gcast_status call_latency_check(const gcast_gpu *gpu, const gcast_analyze_options *options, bool launches, bool copies,
                                gcast_error *err);
/* Notes the latencies in the analysis. Afterwards `gpu` has the minima as its latencies, `options` the maxima. */
gcast_status call_latency_settle(gcast_analysis *a, const gcast_workload *w, gcast_gpu *gpu,
                                 gcast_analyze_options *options, gcast_error *err);
/* Do the latencies of the workload's calls vary? */
bool call_latency_is_range(const gcast_analysis *a);
/* Does it count, and is not known how far it varies? */
static inline bool call_latency_is_assumed(const gcast_call_latency *c)
{
    return c->used && c->source == GCAST_LATENCY_ASSUMED;
}
/* Why a method that has one latency for all calls of a kind does not apply; NULL: it does. */
const char *call_latency_why_not(const gcast_analysis *a);

#endif
