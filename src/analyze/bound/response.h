/* The response of one op, the theorem of docs/bound.md. */
#ifndef ANALYZE_BOUND_RESPONSE_H
#define ANALYZE_BOUND_RESPONSE_H

#include "analyze/bound/state.h"

/* When k enters its engine's queue and ends at the latest, after its call, by what is known of all other ops. */
void bound_response(bound *b, const bound_op *k, wide *entry_ns, wide *end_ns);

#endif
