/* The second search of method explore, for blocks that are no pool of slots (docs/explore.md, "Events"). A state is
 * what the simulator would have at some instant, with times that are not numbers: each is a variable plus a number, and
 * a zone bounds the differences of the variables. The next instant is any at which some of the pending events
 * happen, and what it does is what docs/model.md says. */
#ifndef ANALYZE_EXPLORE_EVENTS_EVENTS_H
#define ANALYZE_EXPLORE_EVENTS_EVENTS_H

#include "analyze/explore/explore.h"
#include "base/heap.h"
#include "simulate/blocks/placement.h"

#define EVENT_VARIABLES 48 /* of a zone */
#define EVENT_NEVER UINT32_MAX

/* Bounds of differences: d[i * n + j] is the most that variable i can be after j. Variable 0 is time 0. Always
 * closed: no bound follows from others that is lower. Times are integers, so every bound is reached. */
typedef struct event_zone {
    uint32_t n;
    int64_t d[EVENT_VARIABLES * EVENT_VARIABLES];
} event_zone;

typedef struct event_time {
    uint32_t var; /* EVENT_NEVER: none */
    int64_t off;
} event_time;

enum { EVENT_COMING, EVENT_WAITING, EVENT_TURNING, EVENT_QUEUED, EVENT_RUNNING, EVENT_COMPLETE };

/* An operation that was called and has not left its stream. */
typedef struct event_op {
    uint32_t job;
    uint32_t phase;
    int32_t line;   /* connection of a kernel that has not entered, channel of a copy that waits; else -1 */
    uint32_t entry; /* entered as the so-manieth of those here and of those whose blocks hold room */
    uint64_t started;
    event_time call;
    event_time next; /* arrives, has its turn, or leaves */
} event_op;

/* A block that holds room. */
typedef struct event_room {
    uint32_t job, rank;
    uint32_t entry; /* of its kernel */
    int32_t quarter;
    event_time at; /* comes back */
} event_room;

/* Blocks or a copy end, the last of those that are so by this variable. */
typedef struct event_end {
    uint32_t job;
    event_time at;
} event_end;

/* A job of a task that may be late, and of which some op is not yet called. */
typedef struct event_late {
    uint32_t group;
    event_time at; /* call of its first op */
} event_late;

typedef struct event_engine {
    uint32_t job; /* NONE: idle */
    uint32_t channel;
    event_time gap; /* nothing starts before */
} event_engine;

/* Who joined a connection or channel last, and in which order they were joined; 0: never. */
typedef struct event_line {
    uint32_t joined;
    int32_t stream;
} event_line;

typedef struct event_state {
    uint64_t *called;  /* bit a job */
    VEC(event_op) ops; /* by launch */
    VEC(event_room) rooms;
    VEC(event_end) ends;
    VEC(event_late) late;
    event_engine engines[2];
    event_time switching;
    uint32_t entries;
    sm_state *sms; /* by rank */
    uint32_t last_sm;
    event_line *lines;    /* connections, then channels of engine 0 and 1 */
    int32_t *stream_line; /* by stream: connection, channel of engine 0 and 1; -1 */
    uint32_t last_connection;
    event_zone zone;
} event_state;

/* A state as it is kept: key, then zone. */
typedef struct event_packed {
    struct event_packed *chain;
    uint64_t hash, done;
    uint32_t key_count, n;
    int64_t words[];
} event_packed;

typedef struct event_search {
    explore *x;
    uint8_t *engine;      /* by job: 0 the EE, then copy engines */
    uint32_t *group;      /* by job: number of its group; NONE: it is never late */
    int64_t *group_first; /* by group: earliest call of its first op */
    int64_t *group_late;
    uint32_t *group_last; /* by group: its last job in call order */
    uint32_t group_count;
    sm_demand *demands; /* by op of the workload */
    size_t words;       /* of a set of jobs */
    int connections, channels, null_stream;
    size_t line_count;
    sm_set set;
    sm_state *own_sms; /* of the set; in between it has those of a state */
    placement place;
    VEC(event_room) back; /* room that comes back now */
    VEC(uint32_t) ready;  /* jobs that enter now, in order */
    event_time now;
    int64_t happens[EVENT_VARIABLES];     /* by variable: the offset at which something happens now; INT64_MIN: none */
    int64_t back_before[EVENT_VARIABLES]; /* by variable: room of lower offsets has come back before now */
    VEC(uint32_t) due;                    /* jobs that are called now, in order */
    event_state from, to, then; /* a state that is looked at, the same after ends and calls, one that follows */
    event_time candidates[EVENT_VARIABLES];
    size_t candidate_count;
    event_zone *stack; /* zones of the choice so far, by depth */

    event_packed **table;
    size_t table_size, live;
    uint64_t bytes;
    heap pending;
    VEC(event_packed *) known;
    VEC(uint32_t) free_ids;
    VEC(int64_t) key;
    uint64_t done, most_done; /* how far the state is that is looked at, and how far the last one */
    uint64_t looked;          /* instants */
    uint64_t work;            /* within one, since the last look at the clock */
    bool failed;              /* without memory */
} event_search;

static inline event_time event_after(event_time t, int64_t ns)
{
    return (event_time){t.var, t.off + ns};
}

/* How much further a state is when all of a job is over than before its call. */
static inline uint64_t event_weight(const explore_job *j)
{
    return 4 * j->blocks + 9;
}

#define EVENT_NO_TIME ((event_time){EVENT_NEVER, 0})

static inline bool event_is_now(const event_search *q, event_time t)
{
    return t.var != EVENT_NEVER && q->happens[t.var] == t.off;
}

static inline const gcast_op *event_spec(const event_search *q, uint32_t job)
{
    return &q->x->w->ops[q->x->jobs[job].op];
}

static inline bool event_kernel(const event_search *q, uint32_t job)
{
    return !q->engine[job];
}

static inline bool event_called(const event_state *s, uint32_t job)
{
    return s->called[job / 64] >> (job % 64) & 1;
}

/* When a job is called that has not been; its group is in `late` where it has one. */
event_time event_call_time(const event_search *q, const event_state *s, uint32_t job);
event_op *event_find(event_state *s, uint32_t job);

/* events/zone.c */
/* a - b <= most; false where that cannot be. */
bool zone_limit(event_zone *z, event_time a, event_time b, int64_t most);
/* The most that a can be after b. */
int64_t zone_most(const event_zone *z, event_time a, event_time b);
/* A new variable from `least` to `most` after t; EVENT_NEVER: there are too many. */
uint32_t zone_add(event_zone *z, event_time t, int64_t least, int64_t most);
/* A new variable that is the latest of these. */
uint32_t zone_latest(event_zone *z, const event_time *times, size_t count);
void zone_copy(event_zone *to, const event_zone *from);

/* events/state.c */
bool event_state_init(event_search *q, event_state *s);
void event_state_free(event_state *s);
bool event_state_copy(const event_search *q, event_state *to, const event_state *from);
/* What cannot matter any more is forgotten. */
void event_forget(event_search *q, event_state *s);

/* events/pack.c */
/* To q->key and bounds; how many variables it has. */
uint32_t event_pack(event_search *q, event_state *s, int64_t *bounds);
bool event_unpack(event_search *q, event_state *s, const event_packed *p);

/* events/store.c */
bool event_add(event_search *q, event_state *s);
bool event_pop(event_search *q, event_state *s); /* false: none is left, or failed */
void event_store_free(event_search *q);

/* events/next_instant.c: all states that follow q->from. */
bool event_follow(event_search *q);

/* events/instant.c: what follows s at q->now, in the zone of this depth of the stack. */
bool event_happen(event_search *q, size_t depth);
/* May it go on, after so much work within an instant? */
bool event_goes_on(event_search *q, size_t work);
/* Does a kernel wait for room? If not, nobody cares when room comes back, and that is no event. */
bool event_waits(const event_search *q, const event_state *s);

/* events/step.c: the phases of an instant; false: refused or without memory. */
bool event_queues(event_search *q, event_state *s);
bool event_starts(event_search *q, event_state *s);
/* events/queues.c: calls, streams, connections, channels. */
void event_turns(event_search *q, event_state *s);
bool event_departures(event_search *q, event_state *s);
bool event_calls(event_search *q, event_state *s);
bool event_arrivals(event_search *q, event_state *s);
bool event_entries(event_search *q, event_state *s);
/* The next copy that an engine takes; NULL: none waits. */
event_op *event_next_copy(event_search *q, event_state *s, int engine);
/* events/start.c: copies and blocks. */
bool event_start_copies(event_search *q, event_state *s);
bool event_start_blocks(event_search *q, event_state *s);

#endif
