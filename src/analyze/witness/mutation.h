/* Small changes of an execution, for a guided search. */
#ifndef ANALYZE_WITNESS_MUTATION_H
#define ANALYZE_WITNESS_MUTATION_H

#include "analyze/witness/drawn.h"
#include "analyze/witness/state.h"

/* Where an execution is changed. */
typedef struct mutation_target {
    const size_t *focus; /* operations that ran shortly before the late one ended */
    size_t focus_count;  /* how many; may be 0 */
    size_t late;         /* the operation that was late */
} mutation_target;

/* Changes one to three of the open choices, mostly of the focus. */
void mutation_apply(const frame *f, execution *e, const mutation_target *t, draw *d);

#endif
