/* A workload under construction: code shared by the workloads with hosts and without. */
#ifndef PROFILE_MAKE_DRAFT_H
#define PROFILE_MAKE_DRAFT_H

#include "profile/make/making.h"

typedef struct draft {
    making *m;
    gcast_workload *w;
    int *streams;    /* from streams of the trace to streams of the workload; -1: not in it */
    uint32_t *items; /* items in the order of their calls in the workload */
    uint32_t *place; /* from ops[] to the ops of the workload */
    int64_t zero_ns; /* time 0 of the workload: the first call */
    int graph;       /* the graph launch whose nodes are being added; GCAST_NO_GRAPH */
} draft;

/* Creates the workload with its streams, its GPU and the order of items. */
gcast_status draft_open(making *m, draft *d);
/* Begins an item: its operations are added next. */
gcast_status draft_begin(draft *d, const made_item *item);
/* Sets event_pause_ns of the items. */
gcast_status event_pauses(draft *d);
/* Operation `i` of ops[] without its host, times of calls and dependencies. */
gcast_op draft_op(const draft *d, size_t i);
/* Adds operation `i` of ops[] with its dependencies. */
gcast_status draft_add(draft *d, size_t i, gcast_op *op);
/* Frees the draft. If `status` or the check of the workload is an error, frees the workload, too. Returns the error. */
gcast_status draft_close(draft *d, gcast_status status, gcast_workload **w);

#endif
