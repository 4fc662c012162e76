/* An explanation while it is made. */
#ifndef SIMULATE_EXPLAIN_STATE_H
#define SIMULATE_EXPLAIN_STATE_H

#include "base/arena.h"
#include "base/vec.h"
#include "gridcast/explain.h"
#include "simulate/explain/index/run_index.h"

/* How far an explanation goes. */
typedef enum {
    EXPLAIN_FIRST_START, /* of its blocks, or of the copy */
    EXPLAIN_LAST_START,  /* of its blocks */
    EXPLAIN_END,         /* to its end */
} explain_goal;

typedef struct explain {
    gcast_explanation out;  /* what is handed out; first, so that an explanation is its handle */
    arena memory;           /* of the holders of waits */
    VEC(gcast_wait) waits;  /* so far, by time */
    const gcast_run *run;   /* the run that it is about */
    const run_index *index; /* what is looked up in it */
    size_t subject;         /* the operation that is explained */
    int64_t since_ns;       /* what was waited for before this time is left out */
    bool brief;             /* of waits in a stream only the last is told */
    bool failed;            /* there was no memory for a wait */
} explain;

#endif
