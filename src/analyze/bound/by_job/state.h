/* The events of one busy period, each with the range of its times (lemma 10 of docs/bound.md). Times count from the
 * start of the busy period. */
#ifndef ANALYZE_BOUND_BY_JOB_STATE_H
#define ANALYZE_BOUND_BY_JOB_STATE_H

#include <stddef.h>

#include "analyze/bound/state.h"
#include "base/minmax.h"
#include "model/gpu/copy_engine.h"

#define NO_EVENT SIZE_MAX
#define BY_JOB_NOBODY SIZE_MAX     /* in its connection nobody is before it but its own stream's */
#define BY_JOB_OPEN (SIZE_MAX - 1) /* it is not known which connection it joins */
#define BY_JOB_SOME (SIZE_MAX - 2) /* it may be behind some event that has entered by `held_ns`, or behind nobody */
#define BY_JOB_CONNECTIONS 128     /* with more, it is never known */
#define BY_JOB_LEVELS 8            /* priority levels that it covers */

/* An operation of a job. Where nothing is known yet, a least time is INT64_MAX and a latest one is INT64_MIN. */
typedef struct job_event {
    const bound_op *op;   /* of which op */
    int64_t call_ns;      /* when it is called */
    size_t previous;      /* the event before it in its stream, or NO_EVENT */
    int64_t order_ns;     /* when it might enter, no sooner than the one before it in its stream */
    size_t behind;        /* where connections are shared: the event that joined its connection last, as far as known */
    int64_t held_ns;      /* BY_JOB_SOME: when that one has entered */
    bool may_be_held;     /* it may have to wait for its connection */
    int64_t min_entry_ns; /* it enters its engine's queue no sooner */
    int64_t max_entry_ns; /* and no later */
    int64_t min_last_ns;  /* its last block, or the copy, starts no sooner */
    int64_t max_last_ns;  /* and no later */
    int64_t min_end_ns;   /* it ends no sooner */
    int64_t max_end_ns;   /* and no later */
    uint64_t changed_at;  /* the step in which a time of it changed last */
    uint64_t updated_at;  /* the step in which it was looked at last */
    uint64_t shrunk_at;   /* the step in which it was shrunk last */
    int64_t max_released_ns; /* its last block's resources, or the engine, are released no later */
    int64_t all_ended_ns;    /* it and all called before it have ended no later */
    size_t best_path;        /* how many kernels of its stream were on the path that gave its last start least */
    int64_t limit_ns;        /* it has ended by then, by lemma 9; INT64_MAX: that says nothing */
    int64_t repeat_ns;       /* of a cycle: how long before this call its op calls it for the first time */
} job_event;

/* j is after k if it follows k in its stream, if it joined its connection behind k, or if it is after one that is. */
typedef enum job_kin { KIN_NONE, KIN_BEFORE, KIN_AFTER } job_kin;

/* In a window, how long the heads of an op wait, one by one; 0: they need not. */
typedef struct head_waits {
    wide count;    /* heads that may wait */
    wide mixed_ns; /* for blocks of others */
    wide own_ns;   /* for their own */
} head_waits;

typedef struct job_events {
    bound *b;                           /* the analysis */
    int connections;                    /* how many there are, where they may be shared */
    const bound_op **members;           /* ops whose events are followed */
    size_t member_count;                /* of these */
    const bound_op **below;             /* kernels of streams below, which are not */
    size_t below_count;                 /* of these */
    wide below_copies_ns[COPY_ENGINES]; /* by engine: one copy of each stream below */
    int64_t hyperperiod_ns;             /* of all members */
    job_event *events;                  /* in the order of calls */
    size_t count;                       /* of `events` */
    size_t capacity;                    /* events that there is memory for */
    size_t *order;                      /* all events, in the order in which they might enter */
    size_t ordered_from;                /* those from here on in `order` are new */
    size_t order_count;                 /* of `order` */
    size_t from;                        /* the events that matter to the one that is looked at: the first, */
    size_t until;                       /* and behind the last */
    int64_t start_ns;                   /* when the busy period begins */
    wide longest_ns;                    /* a longer one has more events than there is memory for */
    int64_t limit_ns;      /* what is called before has ended by then, by lemma 9; INT64_MAX: perhaps never */
    int64_t cut_ns;        /* nothing that ended before matters, or INT64_MIN */
    bool is_cycle;         /* the events are those of a hyperperiod, over and over */
    size_t main_from;      /* of a cycle: the first event of the hyperperiod that is followed */
    size_t main_count;     /* of a cycle: events of a hyperperiod */
    int64_t origin_ns;     /* of a cycle: when that hyperperiod begins */
    int64_t back_ns;       /* of a cycle: how long before a call the cut is */
    int64_t after_ns;      /* of a cycle: how long after its end an event matters */
    size_t *last_of;       /* by stream: its last event so far, or NO_EVENT */
    int64_t *next_call;    /* by member: its next call */
    int64_t *followed;     /* of busy periods that were followed: when all was over, and by member the first call */
    size_t followed_count; /* of these */
    size_t max_followed;   /* there is room for so many */
    bool holds;            /* all ranges hold: they are shrunk, not widened */
    size_t kin_of;         /* the event that is looked at */
    job_kin *kin;          /* by event: is it before or after that one in a chain of streams and connections? */
    size_t *before;        /* of an event: others that may start before it */
    uint32_t *head_counts; /* by op, of a window: events whose blocks start in it */
    uint32_t *tail_counts; /* by op, of a window: events whose blocks are there when it begins, and start none in it */
    const bound_op **present;     /* of a window: ops of which there are heads or tails, and k's, by floor */
    const bound_op **present_own; /* the same ops by own floor */
    size_t present_count;         /* of these */
    head_waits *waits;            /* of a window, by op */
    uint32_t *floor_rank;         /* by op: its place in b->by_floor */
    uint32_t *own_floor_rank;     /* by op: its place in b->by_own_floor */
    int64_t *points_ns;           /* of an event: where the windows begin that are looked at */
    wide *stream_weight;          /* by stream: weight of its heaviest kernel in a window */
    wide *stream_area;    /* by stream: of its kernels that have blocks there when a window begins, the largest area */
    wide *entries_ns;     /* by op: the latest entry of its events so far */
    wide *responses_ns;   /* by op: the longest response of its events so far */
    uint64_t step;        /* events looked at so far */
    uint64_t work;        /* windows looked at so far */
    uint64_t period_from; /* `work` when this busy period began */
} job_events;

/* Is anything known of it yet? */
static inline bool by_job_is_known(const job_event *event)
{
    return event->min_entry_ns < INT64_MAX;
}

/* Is there always a j where there is a k? In a cycle, j may be of a time before its task began. */
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

/* The least time from its first start to its end. */
static inline int64_t by_job_least_duration(const bound_op *i)
{
    return i->best_ns - i->min_entry_ns;
}

#endif
