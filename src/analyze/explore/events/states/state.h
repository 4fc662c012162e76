/* The search by events, for blocks that are no pool of slots (docs/explore.md, "Events"). A state is what the simulator
 * would have at some instant, but for its times: each is a variable plus a number, and a zone bounds the differences of
 * the variables. The next instant is any at which some of the pending events happen, and what it does is what
 * docs/model.md says. In all files of this folder q is the search and s a state. */
#ifndef ANALYZE_EXPLORE_EVENTS_STATES_STATE_H
#define ANALYZE_EXPLORE_EVENTS_STATES_STATE_H

#include "analyze/explore/events/states/zone.h"
#include "analyze/explore/problem/problem.h"
#include "base/heap.h"
#include "simulate/blocks/placement.h"

#define EVENT_LINES (1 + COPY_ENGINES) /* that a stream may be in: a connection, and a channel of each copy engine */

/* Phases of an operation, in the order in which it goes through them. */
enum {
    EVENT_CALLED,           /* it has not arrived */
    EVENT_ARRIVED,          /* it waits for its stream, or for its connection */
    EVENT_AWAITS_TURN,      /* it waits for its turn */
    EVENT_ENTERED,          /* it is in its engine's queue; a kernel may have started blocks */
    EVENT_FULLY_DISPATCHED, /* all its blocks, or the copy, have started */
    EVENT_COMPLETE,         /* it has not left its stream, and its event, if it has one, is not seen */
    EVENT_LEFT,             /* it has left its stream, and its event is not seen */
    EVENT_SEEN              /* its event is seen, and it has not left its stream */
};

/* An operation that was called, and has not left its stream or has an event that is not seen. */
typedef struct event_op {
    uint32_t job;           /* its job */
    uint32_t phase;         /* EVENT_CALLED ... EVENT_COMPLETE */
    int32_t line;           /* connection of a kernel that has not entered, channel of a copy that waits; else -1 */
    uint32_t entry_number;  /* from EVENT_ENTERED on: orders entries, together with those of resident blocks */
    uint64_t started_count; /* number of blocks that have started; 1 for a copy that has */
    zone_time call;         /* when it was called */
    zone_time next_event;   /* when it arrives, has its turn, leaves its stream, or its event is seen */
} event_op;

/* A block that holds resources of an SM. */
typedef struct event_resident {
    uint32_t job;          /* its kernel */
    uint32_t rank;         /* its SM, by rank */
    uint32_t entry_number; /* of its kernel */
    int32_t quarter;       /* the quarter of its first warp */
    zone_time freed;       /* when its resources are free again */
} event_resident;

/* Blocks of a kernel, or a copy, end: the last of those ends that are at the same variable. */
typedef struct event_end {
    uint32_t job;   /* the kernel or copy */
    zone_time time; /* when they end */
} event_end;

/* A job of a task that may be released late, some op of which is not called yet. */
typedef struct event_late_group {
    uint32_t group;       /* number of its group of jobs (event_search) */
    zone_time first_call; /* the call of its first op */
} event_late_group;

typedef struct event_engine {
    uint32_t job;      /* the copy that runs; NONE: it is idle */
    uint32_t channel;  /* the channel of the last copy that it started */
    zone_time gap_end; /* it starts nothing before this time */
} event_engine;

/* A connection or a channel. */
typedef struct event_line {
    uint32_t join_number; /* orders when they were joined last; 0: never */
    int32_t stream;       /* the stream that joined it last */
} event_line;

typedef struct event_state {
    uint64_t *called;                   /* set of jobs that were called */
    VEC(event_op) ops;                  /* operations that are there, in the order of their calls */
    VEC(event_resident) residents;      /* blocks that hold resources */
    VEC(event_end) ends;                /* ends that are to come */
    VEC(event_late_group) late_groups;  /* groups that are called in part, or may be called next; by group */
    event_engine engines[COPY_ENGINES]; /* copy engines */
    zone_time switch_end;               /* the EE starts nothing before this time */
    uint32_t next_entry_number;         /* of the next operation that enters */
    sm_state *sms;                      /* by rank: free resources */
    uint32_t last_sm;                   /* with round robin: the SM that took the last block; their number: none */
    event_line *lines;                  /* connections, then channels of engine 0, then channels of engine 1 */
    int32_t *stream_lines;              /* by stream: connection, then channel by copy engine; -1: none */
    uint32_t last_connection;           /* the connection that was joined last */
    zone zone;                          /* bounds of all times above */
} event_state;

/* A state as it is stored. */
typedef struct event_packed {
    struct event_packed *next; /* the next one in its place of the hash table */
    uint64_t hash;             /* of the key */
    uint64_t progress;         /* grows with everything that happens, and is the same for all states of one key */
    uint32_t key_count;        /* number of words of the key */
    uint32_t var_count;        /* number of variables of the zone */
    int64_t words[];           /* key, then bounds of the zone */
} event_packed;

typedef struct event_search {
    explore_problem *problem; /* what is searched; results go there */

    /* about the jobs */
    uint8_t *engine;            /* by job: 0 for the EE, 1 and 2 for the copy engines */
    uint32_t *group;            /* by job: the jobs of one task job that may be late together; NONE: it is never late */
    int64_t *group_call_lo;     /* by group: earliest call of its first op */
    int64_t *group_jitter_ns;   /* by group: how late it may be */
    uint32_t *group_first;      /* by group: its first job in the order of calls */
    uint32_t *group_last;       /* by group: its last job in the order of calls */
    uint32_t *group_before;     /* by group: of a sporadic task, the group of the job before; NONE: there is none */
    uint32_t *group_next;       /* by group: of a sporadic task, the group of the next job; NONE: there is none */
    int64_t *group_distance_ns; /* by group: how long it is called after group_before, at least */
    uint32_t group_count;       /* number of groups */
    sm_demand *demands;         /* by op of the workload: what a block needs */
    size_t set_words;           /* number of words of a set of jobs */

    /* about the GPU */
    int connection_count; /* 0: they decide nothing */
    int channel_count;    /* of each copy engine; 0: they decide nothing */
    int null_stream;      /* the NULL stream; -1: it is not used */
    size_t line_count;    /* number of connections and channels */
    sm_set sms;           /* for the simulator's placement; its `at` is that of a state while blocks start */
    sm_state *own_sms;    /* what `at` was at first, to be freed */
    placement placement;  /* the simulator's choice of SMs */

    /* the instant that is followed now */
    event_state current;                      /* the state before the instant */
    event_state after_queues;                 /* the state after ends, calls and entries */
    event_state successor;                    /* the state after starts */
    zone_time now;                            /* the time of the instant */
    zone_time candidates[ZONE_MAX_VARIABLES]; /* the first pending event of each variable */
    size_t candidate_count;                   /* number of candidates */
    zone *zone_stack;                         /* by depth: the zone in which the events so far are settled */
    int64_t happens[ZONE_MAX_VARIABLES];      /* by variable: offset of its events that happen now; INT64_MIN: none */
    int64_t freed_before[ZONE_MAX_VARIABLES]; /* by variable: resources at lower offsets were freed before now */
    VEC(uint32_t) due;                        /* jobs that are called now, in order */
    VEC(bool) arrive_at_once;                 /* by place in `due`: its latency, which is a range, is 0 */
    VEC(uint32_t) ready;                      /* jobs that enter now, in order */
    VEC(event_resident) freed;                /* blocks whose resources are free from now on */

    /* the store */
    event_packed **table;       /* hash table: by hash of the key, the first state there */
    size_t table_size;          /* number of its places, a power of two */
    size_t stored_count;        /* number of states in the table */
    uint64_t store_bytes;       /* how much memory the store has taken */
    heap pending;               /* ids of states in the table, by progress */
    VEC(event_packed *) packed; /* by id: states in the table */
    VEC(uint32_t) free_ids;     /* ids that are not used any more */
    VEC(int64_t) key;           /* the key of the state that is stored next */

    /* limits */
    uint64_t progress;         /* of the current state */
    uint64_t max_progress;     /* of the state in which everything is done */
    uint64_t instant_count;    /* number of instants so far */
    uint64_t work_since_check; /* work within the instant since the clock was read */
    bool out_of_memory;        /* some allocation failed */
} event_search;

/* The op of a job. */
static inline const gcast_op *event_op_of(const event_search *q, uint32_t job)
{
    return &q->problem->w->ops[q->problem->jobs[job].op];
}

static inline bool event_is_kernel(const event_search *q, uint32_t job)
{
    return !q->engine[job];
}

static inline bool event_is_called(const event_state *s, uint32_t job)
{
    return s->called[job / 64] >> (job % 64) & 1;
}

/* Does an event of this time happen at the instant that is followed now? */
static inline bool event_is_now(const event_search *q, zone_time t)
{
    return !zone_is_never(t) && q->happens[t.var] == t.offset;
}

/* Remembers that an allocation failed. Returns false. */
static inline bool event_no_memory(event_search *q)
{
    q->out_of_memory = true;
    return false;
}

/* Does a kernel wait to start blocks? If none does, nothing depends on when resources are freed, and that is no
 * event. */
static inline bool event_kernel_waits(const event_search *q, const event_state *s)
{
    for (size_t i = 0; i < s->ops.count; i++)
        if (s->ops.at[i].phase == EVENT_ENTERED && event_is_kernel(q, s->ops.at[i].job))
            return true;
    return false;
}

/* The operation of a job; NULL: it is not there. */
static inline event_op *event_find_op(event_state *s, uint32_t job)
{
    for (size_t i = 0; i < s->ops.count; i++)
        if (s->ops.at[i].job == job)
            return &s->ops.at[i];
    return NULL;
}

/* When a job is called that has not been; never: its group may be late, and is not among late_groups yet. */
static inline zone_time event_call_time(const event_search *q, const event_state *s, uint32_t job)
{
    uint32_t group = q->group[job];
    int64_t call_lo = q->problem->jobs[job].call_lo;
    if (group == EXPLORE_NONE)
        return (zone_time){0, call_lo};
    for (size_t i = 0; i < s->late_groups.count; i++)
        if (s->late_groups.at[i].group == group)
            return zone_after(s->late_groups.at[i].first_call, call_lo - q->group_call_lo[group]);
    return ZONE_NEVER;
}

#endif
