/* What the parts of the oracle share: the operations as far as they have come.
 * A time of -1 is one that has not been reached. */
#ifndef PROPERTY_ORACLE_STATE_H
#define PROPERTY_ORACLE_STATE_H

#include "property/oracle.h"

typedef struct oracle_op {
    gcast_run_op run;
    const gcast_op *op;
    gcast_block *blocks;
    uint64_t *placed; /* how many blocks of any kernel started before each of them */
    uint64_t started; /* blocks */
    int connection;   /* that it is in; -1 */
    int64_t turn;     /* waited, and enters then; -1 */
    int64_t work;     /* of a copy: hundredths of nanoseconds done, at full speed 100 a nanosecond */
    int speed;        /* of it now, in percent */
    int64_t longer;   /* what it takes longer than a copy alone and in time */
    bool held;        /* beside another its end was put off */
    bool over;        /* it ends now */
    int64_t begin;    /* a copy that its engine has taken starts then; -1 */
} oracle_op;

typedef struct oracle_state {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    const gcast_simulate_options *options;
    arena *memory;
    oracle_op *ops;
    size_t count;
    oracle_op **line; /* who enters now, in order */
    size_t line_count;
    uint64_t left; /* of what leaves its stream's queue now: what has an entry number below this */
    int connections;
    int64_t horizon;
    int64_t now, before;        /* what time it is, and was when something happened last */
    uint64_t launches, entries; /* how many there were */
    int last_sm;                /* that took a block; -1 */
    int next_quarter[GCAST_MAX_SMS];
    int64_t size[GCAST_MAX_SMS];  /* of the shared memory of an SM that is not empty */
    bool *too_small, *done_early; /* of the result */
    const oracle_op *no_memory;   /* the malloc that cannot be; NULL */
    uint64_t placed;              /* how many blocks started */
    bool by_warps;                /* the room of warps comes back before that of their block */
    int64_t seen;                 /* of the room that comes back now: what is seen no later than this */
    bool closed[GCAST_MAX_SMS];   /* no block goes there now */
    int64_t last_dispatched;      /* when the last kernel was; -1 */
} oracle_state;

static inline bool oracle_called(const oracle_op *x)
{
    return x->run.call_ns >= 0;
}

static inline bool oracle_complete(const oracle_op *x)
{
    return x->run.end_ns >= 0;
}

static inline bool oracle_is_kernel(const oracle_op *x)
{
    return x->op->kind == GCAST_KIND_KERNEL;
}

/* Does y run on the GPU, and was it called before x? */
static inline bool oracle_before(const oracle_op *y, const oracle_op *x)
{
    return gcast_kind_on_gpu(y->op->kind) && oracle_called(y) && y->run.launch < x->run.launch;
}

/* oracle_jobs.c: the operations in order of their index; how long things take. */
gcast_status oracle_expand(oracle_state *o, gcast_error *err);
int64_t oracle_duration(const oracle_state *o, const oracle_op *x, uint64_t block);
/* What it takes to its stream's queue; how much later its blocks end at most that starve. */
int64_t oracle_latency(const oracle_state *o, const oracle_op *x, bool pause);
/* Where times scatter: those that the NULL stream lets go together enter by this. */
int64_t oracle_turn(const oracle_state *o, const oracle_op *x);
int64_t oracle_starved_ns(const oracle_state *o, const oracle_op *x);

/* oracle_hosts.c: phase 2, and when the next call of an op is due (-1: not known yet). */
void oracle_hosts(oracle_state *o);
int64_t oracle_due(const oracle_state *o, const oracle_op *x);

/* oracle_connections.c: the one that a kernel joins that is called now. */
int oracle_connection(const oracle_state *o, const oracle_op *x);

/* oracle_channels.c: the channel of its copy engine that a copy joins that is called now; and the copy that an idle
 * engine takes, of those that have entered; NULL: none. */
int oracle_channel(const oracle_state *o, const oracle_op *x);
oracle_op *oracle_next_copy(const oracle_state *o, int engine);

/* oracle_queues.c: phase 3, and the copy engine of an op; -1: none. */
void oracle_queues(oracle_state *o);
int oracle_engine(const oracle_state *o, const gcast_op *op);

/* oracle_room.c: when the room of a block is seen among what comes back now; -1: it does not come back now. */
int64_t oracle_seen(const oracle_state *o, const oracle_op *x, uint64_t block);
/* When the next block of a kernel ends that starts there now, if it does not starve. */
int64_t oracle_end(const oracle_state *o, const oracle_op *x, int sm);
/* The SM that the next block of a kernel goes to; -1: none has room. */
int oracle_place(const oracle_state *o, const oracle_op *x);
/* Whether no block holds room there; and the size that it is then set to by a block of a kernel. */
bool oracle_is_empty(const oracle_state *o, int sm);
int64_t oracle_chosen_size(const oracle_state *o, const gcast_op *op);
/* The SM of a rank in the GPU's tie order. */
int oracle_sm_of_rank(const gcast_gpu *gpu, int rank);
bool oracle_allowed(const oracle_state *o, const gcast_op *op, int sm);
/* The quarter after the last warp of a block that starts at `quarter`. */
int oracle_quarter_after(const gcast_op *op, int quarter);

#endif
