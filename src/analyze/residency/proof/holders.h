/* Kernels whose blocks may hold room for ever: those that wait for blocks, and those that wait, as programmatic kernels
 * or by edges of graphs, for one that does. */
#ifndef ANALYZE_RESIDENCY_PROOF_HOLDERS_H
#define ANALYZE_RESIDENCY_PROOF_HOLDERS_H

#include "gridcast/workload.h"

typedef enum {
    HOLDS_NOTHING, /* its blocks end, once they have started */
    HOLDS_OWN,     /* they may wait for blocks of their own kernel only */
    HOLDS_OTHERS   /* they may wait for something else, and may all have started then */
} holder_kind;

/* By op; for the caller to free. NULL without memory. */
holder_kind *holders_find(const gcast_workload *w);

#endif
