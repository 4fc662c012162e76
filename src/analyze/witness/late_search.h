#ifndef ANALYZE_WITNESS_LATE_SEARCH_H
#define ANALYZE_WITNESS_LATE_SEARCH_H

#include "analyze/time_limit.h"
#include "analyze/witness/drawn.h"
#include "analyze/witness/state.h"
#include "gridcast/witness.h"

typedef struct late_search {
    const frame *f;                       /* what is executed */
    const gcast_gpu *gpu;                 /* on this GPU */
    const gcast_witness_options *options; /* as the caller gave them */
    const bool *is_wanted;                /* by op: its longest response is searched for */
    time_limit limit;                     /* of the whole search */
    bool stopped;                         /* the time is over, or the caller stopped it */
    draw random;                          /* of all that is drawn */
    uint64_t executions;                  /* that were tried */
    uint64_t operations;                  /* of these, as they count for the limit */
    uint64_t simulated;                   /* those of them that could be simulated */
    latest *latest;                       /* by op: the longest response, to be filled in */
    size_t *places;                       /* memory for unrolled_create */
    size_t *focus;                        /* operations that ran shortly before the latest end of what is changed */
    size_t focus_count;                   /* how many */
    size_t *next_focus;                   /* those of the execution that was tried last */
    size_t next_focus_count;              /* how many */
    size_t *sequence;                     /* memory for the order in which ops are searched for */
    gcast_error refusal;                  /* why the first could not be simulated that could not */
} late_search;

/* Searches until the budget is spent. An execution that cannot be simulated is left out. */
gcast_status late_search_run(late_search *s, gcast_error *err);

#endif
