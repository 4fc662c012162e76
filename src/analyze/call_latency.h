/* Latency range of calls in an analysis: how long a call takes to reach the queue of its stream. */
#ifndef ANALYZE_CALL_LATENCY_H
#define ANALYZE_CALL_LATENCY_H

#include "gridcast/analyze.h"

/* The latencies of calls, without the extra latency of single ops. */
void call_latency_find(const gcast_gpu *gpu, const gcast_analyze_options *options, gcast_call_latency *launch,
                       gcast_call_latency *copy);
/* GCAST_USAGE if the caller gives only a maximum for a kind of call in use, and the GPU is never that fast. */
gcast_status call_latency_check(const gcast_gpu *gpu, const gcast_analyze_options *options, bool launches, bool copies,
                                gcast_error *err);
/* Stores the latencies in the analysis, their minima in `gpu` and their maxima in `options`. */
gcast_status call_latency_settle(gcast_analysis *a, const gcast_workload *w, gcast_gpu *gpu,
                                 gcast_analyze_options *options, gcast_error *err);
/* Do the latencies of the workload's calls vary? */
bool call_latency_is_range(const gcast_analysis *a);
/* Does the workload have such calls, while the range of their latency is not known? */
static inline bool call_latency_is_assumed(const gcast_call_latency *c)
{
    return c->used && c->source == GCAST_LATENCY_ASSUMED;
}
/* Why a method does not apply that has one latency for all calls of a kind; NULL: it applies. */
const char *call_latency_why_not(const gcast_analysis *a);

#endif
