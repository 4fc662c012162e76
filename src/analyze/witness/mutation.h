/* Small changes of an execution, for a guided search. */
#ifndef ANALYZE_WITNESS_MUTATION_H
#define ANALYZE_WITNESS_MUTATION_H

#include "analyze/witness/drawn.h"
#include "analyze/witness/state.h"

/* An operation that ran shortly before the late one ended, with its times. */
typedef struct focus_operation {
    size_t operation;  /* of the frame */
    int64_t arrive_ns; /* at its stream's queue */
    int64_t enter_ns;  /* its engine's queue */
    int64_t start_ns;  /* of its first block, or the copy */
    int64_t end_ns;    /* complete */
} focus_operation;

/* Where an execution is changed. */
typedef struct mutation_target {
    const focus_operation *focus; /* what ran shortly before the late one ended */
    size_t focus_count;           /* how many; may be 0 */
    size_t late;                  /* the operation that was late */
} mutation_target;

/* Changes one to three of the open choices, mostly of the focus. */
void mutation_apply(const frame *f, execution *e, const mutation_target *t, draw *d);

#endif
