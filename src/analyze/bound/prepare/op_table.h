/* The table of ops: what docs/model.md says of each, in the terms of docs/bound.md. */
#ifndef ANALYZE_BOUND_PREPARE_OP_TABLE_H
#define ANALYZE_BOUND_PREPARE_OP_TABLE_H

#include "analyze/bound/state.h"

/* Fills in all that does not change while responses are searched. GCAST_OK, and *why not NULL, where the workload has
 * something that the method does not cover. */
gcast_status bound_prepare(bound *b, const char **why, gcast_error *err);

#endif
