/* The search by intervals (docs/explore.md). A state stands for all executions in which the same blocks have started so
 * far. Its times are intervals, and no execution is outside of them. They are kept as two vectors, the earliest and the
 * latest times; two states become one by the minimum of the earliest and the maximum of the latest times. In all files
 * of this folder q is the search and s a state. */
#ifndef ANALYZE_EXPLORE_INTERVALS_STATE_H
#define ANALYZE_EXPLORE_INTERVALS_STATE_H

#include "analyze/explore/intervals/slots/slot_fill.h"
#include "analyze/explore/problem/problem.h"
#include "base/heap.h"

/* The numbers of blocks after which a job may be cut off are divided into this many parts. */
#define INTERVAL_CUT_PARTS 8

/* A state in memory: this, then its key, then the earliest and the latest times. The key has one bit for every job,
 * which is set when the job is fully dispatched, and two words for every level (interval_partial). */
typedef struct interval_state {
    uint64_t hash;       /* of the key */
    uint64_t progress;   /* grows with every step, and is the same for all states of one key */
    uint32_t next;       /* the next state in its place of the hash table, or the next free one */
    uint32_t first_left; /* all jobs before this one are fully dispatched */
    uint64_t words[];    /* key, earliest times, latest times */
} interval_state;

/* Where each time is in the two vectors of a state: index of the first one of its kind. Slots are in both vectors from
 * 0 on, engine by engine, and sorted for each engine. */
typedef struct interval_layout {
    /* in both vectors, after the slots */
    size_t engine_ready;    /* by engine: it starts nothing before this time */
    size_t stream_complete; /* by stream: its last job is complete */
    size_t event_complete;  /* by event: its job is complete; 0 while no job needs to know */
    size_t partial_end;     /* by level: the last end of the blocks of its partial job that have started */
    size_t partial_started; /* by level: how many these blocks are; no time */
    size_t pair_count;      /* number of entries that both vectors have */
    /* in the earliest times only */
    size_t entry;                /* by queue: jobs that are left enter at this time or later */
    size_t entry_index;          /* by queue: those that enter at that time have this call index or a higher one */
    size_t reference;            /* by engine: the earliest that the latest entry of all its jobs so far can be */
    size_t last_start;           /* the last start on any engine */
    size_t stream_call;          /* by stream: the call of its last job */
    size_t stream_min_response;  /* by stream: the smallest response of its last job */
    size_t event_min_response;   /* by event: the smallest response of its job */
    size_t partial_min_response; /* by level: the smallest response of its partial job, by blocks that have started */
    size_t min_slot_sum;         /* the smallest sum of the EE's slots */
    size_t newest_job_lo;        /* by engine: the job that it started last and that entered last, + 1; 0: not known */
    size_t lo_count;             /* number of entries of the earliest times */
    /* in the latest times only */
    size_t reference_slots;      /* by slot, then by engine: the slots and engine_ready if the latest entry is at the
                                    reference; where it is d later, they are at most d later */
    size_t stream_max_response;  /* by stream: the largest response of its last job */
    size_t event_max_response;   /* by event: the largest response of its job */
    size_t stream_entry_delay;   /* by stream: the longest time from the call of its last job to its entry */
    size_t partial_max_response; /* by level: the largest response of its partial job, by blocks that have started */
    size_t max_slot_sum;         /* the largest sum of the EE's slots */
    size_t max_reference_sum;    /* the largest sum of the EE's slots if the latest entry is at the reference */
    size_t max_slot_spread;      /* the EE's last slot comes free at most this long after engine_ready */
    size_t newest_job_hi;        /* by engine: as newest_job_lo; the job is known only where the two are equal */
    size_t hi_count;             /* number of entries of the latest times */
} interval_layout;

/* A time of a call or entry, with its order among those at the same time. */
typedef struct ordered_time {
    int64_t time;   /* the time */
    uint32_t index; /* call index: of two at one time the lower one is first; NONE: the order is open */
} ordered_time;

/* A job that may be the next to start in a state. */
typedef struct interval_choice {
    uint32_t job;               /* the job */
    bool is_resumed;            /* it goes on after it was cut off */
    bool stream_holds;          /* its stream may hold it after its arrival */
    bool events_hold;           /* events that it waits for may be seen after its arrival */
    bool next_is_open;          /* a job that waits for one that has not started may be the next of its stream */
    bool enters_on_arrival;     /* nothing holds it, stream, event or connection: it enters when it arrives */
    int64_t call_lo;            /* its earliest call */
    int64_t call_hi;            /* its latest call */
    int64_t entry_lo;           /* its earliest entry into its queue */
    int64_t entry_hi;           /* its latest entry into its queue */
    int64_t held_until;         /* kernels of other streams may hold it in its connection until this time */
    int64_t engine_starts_by;   /* by when its engine starts some job, if its connection does not hold it */
    int64_t start_lo;           /* the earliest start of its next block, or of the copy */
    int64_t start_hi;           /* the latest start of its next block, or of the copy */
    int64_t complete_lo;        /* the earliest end of its stream's last job */
    int64_t complete_hi;        /* the latest end of its stream's last job */
    int64_t last_start_hi;      /* no block of it starts later */
    int64_t undisturbed_until;  /* no higher level enters before or at this time; INT64_MAX: none ever may */
    unsigned cut_part;          /* a higher level cuts it off within this part of its blocks; 0: none does */
    ordered_time stream_enters; /* by when some job of its stream enters this queue in every execution */
} interval_choice;

/* What is known of a job when all of it has started. */
typedef struct job_outcome {
    int64_t call_lo;         /* its earliest call */
    int64_t end_lo;          /* its earliest end */
    int64_t end_hi;          /* its latest end */
    int64_t min_response;    /* its smallest response */
    int64_t max_response;    /* its largest response */
    int64_t max_entry_delay; /* the longest time from its call to its entry */
} job_outcome;

/* The states that wait to be followed. */
typedef struct interval_store {
    VEC(interval_state *) slabs; /* memory of states, in large pieces */
    uint32_t states_per_slab;    /* number of states in a slab */
    uint32_t slab_states;        /* number of states of the slabs that were ever used */
    uint32_t first_free;         /* a state of the slabs that is not used any more; NONE: there is none */
    uint32_t *table;             /* hash table: by hash of the key, the first state there */
    size_t table_size;           /* number of its places, a power of two */
    size_t stored_count;         /* number of states in the table */
    heap pending;                /* states in the table, by progress */
} interval_store;

typedef struct interval_search {
    explore_problem *problem;     /* what is searched; results go there */
    interval_layout layout;       /* where times are in a state */
    size_t set_words;             /* number of words of a set of jobs */
    size_t key_words;             /* number of words of a key */
    size_t state_bytes;           /* size of a state */
    interval_store store;         /* states that wait */
    interval_state *successor;    /* the state that a step makes */
    VEC(interval_choice) choices; /* what may be the next to start, in the state that is followed */

    /* in the search for choices */
    ordered_time (*first_entries)[2]; /* by queue: the two earliest times by when jobs of some stream enter it */
    uint64_t *stream_visited;         /* by stream: number of the last visit to it */
    uint64_t visit_count;             /* number of visits so far */
    size_t max_late_slot;             /* by shares: the last slot that a kernel which is left may wait for */

    /* bursts */
    uint32_t *burst_end;    /* by job: where the burst ends that begins with it; 0: none begins */
    __int128 *work_before;  /* by job: longest work of all jobs before it, with a switch after each */
    uint32_t *last_of_call; /* by place in a burst: its last job that has the same earliest call */

    /* scratch memory */
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

/* The partial job of a level, which is the job that was cut off after some of its blocks had started: its number, or
 * NONE; then 1 while it must not go on, which is until a job of a higher level is fully dispatched. */
static inline uint64_t *interval_partial(const interval_search *q, interval_state *s, size_t level)
{
    return &s->words[q->set_words + 2 * level];
}

#endif
