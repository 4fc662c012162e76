/* The state of a run at successive times: all that later events depend on except releases, with times relative to the
 * time of the state. From equal states on, everything repeats. The state is derived from the records of the run, so
 * states that are equal on the GPU may still differ here. */
#ifndef ANALYZE_EXACT_SWEEP_H
#define ANALYZE_EXACT_SWEEP_H

#include "base/vec.h"
#include "gridcast/run.h"
#include "model/gpu.h"

/* An operation that may still matter. */
typedef struct exact_open {
    uint32_t op;            /* index in the run */
    uint64_t started_count; /* blocks that have started */
    uint64_t ended_count;   /* leading blocks that have ended and freed their resources */
    bool is_after_idle;     /* no call was made for copy_idle_ns before its call */
} exact_open;

/* The last operation that joined a connection, or a channel of a copy engine. */
typedef struct exact_join {
    uint64_t number; /* order of joins; 0: none has joined yet */
    int stream;      /* of that operation */
} exact_join;

typedef struct exact_sweep {
    const gcast_run *run;                /* the run */
    bool without_waiting;                /* states leave out operations behind others of their stream */
    int64_t settle_ns;                   /* how long an operation matters after its end */
    int64_t once_settled_ns;             /* operations that run once matter until then */
    uint32_t *launches;                  /* operations of the run, in launch order */
    size_t launch_count;                 /* of `launches` */
    size_t next_launch;                  /* the first of `launches` that has not been called */
    int64_t last_call_ns;                /* last call so far; -1: none */
    VEC(exact_open) open;                /* operations that may still matter */
    uint64_t entered_count;              /* operations that have entered their engines' queues */
    exact_join *connections;             /* by connection */
    int *stream_connection;              /* by stream: the connection of its last kernel; -1: none yet */
    exact_join *channels;                /* by copy engine and channel */
    int *stream_channel;                 /* by copy engine and stream: the channel of its last copy; -1: none yet */
    int64_t last_copy_ns[COPY_ENGINES];  /* by copy engine: when its last copy started */
    int last_copy_channel[COPY_ENGINES]; /* by copy engine: the channel of that copy */
    bool has_carveouts;                  /* SMs with blocks may have different shared memory sizes */
    bool quarters_matter;                /* the quarter of a block's first warp makes a difference */
    int *quarter_steps;                  /* by op of the workload: by how much a block advances an SM's next quarter */
    int *next_quarter;                   /* by SM: the quarter for its next warp */
    int64_t last_start[4];               /* sort key of the last block start (note_start) */
    uint32_t last_start_sm;              /* SM of that block */
    VEC(int64_t) state;                  /* the last state of exact_sweep_to */
} exact_sweep;

typedef enum { EXACT_STATE, EXACT_UNKNOWN, EXACT_NO_MEMORY } exact_answer;

bool exact_sweep_init(exact_sweep *s, const gcast_run *run);
void exact_sweep_free(exact_sweep *s);
/* Puts the state just before t into s->state. t never decreases. The state is unknown while operations that run once
 * still matter, if it needs blocks that were not recorded, if SMs with blocks may have different shared memory sizes,
 * and if it would be huge. */
exact_answer exact_sweep_to(exact_sweep *s, int64_t t);

#endif
