/* What the parts of the oracle share: the operations as far as they have come.
 * A time of -1 is one that has not been reached. */
#ifndef PROPERTY_ORACLE_STATE_H
#define PROPERTY_ORACLE_STATE_H

#include "model/workload/workload.h"
#include "property/oracle.h"

#define ORACLE_WARP 32 /* threads */

/* A worker of a plan. */
typedef struct oracle_worker {
    uint32_t ticket; /* workers of its launch that started on its SM before it */
    bool goes_on;    /* it has a job, and looks for another one when that ends */
} oracle_worker;

#define ORACLE_UNKNOWN (INT64_MAX / 4) /* the end of a block that waits for something that has not happened */

struct oracle_op;

/* What is known of a child, or of the rest of a block that waited, besides its times. */
typedef struct oracle_child {
    gcast_child of;                 /* as it is in the run */
    struct oracle_op *parent;       /* who launched it */
    const gcast_launches *launches; /* of the parent */
    uint64_t call;                  /* its call number */
    int64_t request_ns;   /* its overhead is over then, if the GPU is not busy with others; -1: not known yet */
    int64_t ready_ns;     /* its overhead is over; -1 */
    uint64_t join_number; /* its place in the order of joins of streams */
    uint64_t line_number; /* its place in the order in which children join the line for the pool */
    uint64_t pool_number; /* its place in the order in which they leave the line */
} oracle_child;

typedef struct oracle_op {
    gcast_run_op run;      /* its times so far */
    oracle_child *child;   /* NULL: the host launched it */
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
    bool ends_now;         /* its last block ends now, or the copy */
    int64_t complete_ns;   /* children: when it was complete; -1 */
    uint64_t completion;   /* its place in the order of completions */
    int64_t copy_start_ns; /* copies: when it starts, once its engine has taken it; -1 */
} oracle_op;

typedef struct oracle_state {
    const gcast_workload *w;               /* what is run */
    const gcast_gpu *gpu;                  /* where it is run */
    const gcast_simulate_options *options; /* as given to the simulator */
    arena *memory;                         /* of the result */
    oracle_op *ops;                        /* the operations of the run, by index */
    size_t count;                          /* of ops: those that hosts call */
    size_t all;                            /* of ops: with children and rests, which are behind these */
    oracle_op **by_entry;                  /* those that have entered an engine's queue, in order */
    oracle_op **entering;                  /* operations that enter their engines' queues now, in order */
    size_t entering_count;                 /* of entering */
    uint64_t departed_below; /* of the departures at this time, those that completed before this one are done */
    uint64_t seen_below;     /* of the events at this time, those of operations that completed before this one */
    bool triggers_seen;      /* those that are seen at this time have been */
    int connections;         /* in force; 0: one per stream */
    int64_t horizon_ns;      /* no job is released at this time or later */
    int64_t now;             /* the time */
    int64_t previous_ns;     /* the last time at which something happened */
    uint64_t launches;       /* number of calls so far */
    uint64_t entries;        /* number of entries into engines' queues so far */
    uint64_t queue_entries;  /* number of entries into EE queues so far, with those of second launches */
    int last_sm;             /* the SM that took the last block; -1 */
    int last_gpc[2]; /* the GPC that took the last cluster, of those that are not lone and of those that are; -1 */
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
    uint64_t completions;            /* number of operations that are complete */
    uint64_t calls;                  /* number of children called so far */
    uint64_t joins;                  /* number of joins of children's streams so far */
    uint64_t lines;                  /* number of joins of the line for the pool so far */
    uint64_t pools;                  /* number of children that left the line so far */
    int64_t last_overhead_ns;        /* end of the last overhead; -1: none */
    int64_t calls_free_ns;           /* when the way that all calls of children share is free */
    uint64_t spawn_n;                /* n of the SPAWN controller, with its counter's width */
    gcast_launch_stats *stats;       /* sums of launches */
} oracle_state;

static inline bool oracle_called(const oracle_op *x)
{
    return x->run.call_ns >= 0;
}

static inline bool oracle_ended(const oracle_op *x)
{
    return x->run.end_ns >= 0;
}

/* Only children are complete later than they have ended. */
static inline bool oracle_complete(const oracle_op *x)
{
    return x->child && !x->child->of.is_rest ? x->complete_ns >= 0 : oracle_ended(x);
}

static inline bool oracle_has_plan(const oracle_op *x)
{
    return x->op->policy != GCAST_POLICY_HARDWARE;
}

static inline bool oracle_is_rest(const oracle_op *x)
{
    return x->child && x->child->of.is_rest;
}

static inline bool oracle_is_child(const oracle_op *x)
{
    return x->child && !x->child->of.is_rest;
}

/* What its blocks launch; NULL: nothing. */
static inline const gcast_launches *oracle_launches(const oracle_op *x)
{
    return oracle_is_rest(x) ? NULL : x->op->launches;
}

/* Do its blocks wait after their start? */
static inline bool oracle_waits(const oracle_op *x)
{
    return x->op->wait_ns != GCAST_NEVER;
}

/* "Ticks do not apply to kernels that launch, nor to children, nor to kernels that wait, and they do not starve." */
static inline bool oracle_is_plain(const oracle_op *x)
{
    return !oracle_has_plan(x) && !x->child && !x->op->launches && !oracle_waits(x);
}

/* Do its blocks sleep where that is simulated? Do they keep others from issuing? Only those of plain kernels do. */
static inline bool oracle_has_body(const oracle_op *x, gcast_body body)
{
    return x->op->body == body && oracle_is_plain(x);
}

/* Did all blocks of x release their resources before now? */
static inline bool oracle_is_gone(const oracle_state *o, const oracle_op *x)
{
    return oracle_complete(x) && x->run.end_ns + o->gpu->handover_ns < o->now;
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

/* oracle_launches.c: decisions of launchers, between phases 1 and 2. */
void oracle_decisions(oracle_state *o);
/* The number of children and rests that executions of op can have at most. */
size_t oracle_max_children(const gcast_op *op);
/* Items per block of a child, and items of a block. */
uint32_t oracle_items_per_block(const gcast_launches *l);
uint32_t oracle_block_items(const oracle_op *x, uint64_t block);
/* Items of a launcher; does it have enough of them to launch? */
uint64_t oracle_items(const gcast_launches *l, uint64_t launcher);
bool oracle_may_launch(const gcast_launches *l, uint64_t launcher);
/* What a launcher takes that does all its items itself. */
int64_t oracle_loop_ns(const gcast_launches *l, uint64_t launcher);

/* oracle_children.c: children and rests in phase 3. */
void oracle_children(oracle_state *o);
void oracle_rests(oracle_state *o);
/* Are all children of x complete, or those of one block of it? Are all its rests? */
bool oracle_children_complete(const oracle_state *o, const oracle_op *x, int64_t block);
bool oracle_rests_complete(const oracle_state *o, const oracle_op *x);
/* A new operation behind the others: a child, or a rest. NULL without memory. */
oracle_op *oracle_add_child(oracle_state *o, oracle_op *parent, uint64_t block, bool is_rest);
/* The first time after now at which something happens to x on its way to the EE queue; -1. */
int64_t oracle_child_time(const oracle_state *o, const oracle_op *x);

/* oracle_predict.c: which of the launchers of a warp, `count` of them from number `first` on, predict chooses. */
void oracle_predict(const oracle_state *o, const gcast_launches *l, uint64_t first, uint64_t count, bool *chosen);

/* oracle_spawn.c: the policy in force. */
gcast_spawn_policy oracle_policy(const oracle_state *o, const gcast_launches *l);
/* Does a policy other than predict let a launcher launch, as launch number `place` of its warp? */
bool oracle_policy_launches(const oracle_state *o, const gcast_launches *l, uint64_t launcher, uint32_t place);
/* Is a child that l launches now one that SPAWN launches before a child block has ended? */
bool oracle_spawn_is_early(const oracle_state *o, const gcast_launches *l);
/* n of the controller: blocks that end now; and a child that is called. */
void oracle_spawn_ends(oracle_state *o);
void oracle_spawn_called(oracle_state *o, uint64_t blocks);

/* oracle_ends.c: when the last block of x ends, or the copy at the speed that it has now. */
int64_t oracle_last_end(const oracle_state *o, const oracle_op *x);

/* Have all blocks of its launch started, or its copy? */
bool oracle_is_dispatched(const oracle_op *x);
/* Have all blocks of the kernel x ended? */
bool oracle_blocks_ended(const oracle_state *o, const oracle_op *x);
/* Is the kernel x, of which a block has started, no longer a resident grid? */
bool oracle_grid_is_over(const oracle_state *o, const oracle_op *x);
/* Phase 1. */
void oracle_ends(oracle_state *o);

/* oracle_waits.c: programmatic launches and blocks that wait. The operation before x, if x is programmatic; NULL. */
oracle_op *oracle_primary(const oracle_state *o, const oracle_op *x);
/* When all blocks of the kernel x have triggered or ended; -1: not known. And when that is seen in its stream. */
int64_t oracle_triggered(const oracle_state *o, const oracle_op *x);
int64_t oracle_trigger_seen(const oracle_state *o, const oracle_op *x);
/* Has the kernel before x triggered, and do no more operations overlap than may? `left`: those before x of its stream
 * that have not left. */
bool oracle_overlaps(const oracle_state *o, const oracle_op *x, int left);
/* Blocks whose wait is over go on: their ends are known. */
void oracle_go_on(oracle_state *o);
/* Nothing happens any more. True: the run hangs, which is filled in. */
bool oracle_hangs(oracle_state *o, oracle_result *out);

/* oracle_copies.c: is x a copy that has started and is not complete? */
bool oracle_is_copying(const oracle_op *x);
/* A copy to the host ends later if a copy to the device is still running; true: its end has been delayed. */
bool oracle_delay_end(const oracle_state *o, oracle_op *x);
/* An engine that is idle takes a copy; the copy that it has taken starts. And how fast x goes from now on. */
void oracle_start_copy(oracle_state *o, int engine);
void oracle_set_speed(const oracle_state *o, oracle_op *x);

/* oracle.c: 0 is the lowest level. Are as many kernels resident as may be? Has the kernel switch not ended? And the
 * next block of x starts on the SM. */
int oracle_level(const oracle_state *o, const oracle_op *x);
bool oracle_grids_are_full(const oracle_state *o);
bool oracle_switching(const oracle_state *o);
void oracle_start_block(oracle_state *o, oracle_op *x, int sm);

/* oracle_clusters.c: blocks of a cluster; the index of the block that starts at this place of all. */
int oracle_cluster(const gcast_op *op);
uint64_t oracle_block_number(const gcast_op *op, uint64_t place);
/* Is a kernel with clusters in an EE queue? Then this starts blocks. */
bool oracle_has_clusters_queued(const oracle_state *o);
void oracle_start_beside_clusters(oracle_state *o);

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

/* From the end of an operation until those see it that are after it, in other streams. */
static inline int64_t oracle_event_gap(const oracle_state *o)
{
    return o->gpu->event_gap_ns > 0 ? o->gpu->event_gap_ns : o->gpu->stream_gap_ns;
}

/* oracle_graph.c: the first node of the launch of x; x, where it is no node of a graph. */
const oracle_op *oracle_first(const oracle_state *o, const oracle_op *x);
/* The node of the launch of x that was complete last, or one that is not; x, where it is no node. */
const oracle_op *oracle_last_node(const oracle_state *o, const oracle_op *x);
/* Is x after other nodes of its launch? When it sees the last of these edges (0 without); -1: it is not known. */
bool oracle_has_edges(const oracle_op *x);
int64_t oracle_edges_seen(const oracle_state *o, const oracle_op *x);
/* When all nodes are done that the blocks of x wait for (0: there are none); -1: not yet. */
int64_t oracle_nodes_done(const oracle_state *o, const oracle_op *x);
/* Does x join a connection? Does it as a kernel of a stream of its own? */
bool oracle_joins(const oracle_op *x);
/* The node whose connection x joins; NULL: it has a choice. */
const oracle_op *oracle_joins_behind(const oracle_state *o, const oracle_op *x);
/* The copy whose channel the copy x joins, of its chain; NULL: it has a choice. */
const oracle_op *oracle_copy_before(const oracle_state *o, const oracle_op *x);
bool oracle_joins_alone(const oracle_state *o, const oracle_op *x);
/* The time from the call of a root to its arrival; and when a node arrives that would by its own latency. */
int64_t oracle_graph_latency(const oracle_state *o, const oracle_op *x);
int64_t oracle_node_arrives(const oracle_state *o, const oracle_op *x, int64_t arrives);

/* oracle_queues.c: phase 3, and the copy engine of an op; -1: none. */
void oracle_queues(oracle_state *o);
/* x enters its engine's queue. */
void oracle_enter(oracle_state *o, oracle_op *x);
int oracle_engine(const oracle_state *o, const gcast_op *op);

/* oracle_resources.c: how long after its release the resources of a block are seen; -1: they are not released now. */
int64_t oracle_seen_after(const oracle_state *o, const oracle_op *x, uint64_t block);
/* When the next block of x ends if it starts on the SM now and does not starve. */
int64_t oracle_end(const oracle_state *o, const oracle_op *x, int sm);
/* How many blocks of op an empty SM holds. */
int64_t oracle_fit_empty(const gcast_gpu *gpu, const gcast_op *op);
/* As many, with the size of shared memory that the kernel chooses. */
int64_t oracle_fit_chosen(const oracle_state *o, const gcast_op *op);
/* The SM that the next block of x goes to; -1: it fits on none. */
int oracle_place(const oracle_state *o, const oracle_op *x);
/* How many more blocks of x fit now on all SMs. */
int64_t oracle_room(const oracle_state *o, const oracle_op *x);
/* Does no block hold resources of the SM? And the size of shared memory that a block of op sets on such an SM. */
bool oracle_is_empty(const oracle_state *o, int sm);
int64_t oracle_chosen_size(const oracle_state *o, const gcast_op *op);
/* How many more blocks of op fit on the SM; 0 where it may not use it. */
int64_t oracle_capacity(const oracle_state *o, const gcast_op *op, int sm);
/* The SM of a rank in the GPU's tie order. */
int oracle_sm_of_rank(const gcast_gpu *gpu, int rank);
bool oracle_allowed(const oracle_state *o, const gcast_op *op, int sm);
/* The quarter after the last warp of a block that starts at `quarter`. */
int oracle_quarter_after(const gcast_op *op, int quarter);

#endif
