/* Which facts need which: one edge for each way in which something waits (docs/residency.md has the list). */
#ifndef ANALYZE_RESIDENCY_PROOF_NEEDS_EDGES_H
#define ANALYZE_RESIDENCY_PROOF_NEEDS_EDGES_H

#include "analyze/residency/proof/start_needs.h"
#include "base/vec.h"

typedef VEC(needs_edge) needs_edges;

uint32_t needs_edges_fact_count(const gcast_workload *w);
/* One caller makes all calls into a stream, in the order of the file. False without memory. */
bool needs_edges_make(needs_edges *edges, const gcast_workload *w, const needs_assumed *assumed);
/* May `op` never be called, though `other` is? By skip_ns; not: as its host waits for ever. */
bool needs_may_be_skipped(const gcast_workload *w, size_t op, size_t other);
/* The first node of the launch of a graph that the op is of; itself where it is of none. */
size_t needs_launch_of(const gcast_workload *w, size_t op);
/* Ops without a host in the order of their calls, for the caller to free; NULL without memory. */
uint32_t *needs_loose_calls(const gcast_workload *w, size_t *count);

#endif
