/* What the parts of the oracle share: the operations as far as they have come.
 * A time of -1 is one that has not been reached. */
#ifndef PROPERTY_ORACLE_STATE_H
#define PROPERTY_ORACLE_STATE_H

#include "property/oracle.h"

/* A worker of a plan. */
typedef struct oracle_worker {
    uint32_t ticket; /* workers of its launch that started on its SM before it */
    bool goes_on;    /* it has a job, and looks for another one when that ends */
} oracle_worker;

typedef struct oracle_op {
    gcast_run_op run;      /* its times so far */
    const gcast_op *op;    /* its op of the workload */
    gcast_block *blocks;   /* its blocks that have started; where it has a plan, its workers */
    uint64_t *age;         /* by block: how many blocks of any kernel started before it */
    uint64_t started;      /* number of its blocks that have started */
    uint64_t launch_first; /* number of its blocks that are of earlier launches */
    uint64_t launch_size;  /* number of blocks of its launch */
    bool in_queue;         /* it is in an EE queue */
    uint64_t queue_number; /* its number in the order of entries into EE queues */
    int64_t repair_ns;     /* plans: when the second launch enters; -1 */
    oracle_worker *worker; /* plans: by block */
    gcast_block *jobs;     /* plans: by job; start_ns is -1 until it is taken */
    int connection;        /* the connection that it waits in; -1: none */
    int64_t turn_ns;       /* when its connection has its turn; -1: it waits for no turn */
    int64_t work_done;     /* copies: hundredths of nanoseconds at full speed */
    int speed_percent;     /* copies: the speed now */
    int64_t extra_ns;      /* copies: time added after a pause, and beside another copy */
    bool end_delayed;      /* copies: the end was delayed by a copy in the other direction */
    bool ends_now;         /* it ends now */
    int64_t copy_start_ns; /* copies: when it starts, once its engine has taken it; -1 */
} oracle_op;

typedef struct oracle_state {
    const gcast_workload *w;               /* what is run */
    const gcast_gpu *gpu;                  /* where it is run */
    const gcast_simulate_options *options; /* as given to the simulator */
    arena *memory;                         /* of the result */
    oracle_op *ops;                        /* the operations of the run, by index */
    size_t count;                          /* of ops */
    oracle_op **entering;                  /* operations that enter their engines' queues now, in order */
    size_t entering_count;                 /* of entering */
    uint64_t departed_below;         /* of the departures at this time, those with a lower entry number are done */
    int connections;                 /* in force; 0: one per stream */
    int64_t horizon_ns;              /* no job is released at this time or later */
    int64_t now;                     /* the time */
    int64_t previous_ns;             /* the last time at which something happened */
    uint64_t launches;               /* number of calls so far */
    uint64_t entries;                /* number of entries into engines' queues so far */
    uint64_t queue_entries;          /* number of entries into EE queues so far, with those of second launches */
    int last_sm;                     /* the SM that took the last block; -1 */
    int next_quarter[GCAST_MAX_SMS]; /* by SM: where the first warp of its next block goes */
    int64_t size[GCAST_MAX_SMS];     /* by SM: size of its shared memory while blocks are resident */
    bool *too_small;                 /* as in oracle_result */
    bool *done_early;                /* as in oracle_result */
    const oracle_op *failed_malloc;  /* the malloc that does not fit in the GPU's memory; NULL */
    uint64_t started_count;          /* number of blocks of any kernel that have started */
    bool warps_first;                /* warps release their resources before the last warp of their block does */
    int64_t seen_until;              /* of the releases at this time, those seen no later than this count */
    bool closed[GCAST_MAX_SMS];      /* by SM: no block may start there now */
    int64_t last_dispatched;         /* when a kernel was last fully dispatched; -1: never */
} oracle_state;

static inline bool oracle_called(const oracle_op *x)
{
    return x->run.call_ns >= 0;
}

static inline bool oracle_complete(const oracle_op *x)
{
    return x->run.end_ns >= 0;
}

static inline bool oracle_has_plan(const oracle_op *x)
{
    return x->op->policy != GCAST_POLICY_HARDWARE;
}

/* Do its blocks sleep where that is simulated? Do they keep others from issuing? Workers do neither. */
static inline bool oracle_has_body(const oracle_op *x, gcast_body body)
{
    return x->op->body == body && !oracle_has_plan(x);
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

/* oracle_jobs.c: fills in the operations; durations and latencies. */
gcast_status oracle_expand(oracle_state *o, gcast_error *err);
int64_t oracle_duration(const oracle_state *o, const oracle_op *x, uint64_t block);
/* Random placement: which of so many places the next block of x goes to. */
int64_t oracle_draw_place(const oracle_state *o, const oracle_op *x, int64_t places);
/* The time from the call of x to its arrival; `pause`: nothing had been called for a while. */
int64_t oracle_latency(const oracle_state *o, const oracle_op *x, bool pause);
/* Where times scatter: operations that waited together for the NULL stream enter in the order of this number. */
int64_t oracle_turn(const oracle_state *o, const oracle_op *x);
/* The maximum time that starving adds to a block of x. */
int64_t oracle_starved_ns(const oracle_state *o, const oracle_op *x);

/* oracle.c: when the last block of x ends, or the copy at the speed that it has now. */
int64_t oracle_last_end(const oracle_state *o, const oracle_op *x);

/* oracle_copies.c: is x a copy that has started and is not complete? */
bool oracle_is_copying(const oracle_op *x);
/* A copy to the host ends later if a copy to the device is still running; true: its end has been delayed. */
bool oracle_delay_end(const oracle_state *o, oracle_op *x);
/* An engine that is idle takes a copy; the copy that it has taken starts. And how fast x goes from now on. */
void oracle_start_copy(oracle_state *o, int engine);
void oracle_set_speed(const oracle_state *o, oracle_op *x);

/* oracle_plan.c: the memory of a kernel with a plan; false without. */
bool oracle_plan_init(oracle_state *o, oracle_op *x);
/* How many blocks its launch has. */
uint64_t oracle_launch_size(const oracle_state *o, const gcast_op *op);
/* The last block of x, a worker, has just started: it takes its first job, or retreats. */
void oracle_worker_starts(oracle_state *o, oracle_op *x);
/* Phase 1: workers whose job ends now take another one. */
void oracle_workers(oracle_state *o);
/* A launch of x has ended: true: there are jobs left, so that there will be another one. */
bool oracle_needs_repair(oracle_state *o, oracle_op *x);
/* Phase 3: second launches enter the EE queues. */
void oracle_repairs(oracle_state *o);

/* oracle_hosts.c: phase 2, and when the next call of an op is due (-1: not known yet). */
void oracle_hosts(oracle_state *o);
int64_t oracle_due(const oracle_state *o, const oracle_op *x);

/* oracle_connections.c: the connection that x joins, a kernel that is called now. */
int oracle_connection(const oracle_state *o, const oracle_op *x);

/* oracle_channels.c: the channel that x joins, a copy that is called now; and the copy that an idle engine takes next;
 * NULL: none has entered. */
int oracle_channel(const oracle_state *o, const oracle_op *x);
oracle_op *oracle_next_copy(const oracle_state *o, int engine);

/* oracle_queues.c: phase 3, and the copy engine of an op; -1: none. */
void oracle_queues(oracle_state *o);
int oracle_engine(const oracle_state *o, const gcast_op *op);

/* oracle_resources.c: how long after its release the resources of a block are seen; -1: they are not released now. */
int64_t oracle_seen_after(const oracle_state *o, const oracle_op *x, uint64_t block);
/* When the next block of x ends if it starts on the SM now and does not starve. */
int64_t oracle_end(const oracle_state *o, const oracle_op *x, int sm);
/* How many blocks of op an empty SM holds. */
int64_t oracle_fit_empty(const gcast_gpu *gpu, const gcast_op *op);
/* The SM that the next block of x goes to; -1: it fits on none. */
int oracle_place(const oracle_state *o, const oracle_op *x);
/* Does no block hold resources of the SM? And the size of shared memory that a block of op sets on such an SM. */
bool oracle_is_empty(const oracle_state *o, int sm);
int64_t oracle_chosen_size(const oracle_state *o, const gcast_op *op);
/* The SM of a rank in the GPU's tie order. */
int oracle_sm_of_rank(const gcast_gpu *gpu, int rank);
bool oracle_allowed(const oracle_state *o, const gcast_op *op, int sm);
/* The quarter after the last warp of a block that starts at `quarter`. */
int oracle_quarter_after(const gcast_op *op, int quarter);

#endif
