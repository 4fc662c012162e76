/* The state of a simulation (docs/model.md says what a simulation does), its failures, its queues of operations, and
 * the blocks that it records. Operations are numbered as in the run, by their index; NONE stands for no operation. All
 * times are nanoseconds. */
#ifndef SIMULATE_ENGINE_STATE_H
#define SIMULATE_ENGINE_STATE_H

#include "base/heap.h"
#include "base/tournament.h"
#include "base/vec.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"
#include "model/gpu.h"
#include "simulate/blocks/delays.h"
#include "simulate/blocks/placement.h"
#include "simulate/blocks/release_order.h"
#include "simulate/blocks/sm.h"
#include "simulate/engine/simulate.h"
#include "simulate/queue_rules.h"

#define NONE UINT32_MAX

/* A simulation records all blocks, in the arrays of the run; or those that run in a window of time, which the run gets
 * at its end, or the caller while it goes on; or none. */

#define WINDOW_CHUNK 8192 /* blocks that the caller gets at a time */

typedef struct window {
    int64_t start_ns;                /* where the window begins */
    int64_t end_ns;                  /* where it ends; 0: there is no window */
    VEC(gcast_started_block) blocks; /* so far; those of an operation without a plan are in the order of their index */
    bool has_jobs;                   /* blocks[] has jobs of a plan or blocks of clusters, which come in any order */
    bool (*take)(void *data, const gcast_started_block *blocks, size_t count); /* the caller takes them; NULL: no */
    void *take_data;                                                           /* its first argument */
    bool stopped;                                                              /* the caller takes no more */
} window;

/* Does a block run in the window that starts at `start` and ends at `end`? */
static inline bool window_holds(const window *w, int64_t start, int64_t end)
{
    return start < w->end_ns && end > w->start_ns;
}

/* Gives the caller the blocks that are collected. */
static inline void window_flush(window *w)
{
    if (w->take && w->blocks.count && !w->stopped)
        w->stopped = !w->take(w->take_data, w->blocks.at, w->blocks.count);
    if (w->take)
        w->blocks.count = 0;
}

/* Adds a block, if it runs in the window. False without memory, or where the caller stops. */
static inline bool window_add(window *w, uint32_t run_op, uint64_t index, gcast_block b)
{
    if (!window_holds(w, b.start_ns, b.end_ns))
        return true;
    if (w->take && w->blocks.count == WINDOW_CHUNK)
        window_flush(w);
    return !w->stopped && vec_push(&w->blocks, ((gcast_started_block){b, index, run_op}));
}

/* Gives the run memory for all its blocks: *blocks, which the operations share. */
gcast_status record_all(gcast_run *run, gcast_run_op *ops, gcast_block **blocks, gcast_error *err);
/* Gives the blocks of the window to the operations of the run. */
gcast_status record_window(gcast_run *run, gcast_run_op *ops, const window *w, gcast_error *err);

/* One operation while it is simulated, as the execution engine sees it. Where kernels launch kernels there are many at
 * a time, so it is small. */
typedef struct sim_op {
    uint32_t op;                  /* the op of the workload that it executes */
    uint32_t job;                 /* as in the run; of a child: the number of its call */
    uint32_t queue_next;          /* the operation behind it in its queue: arriving, turn, engine, ... */
    uint32_t group_count;         /* groups of its blocks that are resident */
    uint64_t entry;               /* its place in the order of entries to engines' queues */
    const sm_demand *demand;      /* of one of its blocks; kernels with the same demand share it */
    uint64_t dispatched;          /* how many of its blocks have been dispatched */
    uint64_t launch_blocks;       /* blocks of its launch: its own, or the workers of its plan */
    int64_t last_end_ns;          /* the latest end of the blocks dispatched so far, as far as it is known */
    struct sim_parent *launching; /* of a kernel that launches, from its entry until it is complete; else NULL */
    int level;                    /* of its EE queue; 0 is the highest */
    uint8_t resident_kind;        /* where kernels launch kernels: PARENT_RESIDENTS or CHILD_RESIDENTS */
    bool waves_differ;            /* its waves do not repeat exactly, so that none is skipped */
    bool starts_each;             /* its blocks wait or trigger, and start one by one */
    bool starts_whole;            /* it is cooperative: all its blocks start at once */
} sim_op;

/* An operation of the workload as hosts, streams and connections see it, besides its times in the run. */
typedef struct sim_host_op {
    uint32_t stream_next;           /* the operation behind it in its stream's queue */
    uint32_t connection_next;       /* the operation behind it in its connection */
    uint32_t incomplete_prev;       /* the operation before it in sim.incomplete */
    uint32_t incomplete_next;       /* the operation behind it in sim.incomplete */
    uint32_t blocking_prev;         /* the operation before it in sim.blocking_ops */
    uint32_t blocking_next;         /* the operation behind it in sim.blocking_ops */
    uint32_t host_next;             /* the next operation of its host */
    uint32_t waiter;                /* the first call that waits until this operation is complete */
    uint32_t waiter_next;           /* the next call that waits for what this call waits for */
    uint32_t event_next;            /* the operation behind it in sim.event_queue */
    int connection;                 /* the connection that it waits in; -1: none */
    int64_t turn_ns;                /* in a turn queue: when it enters its engine's queue */
    bool arrived;                   /* its launch latency is over */
    bool complete;                  /* all its blocks, or the copy, have ended */
    bool null_waiting;              /* it is in sim.null_waits */
    bool ready;                     /* it may enter its engine's queue, or has entered */
    bool after_pause;               /* nothing had been called for a while when it was called */
    struct sim_launch *plan_launch; /* of a kernel with a plan, while it is in the EE queue or resident; else NULL */
} sim_host_op;

/* An operation's dependencies and the waits for its event; only where the workload has dependencies. */
typedef struct sim_after {
    uint32_t pending;    /* dependencies whose events it has not seen */
    uint32_t first_wait; /* index in sim.event_waits of the first operation that waits for its event; NONE */
    uint32_t last_wait;  /* of the last one, as they were called; NONE */
    bool is_named;       /* some op depends on it */
    bool is_seen;        /* its event has been seen: it ended an event gap ago */
} sim_after;

/* An operation that waits for the event of another. */
typedef struct sim_event_wait {
    uint32_t op;   /* who waits */
    uint32_t next; /* index of the next one that waits for that event; NONE */
} sim_event_wait;

/* A launch of a kernel with a plan: the planned one, or the repair. Positions are those of job[]. */
typedef struct sim_launch {
    const gcast_plan *plan;    /* of the kernel */
    gcast_mapping mapping;     /* of the plan; GCAST_MAPPING_PERSISTENT for the repair */
    bool steal;                /* as in the plan */
    bool is_repair;            /* it does the jobs that no worker came to */
    bool durations_equal;      /* all jobs take the same time */
    uint32_t queues;           /* how many it has */
    const uint32_t *first;     /* by queue: the position of its first job; one more at the end */
    const uint32_t *job;       /* numbers of jobs, queue after queue */
    uint32_t *next;            /* by queue: the position of the next job to be taken */
    uint32_t *tickets;         /* by number of an SM: workers that have started there */
    uint32_t *missing;         /* the jobs of the repair; NULL */
    uint32_t missing_first[2]; /* `first` of the repair */
    uint32_t slot_first;       /* its first slot of sim.workers */
    uint32_t slot_cap;         /* its slots; 0: none yet */
    uint32_t slot_count;       /* how many of them have been used */
    uint32_t working_count;    /* its workers that may take further jobs */
} sim_launch;

/* A worker that takes jobs from a queue. The slots of a launch are in the order in which its workers started. */
typedef struct sim_worker {
    uint32_t op;    /* its kernel */
    uint32_t group; /* its group, of one block */
    uint32_t queue; /* from which it takes its next job */
} sim_worker;

/* A worker that is free at a time. */
typedef struct free_worker {
    int64_t time;   /* when its job ends */
    uint32_t queue; /* from which it takes its next job */
    uint32_t slot;  /* its slot */
} free_worker;

/* Slots of sim.workers that a launch has. */
typedef struct sim_slots {
    uint32_t first; /* the first slot */
    uint32_t count; /* how many */
} sim_slots;

/* A FIFO of operations, linked by one of the `next` fields. */
typedef struct sim_fifo {
    uint32_t first; /* the head; NONE: it is empty */
    uint32_t last;  /* the operation that was added last; NONE */
} sim_fifo;

#define FIFO_EMPTY ((sim_fifo){NONE, NONE})

typedef struct sim_stream {
    sim_fifo queue;            /* operations that were called and have not departed, in launch order */
    uint32_t last_called;      /* the operation that was called last; NONE: none yet */
    int connection;            /* the one that its last kernel joined; -1: none yet */
    int channel[COPY_ENGINES]; /* by copy engine: the channel that its last copy joined; -1: none yet */
} sim_stream;

/* A connection, or a channel of a copy engine. */
typedef struct sim_connection {
    sim_fifo queue;  /* kernels that were called and are not in the EE queue; or copies that wait for the engine */
    uint64_t joined; /* number of the last join; 0: none yet */
    int stream;      /* the stream that joined last; -1: none yet */
} sim_connection;

/* Blocks of one kernel that were dispatched together on one SM. Groups of one kernel that end together are a chain. */
typedef struct sim_group {
    uint32_t next;         /* the next group of its chain, or of the list of free groups */
    uint32_t op;           /* its kernel */
    uint32_t rank;         /* of its SM */
    uint32_t count;        /* its blocks; 0: the group is free */
    uint64_t chain_blocks; /* blocks from this group to the end of the chain */
    int32_t quarter;       /* where the first warp of its first block runs */
    uint32_t age;          /* how many blocks of any kernel were dispatched before it, modulo 2^32 */
} sim_group;

/* A group whose resources are released now. */
typedef struct released_group {
    uint32_t op;     /* its kernel */
    uint32_t rank;   /* of its SM */
    uint32_t count;  /* its blocks */
    uint32_t age;    /* as in sim_group */
    int32_t quarter; /* as in sim_group */
    int sm;          /* number of its SM */
} released_group;

/* A copy engine and the copy on it. Work is counted in hundredths of a nanosecond at full speed. */
typedef struct sim_copy {
    uint32_t op;            /* the copy that the engine has taken; NONE: the engine is idle */
    int speed_percent;      /* of full speed, from since_ns on; 0: the copy has not started */
    int64_t since_ns;       /* when work_left was last computed */
    __int128 work_left;     /* at since_ns */
    bool ended;             /* the copy ends now */
    bool end_delayed;       /* its end was delayed, because there was a copy in the other direction */
    int64_t ready_ns;       /* the engine starts nothing before */
    uint32_t waiting_count; /* copies in all channels */
    int served_channel;     /* the channel that was served last */
} sim_copy;

/* An operation without a host, which is called at its release. */
typedef struct sim_call {
    int64_t release_ns; /* when it is called */
    uint32_t op;        /* the operation */
} sim_call;

typedef struct sim_barrier {
    uint32_t missing; /* how many of its calls have not been made */
    uint32_t waiter;  /* the first of its calls that have been made and wait; NONE */
} sim_barrier;

/* Memory of the GPU that is taken. */
typedef struct sim_memory {
    int64_t taken_bytes;       /* by all mallocs that have not been freed */
    uint32_t *last_malloc;     /* by host, then without a host: the last malloc that has not been freed; NONE */
    uint32_t *previous_malloc; /* by malloc: the one before it of its host that has not been freed; NONE */
} sim_memory;

/* EVENT_INCOMPLETE: the workers of a plan have ended, and jobs are missing. EVENT_REPAIR: the repair enters.
 * EVENT_WAITING: a block that waits for its children has come to its end. EVENT_GRID: a child that is not complete is
 * no resident grid any more. EVENT_COMPLETE: a child is complete. */
enum { EVENT_DONE, EVENT_COPY, EVENT_HOST, EVENT_INCOMPLETE, EVENT_REPAIR, EVENT_WAITING, EVENT_GRID, EVENT_COMPLETE };

typedef struct sim {
    const gcast_workload *w;               /* what is simulated */
    const gcast_gpu *gpu;                  /* where it is simulated, with the partition taken */
    const gcast_simulate_options *options; /* as the caller gave them */
    gcast_error *err;                      /* filled in by the first failure */
    gcast_status status;                   /* the first failure; the loop ends on it */
    int64_t now;                           /* the time */
    int64_t host_side_ns;                  /* hosts and stream queues have nothing to do before */

    gcast_run_op *ops;     /* the operations of the run, without children */
    gcast_block *blocks;   /* the blocks of all operations of the workload, where all are recorded; NULL */
    sim_op *state;         /* by operation, and behind them children (launch_state.h) */
    sim_host_op *host_ops; /* by operation, without children */
    uint32_t op_count;     /* how many there are, without children */
    uint64_t launches;     /* number of calls so far */
    uint64_t entries;      /* number of entries into engines' queues so far */
    int64_t last_call_ns;  /* when the last call was made; -1: none yet */
    sm_demand *demands;    /* of all kernels, each once */
    window window;         /* which blocks are recorded, where not all are */

    tournament releases;        /* by first group of a chain: when the chain's resources are released */
    heap events;                /* EVENT_* of operations by time */
    heap ended;                 /* operations that are complete now, by entry number */
    uint32_t poll_count;        /* calls of sim_poll */
    uint64_t blocks_total;      /* of the run */
    uint64_t blocks_resident;   /* number of blocks of all kernels that are resident */
    uint64_t blocks_dispatched; /* number of blocks of all kernels that have been dispatched */

    /* Hosts (hosts.c) */
    sim_call *calls;       /* operations without a host, by release */
    uint32_t call_count;   /* of calls[] */
    uint32_t call_next;    /* the first of calls[] that has not been made */
    uint32_t *host_first;  /* by host: its first operation; NONE */
    heap due;              /* calls to be made now, by index */
    uint32_t active_free;  /* the cudaFree that has not returned; NONE */
    uint32_t *barrier_of;  /* by op of the workload: index in barriers[] */
    sim_barrier *barriers; /* by number */
    size_t barrier_count;  /* of barriers[] */
    bool has_skipped;      /* an operation was skipped, so that barriers may no longer miss a call */
    sim_memory memory;     /* of the GPU, taken by mallocs */
    sim_fifo device_waits; /* device synchronizations and frees that wait, by launch (queue_next) */
    sim_fifo incomplete;   /* operations on the GPU that were called and are not complete, by launch */

    /* Stream queues (stream_queue.c) */
    sim_stream *streams;       /* by stream */
    int null_stream;           /* index of the NULL stream; -1: there is none */
    sim_fifo blocking_ops;     /* operations of other blocking streams that were called and have not departed */
    sim_fifo kernels_arriving; /* kernels that were called and have not arrived (queue_next) */
    sim_fifo copies_arriving;  /* copies and memsets that were called and have not arrived (queue_next) */
    sim_fifo departing;        /* complete operations that have not departed (queue_next) */
    heap null_waits;           /* heads that wait for the NULL stream, by launch */
    heap null_released;        /* where times scatter: heads that wait no more for the NULL stream, in a drawn order */
    VEC(uint32_t) ready;       /* operations that enter their engines' queues now, in this order */
    sim_after *after;          /* by operation; NULL: there are no dependencies */
    sim_event_wait *event_waits; /* of all operations, as they were called */
    uint32_t event_wait_count;   /* of event_waits[], so far */
    sim_fifo event_queue;        /* complete operations on which others depend, and whose events are not seen */
    bool has_extra_latency;      /* the call of some op takes longer than the GPU says */
    int64_t event_gap_ns;        /* from the end of an operation until its event is seen */

    /* Connections (stream_queue.c) */
    sim_connection *connections;             /* by number */
    int connection_count;                    /* of connections[]; 0: one per stream */
    int last_connection;                     /* the one that was joined last, by any stream */
    uint64_t join_count;                     /* of connections and channels */
    sim_fifo turn_queue[CONNECTION_HALVES];  /* kernels that wait for the turn of their connection (queue_next) */
    int64_t last_turn_ns[CONNECTION_HALVES]; /* the last turn that was given */

    /* Execution engine (execution_queue.c, refill.c, groups.c) */
    sim_fifo levels[MAX_LEVELS];         /* the EE queues, by level (queue_next) */
    uint64_t nonempty_levels;            /* bit per level: its queue has a kernel */
    uint32_t queued_count;               /* kernels in EE queues */
    uint32_t resident_grids;             /* kernels that have started and are not complete */
    uint32_t live_groups;                /* groups that are resident */
    uint32_t blocked;                    /* the head whose blocks fit on no SM, except perhaps on dirty ones; NONE */
    const sm_demand *blocked_demand;     /* no block with at least this demand fits either, except on dirty SMs; NULL */
    int64_t switch_end_ns;               /* no block starts before: the kernel switch */
    bool in_release_order;               /* releases are seen one by one, so that most SMs are closed */
    sm_set sms;                          /* the SMs and what is free there */
    placement place;                     /* where blocks of the head go */
    bool durations_differ;               /* tick, starving or launches change the durations of blocks */
    starve starve;                       /* blocks that spin, which make others starve */
    tick tick;                           /* the clock that sleeping blocks read */
    uint32_t *quarter_scratch;           /* by rank: the next quarter while blocks are recorded */
    VEC(released_group) released;        /* groups whose resources are released now */
    VEC(released_block) released_blocks; /* the blocks of these groups, where they are seen one after the other */
    sim_group *groups;                   /* by number: resident groups and free ones */
    size_t group_count;                  /* of groups[], free ones included */
    size_t group_cap;                    /* for how many groups[] has memory */
    uint32_t free_group;                 /* the first free group; NONE */

    struct sim_clusters *clusters; /* NULL: no kernel of the workload has clusters (clusters.c) */
    uint32_t clusters_queued;      /* kernels with clusters in EE queues */

    /* Kernels with a plan (workers.c) */
    tournament job_ends;              /* by slot: when the worker's job ends; workers that may take another one */
    sim_worker *workers;              /* by slot */
    size_t worker_cap;                /* for how many slots there is memory */
    uint32_t working_count;           /* workers that may take further jobs */
    VEC(sim_slots) slots;             /* slots that are in use, in order */
    VEC(free_worker) scratch_workers; /* free workers of the launch at hand */
    heap repairs;                     /* operations whose repair enters the EE queue now, by entry number */

    /* Kernels that launch kernels (launch_state.h) */
    struct sim_launches *launch; /* NULL: no kernel of the workload does */
    struct arena *run_memory;    /* of the run: children and their blocks */

    struct sim_waits *waits;  /* programmatic launches and blocks that wait (block_waits.h); NULL: there are none */
    struct sim_graphs *graph; /* launches of CUDA graphs (graph_nodes.h); NULL: there are none */

    /* Copy engines (copy_engines.c) */
    bool has_copies;               /* there are copies or memsets */
    sim_copy *copy_engines;        /* by number */
    sim_connection *copy_channels; /* of engine 0, then of engine 1, ... */

    const outside *from; /* who calls operations instead of the workload; NULL */
} sim;

/* The op of the workload that an operation executes. */
static inline const gcast_op *sim_spec(const sim *s, uint32_t o)
{
    return &s->w->ops[s->state[o].op];
}

/* The barrier that an operation calls. */
static inline sim_barrier *sim_barrier_of(const sim *s, uint32_t o)
{
    return &s->barriers[s->barrier_of[s->state[o].op]];
}

/* The launch of a kernel with a plan; NULL: it is none. */
static inline struct sim_launch *sim_plan_launch(const sim *s, uint32_t o)
{
    return o < s->op_count ? s->host_ops[o].plan_launch : NULL;
}

/* A simulation can fail without memory, or at a time that is too late. The first failure stays in sim.status. */

/* No time of a simulation is later, so that the sum of two never overflows. */
#define MAX_TIME_NS (INT64_MAX / 2)

/* There is no memory. */
void sim_fail_memory(sim *s);
/* There is no memory for a block, or the caller takes no more. */
void sim_fail_record(sim *s);
/* A time of o is later than MAX_TIME_NS. */
void sim_fail_time(sim *s, uint32_t o);

/* The sum of a time of o and a delay, both at most MAX_TIME_NS; where the sum is more, the simulation fails. */
static inline int64_t sim_add_ns(sim *s, uint32_t o, int64_t time, int64_t delay)
{
    int64_t sum = time + delay;
    if (sum <= MAX_TIME_NS)
        return sum;
    sim_fail_time(s, o);
    return MAX_TIME_NS;
}

/* Adds an event to a heap. */
static inline void sim_push(sim *s, heap *h, int64_t time, uint32_t kind, uint32_t id)
{
    if (!heap_push(h, (heap_item){time, kind, id}))
        sim_fail_memory(s);
}

/* Queues and lists of operations are linked through fields of sim_op or sim_host_op. */

/* Adds o at the end of a FIFO, and drops the head of one. `table`: sim.state or sim.host_ops; `link`: the field that
 * points to the next operation. */
#define fifo_add_in(table, fifo, o, link)                                                                              \
    do {                                                                                                               \
        (table)[o].link = NONE;                                                                                        \
        if ((fifo)->first == NONE)                                                                                     \
            (fifo)->first = (o);                                                                                       \
        else                                                                                                           \
            (table)[(fifo)->last].link = (o);                                                                          \
        (fifo)->last = (o);                                                                                            \
    } while (0)
#define fifo_drop_in(table, fifo, link)                                                                                \
    do {                                                                                                               \
        (fifo)->first = (table)[(fifo)->first].link;                                                                   \
        if ((fifo)->first == NONE)                                                                                     \
            (fifo)->last = NONE;                                                                                       \
    } while (0)

/* FIFOs linked by sim_op.queue_next. */
#define fifo_add(s, fifo, o) fifo_add_in((s)->state, fifo, o, queue_next)
#define fifo_drop(s, fifo) fifo_drop_in((s)->state, fifo, queue_next)

/* A list from which any operation can be dropped. `prev`, `next`: the fields that point to the neighbours. */
#define list_add(s, list, o, prev, next)                                                                               \
    do {                                                                                                               \
        (s)->host_ops[o].prev = (list)->last;                                                                          \
        fifo_add_in((s)->host_ops, list, o, next);                                                                     \
    } while (0)
#define list_drop(s, list, o, prev, next)                                                                              \
    do {                                                                                                               \
        const sim_host_op *x_ = &(s)->host_ops[o];                                                                     \
        *(x_->prev == NONE ? &(list)->first : &(s)->host_ops[x_->prev].next) = x_->next;                               \
        *(x_->next == NONE ? &(list)->last : &(s)->host_ops[x_->next].prev) = x_->prev;                                \
    } while (0)

/* The caller's progress function learns how far the simulation is, and may stop it. */
void sim_report_progress(sim *s);

/* To be called after every step of a loop that may last long. */
static inline void sim_poll(sim *s)
{
    if ((++s->poll_count & 0xffff) == 1)
        sim_report_progress(s);
}

#endif
