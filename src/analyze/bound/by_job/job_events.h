/* The state of the analysis job by job (lemmas 10 and 11 of docs/bound.md): the events of one busy period, or of a
 * cycle, with the ranges of their times; which event surely enters first; and the calls that make events. Times count
 * from the start of the busy period. */
#ifndef ANALYZE_BOUND_BY_JOB_JOB_EVENTS_H
#define ANALYZE_BOUND_BY_JOB_JOB_EVENTS_H

#include <stddef.h>

#include "analyze/bound/bound_state.h"
#include "base/integers.h"
#include "model/gpu.h"

#define NO_EVENT SIZE_MAX
#define BY_JOB_NOBODY SIZE_MAX     /* no other stream's kernel is before it in its connection */
#define BY_JOB_OPEN (SIZE_MAX - 1) /* unknown which connection it joins */
#define BY_JOB_SOME (SIZE_MAX - 2) /* behind an unknown event that has entered by `held_ns`, or behind none */
#define BY_JOB_CONNECTIONS 128     /* with more connections, joins are not followed */
#define BY_JOB_LEVELS 8            /* most priority levels that are covered */

/* An operation of a job. While nothing is known, earliest times are INT64_MAX and latest ones INT64_MIN. */
typedef struct job_event {
    const bound_op *op;      /* its op */
    int64_t call_ns;         /* when it is called */
    size_t previous;         /* the previous event of its stream, or NO_EVENT */
    int64_t order_ns;        /* sort key: earliest entry, no sooner than the previous event of its stream */
    size_t behind;           /* with shared connections: the event before it in its connection, or BY_JOB_... */
    int64_t held_ns;         /* for BY_JOB_SOME: when the event before it has entered */
    bool may_be_held;        /* its connection may delay it */
    int64_t min_entry_ns;    /* earliest entry into its engine's queue */
    int64_t max_entry_ns;    /* latest entry */
    int64_t min_last_ns;     /* earliest start of its last block, or of the copy */
    int64_t max_last_ns;     /* latest start of its last block, or of the copy */
    int64_t min_end_ns;      /* earliest end */
    int64_t max_end_ns;      /* latest end */
    uint64_t changed_at;     /* step in which one of its times changed last */
    uint64_t updated_at;     /* step in which it was updated last */
    uint64_t shrunk_at;      /* step in which it was shrunk last */
    int64_t max_released_ns; /* latest release of its last block's resources, or of the engine */
    int64_t all_ended_ns;    /* latest end of all events called up to it */
    size_t best_path;        /* length of the path of its stream that gave the best bound, in kernels before it */
    int64_t limit_ns;        /* latest end by lemma 9; INT64_MAX: unknown */
    int64_t repeat_ns;       /* in a cycle: time from the first call of this event to this one */
} job_event;

/* Order by streams and connections, relative to an event k: after k are those that follow it in its stream, those that
 * joined its connection behind it, and those after any of these. */
typedef enum job_kin { KIN_NONE, KIN_BEFORE, KIN_AFTER } job_kin;

/* How long the heads of an op wait in a window, one by one; 0: they do not wait. */
typedef struct head_waits {
    wide count;    /* heads that may wait */
    wide mixed_ns; /* for blocks of others */
    wide own_ns;   /* for own blocks */
} head_waits;

typedef struct job_events {
    bound *b;                           /* the analysis */
    int connections;                    /* number of connections */
    const bound_op **members;           /* ops whose events are followed */
    size_t member_count;                /* of `members` */
    const bound_op **below;             /* kernels in streams of lower levels, which are not followed */
    size_t below_count;                 /* of `below` */
    wide below_copies_ns[COPY_ENGINES]; /* by engine: the longest copy of each stream of lower levels, summed */
    int64_t hyperperiod_ns;             /* of all members */
    job_event *events;                  /* in the order of calls */
    size_t count;                       /* of `events` */
    size_t capacity;                    /* events that there is memory for */
    size_t *order;                      /* events by `order_ns` */
    size_t ordered_from;                /* events from here on in `order` are new */
    size_t order_count;                 /* of `order` */
    size_t from;                        /* first event that matters to the current one */
    size_t until;                       /* behind the last event that matters to it */
    int64_t start_ns;                   /* when the busy period begins */
    wide longest_ns;                    /* a longer busy period has more events than `capacity` */
    int64_t limit_ns;                   /* end of the busy period by lemma 9; INT64_MAX: unknown */
    int64_t cut_ns;                     /* what ended before does not matter; INT64_MIN: no cut */
    bool is_cycle;                      /* the events are those of a hyperperiod, which repeat */
    size_t main_from;                   /* in a cycle: the first event of the hyperperiod itself */
    size_t main_count;                  /* in a cycle: events of a hyperperiod */
    int64_t origin_ns;                  /* in a cycle: when that hyperperiod begins */
    int64_t back_ns;                    /* in a cycle: time from the cut to the call */
    int64_t after_ns;                   /* in a cycle: how long an event matters after its end */
    size_t *last_of;                    /* by stream: its last event so far, or NO_EVENT */
    int64_t *next_call;                 /* by member: its next call */
    int64_t *followed;                  /* by followed busy period: its end, then the first call of each member */
    size_t followed_count;              /* busy periods in `followed` */
    size_t max_followed;                /* room in `followed` */
    bool holds;                         /* all ranges hold: they are shrunk, not widened */
    size_t kin_of;                      /* the event to which `kin` refers */
    job_kin *kin;                       /* by event: its order relative to `kin_of` */
    size_t *before;                     /* events that may start before the current one */
    uint32_t *head_counts;              /* by op: events whose blocks start in the window */
    uint32_t *tail_counts;              /* by op: events with blocks from before the window that start none in it */
    const bound_op **present;           /* ops with heads or tails in the window, and k's, by ascending floor */
    const bound_op **present_own;       /* the same ops by ascending own floor */
    size_t present_count;               /* of `present` and `present_own` */
    head_waits *waits;                  /* by op, in the window */
    uint32_t *floor_rank;               /* by op: its index in b->by_floor */
    uint32_t *own_floor_rank;           /* by op: its index in b->by_own_floor */
    int64_t *points_ns;                 /* where windows can begin, for the current event */
    wide *stream_weight;                /* by stream: the weight of its heaviest kernel in the window */
    wide *stream_area;    /* by stream: the largest area of its kernels with blocks from before the window */
    wide *entries_ns;     /* by op: the latest entry of its events so far */
    wide *responses_ns;   /* by op: the longest response of its events so far */
    uint64_t step;        /* number of updates so far */
    uint64_t work;        /* number of windows so far */
    uint64_t period_from; /* `work` when this busy period began */
} job_events;

/* Does the event have ranges yet? */
static inline bool by_job_is_known(const job_event *event)
{
    return event->min_entry_ns < INT64_MAX;
}

/* Does j exist whenever k does? In a cycle, j may lie before the first job of its task. */
static inline bool by_job_has_always(const job_events *s, size_t j, size_t k)
{
    const job_event *other = &s->events[j];
    return !s->is_cycle || (j >= s->main_from &&
                            s->origin_ns + other->call_ns - s->events[k].repeat_ns >= other->op->earliest_release_ns);
}

/* Does j surely enter after k? */
bool by_job_enters_after(const job_events *s, size_t j, size_t k);

/* May j start blocks, or the copy, before k starts its last ones? */
bool by_job_may_start_before(const job_events *s, size_t j, size_t k);

/* Shortest time from the first start to the end. */
static inline int64_t by_job_least_duration(const bound_op *op)
{
    return op->best_ns - op->min_entry_ns;
}

/* The first call of any member after `time_ns`. */
int64_t by_job_call_after(const job_events *s, int64_t time_ns);
/* Sets s->next_call to the first call of each member from `start_ns` on, relative to it. */
void by_job_find_first_calls(job_events *s, int64_t start_ns);
/* The member with the next call. Ties: the job released first, then the order of the workload. */
size_t by_job_next_op(const job_events *s);
/* Adds an event for the next call of member n. */
void by_job_add_event(job_events *s, size_t n);

#endif
