/* The parts of gcast_explain. */
#ifndef SIMULATE_EXPLAIN_H
#define SIMULATE_EXPLAIN_H

#include "gridcast/explain.h"

typedef struct explain explain;

const gcast_op *explain_spec(const explain *e, size_t run_op);
/* A wait; joined to the one before where nothing changed. Empty ones are left out. */
void explain_add(explain *e, gcast_reason reason, int64_t from, int64_t to, unsigned resources,
                 const gcast_holder *holders, size_t count);
/* The same, for the size of SMs' shared memory. */
void explain_add_size(explain *e, int64_t from, int64_t to, int64_t size, int64_t least, const gcast_holder *holders,
                      size_t count);
void explain_add_for(explain *e, gcast_reason reason, int64_t from, int64_t to, size_t holder);
/* From the entry of a kernel to its end; false without memory. */
bool explain_blocks(explain *e, const gcast_run *run, size_t me, int64_t *critical);

#endif
