/* An explanation while it is made. */
#ifndef SIMULATE_EXPLAIN_EXPLANATION_H
#define SIMULATE_EXPLAIN_EXPLANATION_H

#include "base/arena.h"
#include "base/vec.h"
#include "gridcast/explain.h"
#include "simulate/explain/run_index.h"

/* How far an explanation goes. */
typedef enum {
    EXPLAIN_FIRST_START, /* of its blocks, or of the copy */
    EXPLAIN_LAST_START,  /* of its blocks */
    EXPLAIN_END,         /* to its end */
} explain_goal;

typedef struct explain {
    gcast_explanation out;  /* the result; the first member, so that it is the handle of the explain */
    arena memory;           /* for the holders of waits */
    VEC(gcast_wait) waits;  /* so far, by time */
    const gcast_run *run;   /* the run that it is about */
    const run_index *index; /* of the run */
    size_t subject;         /* the operation that is explained */
    int64_t since_ns;       /* waits before this time are left out */
    bool brief;             /* of waits in a stream only the last is told */
    bool failed;            /* there was no memory for a wait */
} explain;

/* Adds a wait of the operation that is explained, or extends the last wait where only the time differs. A wait that
 * takes no time is left out. */
void explain_add_wait(explain *e, gcast_wait wait);
/* Adds a wait for resources that these operations hold. */
void explain_add(explain *e, gcast_reason reason, int64_t from_ns, int64_t to_ns, unsigned resources,
                 const gcast_holder *holders, size_t count);
/* Adds a wait for the shared memory of SMs to take another size. */
void explain_add_size(explain *e, int64_t from_ns, int64_t to_ns, int64_t size_bytes, int64_t min_bytes,
                      const gcast_holder *holders, size_t count);
/* Adds a wait for one other operation. */
void explain_add_for(explain *e, gcast_reason reason, int64_t from_ns, int64_t to_ns, size_t holder);

#endif
