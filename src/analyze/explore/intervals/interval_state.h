/* States of the search by intervals (docs/explore.md), and what they know of events. A state stands for all executions
 * in which the same blocks have started so far. Its times are intervals that contain those of each execution, stored as
 * two vectors, the earliest and the latest times. Two states merge by the minimum of the earliest and the maximum of
 * the latest times. In this folder q is the search and s a state. */
#ifndef ANALYZE_EXPLORE_INTERVALS_INTERVAL_STATE_H
#define ANALYZE_EXPLORE_INTERVALS_INTERVAL_STATE_H

#include "analyze/explore/intervals/slot_fill.h"
#include "analyze/explore/problem.h"
#include "base/heap.h"

#define INTERVAL_CUT_PARTS 8 /* parts into which the possible numbers of blocks before a cut are divided */

/* A state in memory: this, then its key, then the earliest and the latest times. The key has one bit for every job,
 * which is set when the job is fully dispatched, and two words for every level (interval_partial). */
typedef struct interval_state {
    uint64_t hash;       /* of the key */
    uint64_t progress;   /* grows with every step, and is equal for all states of one key */
    uint32_t next;       /* the next state in its hash bucket, or the next free one */
    uint32_t first_left; /* all jobs before this one are fully dispatched */
    uint64_t words[];    /* key, earliest times, latest times */
} interval_state;

/* Where times are in the two vectors of a state: index of the first one of each kind. Slots are in both vectors from 0
 * on, engine by engine, and sorted for each engine. */
typedef struct interval_layout {
    /* in both vectors, after the slots */
    size_t engine_ready;    /* by engine: it starts nothing before this time */
    size_t stream_complete; /* by stream: end of its last job */
    size_t event_complete;  /* by event: end of its job; 0 while no job depends on it */
    size_t partial_end;     /* by level: last end of its partial job's started blocks */
    size_t partial_started; /* by level: number of these blocks, which is no time */
    size_t pair_count;      /* number of entries that both vectors have */
    /* in the earliest times only */
    size_t entry;                /* by queue: remaining jobs enter at this time or later */
    size_t entry_index;          /* by queue: jobs that enter at that time have this call index or a higher one */
    size_t reference;            /* by engine: earliest possible time of the last entry of all its jobs so far */
    size_t last_start;           /* last start on any engine */
    size_t stream_call;          /* by stream: call of its last job */
    size_t stream_min_response;  /* by stream: smallest response of its last job */
    size_t event_min_response;   /* by event: smallest response of its job */
    size_t partial_min_response; /* by level: smallest response of its partial job, by its started blocks */
    size_t min_slot_sum;         /* smallest sum of the EE's slots */
    size_t newest_job_lo; /* by engine: the job that it started last, if that also entered last, + 1; 0: unknown */
    size_t lo_count;      /* number of entries of the earliest times */
    /* in the latest times only */
    size_t reference_slots;      /* by slot, then by engine: the slots and engine_ready if the last entry is at the
                                    reference; if it is d later, they are at most d later */
    size_t stream_max_response;  /* by stream: largest response of its last job */
    size_t event_max_response;   /* by event: largest response of its job */
    size_t stream_entry_delay;   /* by stream: longest time from the call of its last job to its entry */
    size_t partial_max_response; /* by level: largest response of its partial job, by its started blocks */
    size_t max_slot_sum;         /* largest sum of the EE's slots */
    size_t max_reference_sum;    /* largest sum of the EE's slots if the last entry is at the reference */
    size_t max_slot_spread;      /* longest time from engine_ready until the EE's last slot is free */
    size_t newest_job_hi;        /* by engine: as newest_job_lo; the job is known only if the two are equal */
    size_t hi_count;             /* number of entries of the latest times */
} interval_layout;

/* A time of a call or entry, with its order among those at the same time. */
typedef struct ordered_time {
    int64_t time;
    uint32_t index; /* call index: at one time the lower one is first; NONE: the order is open */
} ordered_time;

/* A job that may start next in a state. Times are ranges over all executions with this choice. */
typedef struct interval_choice {
    uint32_t job;               /* the job */
    bool is_resumed;            /* it resumes after a cut */
    bool stream_holds;          /* its stream may delay it after its arrival */
    bool events_hold;           /* events that it waits for may be seen after its arrival */
    bool next_is_open;          /* a job that waits for a job that has not started may be the next of its stream */
    bool enters_on_arrival;     /* it enters on arrival: no stream, event or connection delays it */
    int64_t call_lo;            /* its earliest call */
    int64_t call_hi;            /* its latest call */
    int64_t entry_lo;           /* its earliest entry into its queue */
    int64_t entry_hi;           /* its latest entry into its queue */
    int64_t held_until;         /* kernels of other streams may delay it in its connection until this time */
    int64_t engine_starts_by;   /* by then its engine starts some job, if its connection does not delay it */
    int64_t start_lo;           /* earliest start of its next block, or of the copy */
    int64_t start_hi;           /* latest start of its next block, or of the copy */
    int64_t complete_lo;        /* earliest end of its stream's last job */
    int64_t complete_hi;        /* latest end of its stream's last job */
    int64_t last_start_hi;      /* latest start of any of its blocks */
    int64_t undisturbed_until;  /* no job of a higher level enters up to this time; INT64_MAX: none ever may */
    unsigned cut_part;          /* a higher level cuts it off within this part of its blocks; 0: no cut */
    ordered_time stream_enters; /* by then some job of its stream enters this queue in every execution */
} interval_choice;

/* What is known of a fully dispatched job. */
typedef struct job_outcome {
    int64_t call_lo;         /* its earliest call */
    int64_t end_lo;          /* its earliest end */
    int64_t end_hi;          /* its latest end */
    int64_t min_response;    /* its smallest response */
    int64_t max_response;    /* its largest response */
    int64_t max_entry_delay; /* the longest time from its call to its entry */
} job_outcome;

/* The states that have to be followed. */
typedef struct interval_store {
    VEC(interval_state *) slabs; /* memory of states */
    uint32_t states_per_slab;    /* number of states in a slab */
    uint32_t slab_states;        /* number of states ever used in the slabs */
    uint32_t first_free;         /* first of the unused states; NONE: there is none */
    uint32_t *table;             /* hash table: the first state of each bucket, by hash of the key */
    size_t table_size;           /* number of buckets, a power of two */
    size_t stored_count;         /* number of states in the table */
    heap pending;                /* states in the table, by progress */
} interval_store;

typedef struct interval_search {
    explore_problem *problem;     /* the problem, which takes the results */
    interval_layout layout;       /* where times are in a state */
    size_t set_words;             /* number of words of a set of jobs */
    size_t key_words;             /* number of words of a key */
    size_t state_bytes;           /* size of a state */
    interval_store store;         /* states that have to be followed */
    interval_state *successor;    /* the state that a step makes */
    VEC(interval_choice) choices; /* jobs that may start next in the current state */

    /* scratch for choices */
    ordered_time (*first_entries)[2]; /* by queue: the two earliest times by which some stream's job enters it */
    uint64_t *stream_visited;         /* by stream: number of the last visit to it */
    uint64_t visit_count;             /* number of visits so far */
    size_t max_late_slot;             /* by shares: the last slot that a remaining kernel may wait for */

    /* bursts */
    uint32_t *burst_end;    /* by job: the end of the burst that begins with it; 0: none does */
    __int128 *work_before;  /* by job: longest work of all jobs before it, with a switch after each */
    uint32_t *last_of_call; /* by place in a burst: the last job with the same earliest call */

    /* scratch for slots */
    int64_t *ring;       /* for slot_fill */
    slot_run *runs;      /* for slot_fill */
    int64_t *scratch[2]; /* each for the slots of one engine */
} interval_search;

/* The earliest times of a state. */
static inline int64_t *interval_lo(const interval_search *q, interval_state *s)
{
    return (int64_t *)&s->words[q->key_words];
}

/* The latest times of a state. */
static inline int64_t *interval_hi(const interval_search *q, interval_state *s)
{
    return interval_lo(q, s) + q->layout.lo_count;
}

/* Is the job fully dispatched? */
static inline bool interval_is_dispatched(const interval_state *s, uint32_t job)
{
    return s->words[job / 64] >> (job % 64) & 1;
}

/* The partial job of a level, which was cut off after some of its blocks had started: its number, or NONE; then 1 while
 * it must not resume, until a job of a higher level is fully dispatched. */
static inline uint64_t *interval_partial(const interval_search *q, interval_state *s, size_t level)
{
    return &s->words[q->set_words + 2 * level];
}

/* The next functions treat events, by which jobs wait for dependencies in other streams. */

/* Are all dependencies of the job fully dispatched? */
bool interval_events_known(const interval_search *q, const interval_state *s, uint32_t job);
/* When all events that a job waits for are seen: at the earliest with a state's earliest times, at the latest with its
 * latest times; INT64_MIN: it waits for none. Events of jobs that have not started do not count. */
int64_t interval_events_seen(const interval_search *q, const explore_job *j, const int64_t *times);
/* The earliest and the latest such time if the job is called at `call`, a fixed time after its dependencies. `lo` and
 * `hi` are the times of a state in which these have started. */
int64_t interval_events_seen_lo(const interval_search *q, const explore_job *j, int64_t call, const int64_t *lo);
int64_t interval_events_seen_hi(const interval_search *q, const explore_job *j, int64_t call, const int64_t *hi);
/* Notes that the job is fully dispatched: keeps its outcome while a remaining job depends on it, and drops outcomes of
 * its dependencies on which no remaining job depends. */
void interval_note_events(const interval_search *q, interval_state *n, uint32_t job, const job_outcome *o);

#endif
