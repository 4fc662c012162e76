/* A workload of a profile while it is built: what those with hosts and without share. */
#ifndef PROFILE_MAKE_DRAFT_H
#define PROFILE_MAKE_DRAFT_H

#include "profile/make/state.h"

typedef struct draft {
    making *m;
    gcast_workload *w;
    int *streams;    /* from streams of the trace to those of the workload; -1 */
    uint32_t *items; /* items in the order of their calls in the workload */
    uint32_t *place; /* from ops[] to the ops of the workload */
    int64_t zero_ns; /* the first call: what its times count from */
    int graph;       /* launch of a graph whose nodes are added; GCAST_NO_GRAPH */
} draft;

/* How many connections the program had, where its kernels show it; else -1. */
gcast_status connections_seen(const making *m, int *connections);

/* An empty workload with its streams, its GPU and the order of items. */
gcast_status draft_open(making *m, draft *d);
/* The operations of this item come next. */
gcast_status draft_begin(draft *d, const made_item *item);
/* Sets event_pause_ns of the items. */
gcast_status event_pauses(draft *d);
/* The operation with all but its host and its times of calls; what it is after is added by draft_add. */
gcast_op draft_op(const draft *d, size_t i);
/* Adds operation `i` of ops[]. */
gcast_status draft_add(draft *d, size_t i, gcast_op *op);
/* Frees what is not the workload's; where `status` is an error, that too. Returns status. */
gcast_status draft_close(draft *d, gcast_status status, gcast_workload **w);

#endif
