/* How long kernels wait in EE queues, lemmas 2 and 3 of docs/bound.md. */
#ifndef ANALYZE_BOUND_QUEUE_WAIT_H
#define ANALYZE_BOUND_QUEUE_WAIT_H

#include "analyze/bound/state.h"

/* The events that an event k waits for one after the other (the path of the theorem). */
typedef struct bound_path {
    bool is_alone;         /* nothing but k is on it, from k's entry on */
    wide length_ns;        /* latency, and of each event its gap and, of kernels, `max` */
    wide entry_ns;         /* k enters by then, by the responses of the events right before it (theorem, b) */
    wide event_count;      /* events before k on it */
    wide kernel_count;     /* how many of them are kernels */
    int lowest_level;      /* of a kernel on it, k included */
    uint64_t copy_engines; /* of copies on it, a bit each */
    wide tails_ns;         /* of holds after last starts: as much is counted with its length (lemma 9) */
} bound_path;

/* How long kernels of the path are in EE queues while b->event_counts events of each op can be on the GPU. `has_own`:
 * k's event is one of them. */
wide bound_queue_wait(bound *b, const bound_op *k, const bound_path *path, bool has_own);
/* How long k waits for its own blocks (lemma 3c) where `above` events start blocks between them. */
wide bound_waves(const bound_op *k, wide above);

#endif
