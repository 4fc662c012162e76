/* The response of one op (the theorem of docs/bound.md). */
#ifndef ANALYZE_BOUND_RESPONSE_H
#define ANALYZE_BOUND_RESPONSE_H

#include "analyze/bound/bound_state.h"

/* Bounds of the times from k's call to its entry into the engine's queue and to its end, from the bounds found so far
 * for all other ops. */
void bound_response(bound *b, const bound_op *k, wide *entry_ns, wide *end_ns);

#endif
