/* States of the search by events, for blocks that are no pool of slots (docs/explore.md, "Events"). A state is that of
 * a simulator at one instant, except for its times: each is a variable plus an offset, and a zone bounds the
 * differences of the variables. The next instant is any at which some of the pending events happen; it follows the
 * rules of docs/model.md. In this folder q is the search and s a state. */
#ifndef ANALYZE_EXPLORE_EVENTS_EVENT_STATE_H
#define ANALYZE_EXPLORE_EVENTS_EVENT_STATE_H

#include "analyze/explore/events/zone.h"
#include "analyze/explore/problem.h"
#include "base/heap.h"
#include "simulate/blocks/placement.h"

#define EVENT_LINES (1 + COPY_ENGINES) /* lines of a stream: a connection, and a channel of each copy engine */

/* Phases of an operation, in order. */
enum {
    EVENT_CALLED,           /* it has not arrived */
    EVENT_ARRIVED,          /* it waits for its stream, or for its connection */
    EVENT_AWAITS_TURN,      /* it waits for its turn */
    EVENT_ENTERED,          /* it is in its engine's queue; a kernel may have started blocks */
    EVENT_FULLY_DISPATCHED, /* all its blocks, or the copy, have started */
    EVENT_COMPLETE,         /* it has not left its stream, and its event is not seen */
    EVENT_LEFT,             /* it has left its stream, and its event is not seen */
    EVENT_SEEN              /* its event is seen, and it has not left its stream */
};

/* An operation that was called, and is still in its stream or has an event that is not seen. */
typedef struct event_op {
    uint32_t job;           /* its job */
    uint32_t phase;         /* EVENT_CALLED ... EVENT_SEEN */
    int32_t line;           /* connection of a kernel before its entry, channel of a copy before its start; else -1 */
    uint32_t entry_number;  /* from EVENT_ENTERED on: order of entries, common with resident blocks */
    uint64_t started_count; /* blocks that have started; 1 for a started copy */
    zone_time call;         /* when it was called */
    zone_time next_event;   /* its next pending event: arrival, turn, departure from its stream, or event seen */
} event_op;

/* A block that holds resources of an SM. */
typedef struct event_resident {
    uint32_t job;          /* its kernel */
    uint32_t rank;         /* its SM, by rank */
    uint32_t entry_number; /* of its kernel */
    int32_t quarter;       /* the quarter of its first warp */
    zone_time freed;       /* when its resources are free again */
} event_resident;

/* End of a copy, or of blocks of a kernel: the last end that uses the same variable. */
typedef struct event_end {
    uint32_t job;   /* the kernel or copy */
    zone_time time; /* of the end */
} event_end;

/* A group of jobs that may be late together and are not all called yet. */
typedef struct event_late_group {
    uint32_t group;       /* its number (event_search.group) */
    zone_time first_call; /* the call of its first op */
} event_late_group;

typedef struct event_engine {
    uint32_t job;      /* the running copy; NONE: it is idle */
    uint32_t channel;  /* the channel of the last copy that it started */
    zone_time gap_end; /* it starts nothing before this time */
} event_engine;

/* A connection or a channel. */
typedef struct event_line {
    uint32_t join_number; /* order of the last joins; 0: never joined */
    int32_t stream;       /* the stream that joined it last */
} event_line;

typedef struct event_state {
    uint64_t *called;                   /* set of jobs that were called */
    VEC(event_op) ops;                  /* called operations, in the order of their calls */
    VEC(event_resident) residents;      /* blocks that hold resources */
    VEC(event_end) ends;                /* pending ends */
    VEC(event_late_group) late_groups;  /* groups partly called, or that may be called next, by number */
    event_engine engines[COPY_ENGINES]; /* copy engines */
    zone_time switch_end;               /* the EE starts nothing before this time */
    uint32_t next_entry_number;         /* for the next operation that enters */
    sm_state *sms;                      /* by rank: free resources */
    uint32_t last_sm;                   /* with round robin: the SM that took the last block; number of SMs: none */
    event_line *lines;                  /* connections, then the channels of each copy engine */
    int32_t *stream_lines;              /* by stream: connection, then channel by copy engine; -1: none */
    uint32_t last_connection;           /* the connection that was joined last */
    zone zone;                          /* bounds of all times above */
} event_state;

/* A stored state. */
typedef struct event_packed {
    struct event_packed *next; /* the next one in its hash bucket */
    uint64_t hash;             /* of the key */
    uint64_t progress;         /* grows with every event, and is equal for all states of one key */
    uint32_t key_count;        /* number of words of the key */
    uint32_t var_count;        /* number of variables of the zone */
    int64_t words[];           /* key, then bounds of the zone */
} event_packed;

typedef struct event_search {
    explore_problem *problem; /* the problem, which takes the results */

    /* the jobs */
    uint8_t *engine;        /* by job: 0 for the EE, 1 and 2 for the copy engines */
    uint32_t *group;        /* by job: its group, the ops of one task job that may be late together; NONE: never late */
    int64_t *group_call_lo; /* by group: earliest call of its first op */
    int64_t *group_jitter_ns;   /* by group: longest lateness */
    uint32_t *group_first;      /* by group: its first job in the order of calls */
    uint32_t *group_last;       /* by group: its last job in the order of calls */
    uint32_t *group_before;     /* by group: for a sporadic task, the group of its previous job; NONE: there is none */
    uint32_t *group_next;       /* by group: for a sporadic task, the group of its next job; NONE: there is none */
    int64_t *group_distance_ns; /* by group: shortest time from the call of group_before to its own */
    uint32_t group_count;       /* number of groups */
    sm_demand *demands;         /* by op of the workload: demand of a block */
    size_t set_words;           /* number of words of a set of jobs */

    /* the GPU */
    int connection_count; /* 0: they decide nothing */
    int channel_count;    /* of each copy engine; 0: they decide nothing */
    int null_stream;      /* the NULL stream; -1: it is not used */
    size_t line_count;    /* number of connections and channels */
    sm_set sms;           /* for the simulator's placement; `at` is that of a state while blocks start */
    sm_state *own_sms;    /* the original `at`, to be freed */
    placement placement;  /* the simulator's choice of SMs */

    /* the current instant */
    event_state current;                      /* the state before the instant */
    event_state after_queues;                 /* the state after ends, calls and entries */
    event_state successor;                    /* the state after starts */
    zone_time now;                            /* its time */
    zone_time candidates[ZONE_MAX_VARIABLES]; /* the first pending event of each variable */
    size_t candidate_count;                   /* number of candidates */
    zone *zone_stack;                         /* by depth: the zone after the decisions so far */
    int64_t happens[ZONE_MAX_VARIABLES];      /* by variable: offset of its events that happen now; INT64_MIN: none */
    int64_t freed_before[ZONE_MAX_VARIABLES]; /* by variable: resources at lower offsets were freed before now */
    VEC(uint32_t) due;                        /* jobs that are called now, in order */
    VEC(bool) arrive_at_once;                 /* by index in `due`: its latency, which is a range, is 0 */
    VEC(uint32_t) ready;                      /* jobs that enter now, in order */
    VEC(event_resident) freed;                /* blocks whose resources are freed now */

    /* the store */
    event_packed **table;       /* hash table: the first state of each bucket, by hash of the key */
    size_t table_size;          /* number of buckets, a power of two */
    size_t stored_count;        /* number of states in the table */
    uint64_t store_bytes;       /* memory of the store */
    heap pending;               /* ids of states in the table, by progress */
    VEC(event_packed *) packed; /* by id: the state */
    VEC(uint32_t) free_ids;     /* unused ids */
    VEC(int64_t) key;           /* scratch: the key of a state that is stored, or a memory */

    /* limits */
    uint64_t progress;         /* of the current state */
    uint64_t max_progress;     /* of the final state */
    uint64_t instant_count;    /* number of instants so far */
    uint64_t work_since_check; /* work within an instant since the clock was read */
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

/* Do events of this time happen at the current instant? */
static inline bool event_is_now(const event_search *q, zone_time t)
{
    return !zone_is_never(t) && q->happens[t.var] == t.offset;
}

/* Notes that an allocation failed. Returns false. */
static inline bool event_no_memory(event_search *q)
{
    q->out_of_memory = true;
    return false;
}

/* Does a kernel wait to start blocks? If none does, nothing depends on freed resources, and freeing them is no event.
 */
static inline bool event_kernel_waits(const event_search *q, const event_state *s)
{
    for (size_t i = 0; i < s->ops.count; i++)
        if (s->ops.at[i].phase == EVENT_ENTERED && event_is_kernel(q, s->ops.at[i].job))
            return true;
    return false;
}

/* The operation of a job in the state, or NULL. */
static inline event_op *event_find_op(event_state *s, uint32_t job)
{
    for (size_t i = 0; i < s->ops.count; i++)
        if (s->ops.at[i].job == job)
            return &s->ops.at[i];
    return NULL;
}

/* When a job that has not been called is called; never: its group may be late, and is not in late_groups yet. */
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

/* Makes the state in which nothing was called. False without memory; it must be freed even then. */
bool event_state_init(event_search *q, event_state *s);
void event_state_free(event_state *s);
/* Both states must be initialized. False without memory. */
bool event_state_copy(const event_search *q, event_state *to, const event_state *from);

/* The next functions treat jobs that may be late. */

/* Is the job of a sporadic task whose previous job has not been called? */
bool event_call_is_later(const event_search *q, const event_state *s, uint32_t job);
/* Makes the call of the group's first op a variable, unless it is one, since an op of the group may be called next.
 * False: with a refusal, or without memory. */
bool event_add_late_group(event_search *q, event_state *s, uint32_t group);
/* Drops groups of which all ops have been called. False: with a refusal, or without memory. */
bool event_drop_late_groups(event_search *q, event_state *s);

#endif
