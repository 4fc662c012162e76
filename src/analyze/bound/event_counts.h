/* How many events can be released in a window, lemma 5 of docs/bound.md. */
#ifndef ANALYZE_BOUND_EVENT_COUNTS_H
#define ANALYZE_BOUND_EVENT_COUNTS_H

#include "analyze/bound/state.h"

/* Releases relative to that of an event k. */
typedef struct bound_window {
    wide before_ns;     /* the window begins this long before k's release */
    wide after_ns;      /* the window ends this long after k's release */
    bool called_before; /* only events that are called before k count */
} bound_window;

/* How many events of `i`, other than the event of `k` itself, can be released in the window? */
wide bound_count_events(bound *b, const bound_op *i, const bound_op *k, const bound_window *w);
/* How long after the release of k can the last of them be? Negative: before it. */
wide bound_latest_release(const bound *b, const bound_op *i, const bound_op *k, const bound_window *w);

#endif
