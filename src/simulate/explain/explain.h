/* The parts of gcast_run_explain. */
#ifndef SIMULATE_EXPLAIN_EXPLAIN_H
#define SIMULATE_EXPLAIN_EXPLAIN_H

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
/* From the call to the entry into the engine's queue; false without memory. */
bool explain_queue(explain *e, const gcast_run *run, size_t me);
/* Of a copy from there to its start. */
bool explain_copy(explain *e, const gcast_run *run, size_t me);

/* How far an explanation goes. */
typedef enum {
    EXPLAIN_FIRST_START, /* of its blocks, or of the copy */
    EXPLAIN_LAST_START,
    EXPLAIN_END
} explain_goal;

/* Of a kernel from its entry to a start, or to its end; false without memory. */
bool explain_blocks(explain *e, const gcast_run *run, size_t me, explain_goal goal, int64_t *critical);

/* gcast_run_explain, up to a goal. */
gcast_status explain_to(const gcast_run *run, size_t run_op, explain_goal goal, gcast_explanation **out,
                        gcast_error *err);

#endif
