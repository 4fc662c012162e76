/* The state of a run at times that follow each other: all on which what comes later
 * depends, apart from releases, with times counted from there. Of equal states the same
 * follows. It is taken from the run's records, and may tell states apart that are not. */
#ifndef ANALYZE_EXACT_STATE_H
#define ANALYZE_EXACT_STATE_H

#include "base/vec.h"
#include "gridcast/run.h"

typedef struct exact_open {
    uint32_t op;             /* of the run */
    uint64_t started, ended; /* blocks that had started; of these the first so many are over */
    bool woken;              /* its call came after a pause */
} exact_open;

typedef struct exact_connection {
    uint64_t joined; /* 0: never, else the later the larger */
    int stream;
} exact_connection;

typedef struct exact_sweep {
    const gcast_run *run;
    int64_t settle;     /* after an end: nothing is left of it */
    int64_t once_over;  /* later than this nothing is left of what runs once */
    uint32_t *launches; /* operations, by launch */
    size_t launch_count, next;
    int64_t last_call;    /* -1: none yet */
    VEC(exact_open) open; /* on the GPU */
    uint64_t entered;     /* operations in their engines' queues before now */
    exact_connection *connections;
    int *stream_connection;     /* by stream: its last kernel's; -1 */
    exact_connection *channels; /* of copies, of each engine in turn */
    int *stream_channel;        /* by engine and stream: its last copy's; -1 */
    int64_t served_at[2];       /* by engine: when a copy started last */
    int served[2];              /* and its channel */
    bool sizes;                 /* SMs differ in their shared memory while there are blocks (carveouts) */
    bool quarters;              /* where a block's first warp goes matters */
    int *steps;                 /* by op of the workload: how far a block moves an SM's next quarter on */
    int *next_quarter;          /* by SM */
    int64_t last[4];            /* the last start: time, level and entry of its kernel */
    uint32_t last_sm;
    VEC(int64_t) state;
} exact_sweep;

bool exact_sweep_init(exact_sweep *s, const gcast_run *run);
void exact_sweep_free(exact_sweep *s);

typedef enum { EXACT_STATE, EXACT_UNKNOWN, EXACT_NO_MEMORY } exact_answer;
/* The state before anything happens at t, in s->state; t never goes back. Unknown: what
 * runs once is not over, blocks were not recorded and would be needed, some are there and their
 * SMs may have several sizes, or it is huge. */
exact_answer exact_sweep_to(exact_sweep *s, int64_t t);

#endif
