/* The steps from a trace to a workload, in their order. */
#ifndef PROFILE_MAKE_MAKE_STEPS_H
#define PROFILE_MAKE_MAKE_STEPS_H

#include "profile/make/state.h"

/* Each of these goes one step; GCAST_OK, or the error is set. */
gcast_status make_select(making *m);                       /* which calls and operations: ops, items, op_of */
gcast_status make_graphs(making *m);                       /* launches of graphs: their nodes, edges and spans */
gcast_status make_call_times(making *m);                   /* call_ns, return_ns, host_waits */
gcast_status make_order_notes(making *m);                  /* findings where starts contradict calls */
gcast_status make_event_edges(making *m);                  /* afters */
gcast_status make_programmatic(making *m);                 /* kernels that started before others had ended */
gcast_status make_queued_spans(making *m);                 /* span_ns */
gcast_status make_block_times(making *m);                  /* min_ns, max_ns, block_ns */
gcast_status make_triggers(making *m);                     /* trigger_ns */
gcast_status make_labels(making *m);                       /* label */
gcast_status make_workload(making *m, gcast_workload **w); /* with hosts */
struct prof_made;
gcast_status make_recorded(making *m, struct prof_made *made); /* without: recorded, run, ops */

#endif
