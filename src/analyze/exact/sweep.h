/* The state of a run at times that follow each other: all on which later events depend, apart from releases, with times
 * counted from there. From equal states on, everything repeats. The state is taken from the records of the run; two
 * states that are equal to the GPU may still be told apart. */
#ifndef ANALYZE_EXACT_SWEEP_H
#define ANALYZE_EXACT_SWEEP_H

#include "base/vec.h"
#include "gridcast/run.h"
#include "model/gpu/copy_engine.h"

/* An operation that may still matter. */
typedef struct exact_open {
    uint32_t op;            /* of the run */
    uint64_t started_count; /* blocks that have started */
    uint64_t ended_count;   /* number of blocks that have ended, from the first on; their resources are free */
    bool is_after_idle;     /* no call was made for copy_idle_ns before its call */
} exact_open;

/* The last operation that joined a connection, or a channel of a copy engine. */
typedef struct exact_join {
    uint64_t number; /* the larger the later; 0: none has joined yet */
    int stream;      /* the stream of that operation */
} exact_join;

typedef struct exact_sweep {
    const gcast_run *run;                /* the run whose states are taken */
    bool without_waiting;                /* states leave out operations that are behind others of their stream */
    int64_t settle_ns;                   /* how long after its end an operation still matters */
    int64_t once_settled_ns;             /* until when operations that run once matter */
    uint32_t *launches;                  /* operations of the run, in launch order */
    size_t launch_count;                 /* of `launches` */
    size_t next_launch;                  /* the first of `launches` that is not called yet */
    int64_t last_call_ns;                /* -1: none yet */
    VEC(exact_open) open;                /* operations that may still matter */
    uint64_t entered_count;              /* operations that have entered their engines' queues */
    exact_join *connections;             /* by connection */
    int *stream_connection;              /* by stream: the connection of its last kernel; -1: none yet */
    exact_join *channels;                /* by copy engine and channel */
    int *stream_channel;                 /* by copy engine and stream: the channel of its last copy; -1 */
    int64_t last_copy_ns[COPY_ENGINES];  /* by copy engine: when its last copy started */
    int last_copy_channel[COPY_ENGINES]; /* by copy engine: the channel of that copy */
    bool has_carveouts;                  /* SMs with blocks may differ in their shared memory */
    bool quarters_matter;                /* the quarter of a block's first warp makes a difference */
    int *quarter_steps;                  /* by op of the workload: how far a block moves an SM's next quarter */
    int *next_quarter;                   /* by SM */
    int64_t last_start[4];               /* order of the last block start, as note_start compares it */
    uint32_t last_start_sm;              /* the SM of that block */
    VEC(int64_t) state;                  /* the state that exact_sweep_to found last */
} exact_sweep;

typedef enum { EXACT_STATE, EXACT_UNKNOWN, EXACT_NO_MEMORY } exact_answer;

bool exact_sweep_init(exact_sweep *s, const gcast_run *run);
void exact_sweep_free(exact_sweep *s);
/* Puts the state before anything happens at t into s->state. t never decreases. It is unknown while operations that run
 * once are not settled, where blocks would be needed that were not recorded, where SMs with blocks may differ in their
 * shared memory, and where it would be huge. */
exact_answer exact_sweep_to(exact_sweep *s, int64_t t);

#endif
