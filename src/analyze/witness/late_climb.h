/* Hill climbing towards late executions: tries one execution, keeps the longest responses, changes it at random, and
 * goes on from changes that make an op later. */
#ifndef ANALYZE_WITNESS_LATE_CLIMB_H
#define ANALYZE_WITNESS_LATE_CLIMB_H

#include "analyze/time_limit.h"
#include "analyze/witness/execution.h"
#include "analyze/witness/frame.h"
#include "analyze/witness/witness.h"

/* An operation of the focus: it ran shortly before the late operation ended. */
typedef struct focus_operation {
    size_t operation;  /* index in the frame */
    int64_t arrive_ns; /* arrival in its stream's queue */
    int64_t enter_ns;  /* entry into its engine's queue */
    int64_t start_ns;  /* start of its first block, or of the copy */
    int64_t end_ns;    /* end of its last block, or of the copy */
} focus_operation;

#define NO_TARGET SIZE_MAX

typedef struct late_search {
    const frame *f;                       /* the frame of the search */
    const gcast_gpu *gpu;                 /* the GPU */
    const gcast_witness_options *options; /* the caller's options */
    const bool *is_wanted;                /* by op: its longest response is of interest */
    time_limit limit;                     /* of the whole search */
    bool stopped;                         /* the time is over, or the caller stopped it */
    draw random;                          /* source of all random numbers */
    uint64_t executions;                  /* tried executions */
    uint64_t operations;                  /* their weights, summed */
    uint64_t windows;                     /* of `executions`, those of windows */
    uint64_t reserved;                    /* operations reserved for confirmations at the end */
    uint64_t reserved_executions;         /* executions reserved for them */
    uint64_t simulated;                   /* of `executions`, those that could be simulated */
    latest *latest;                       /* by op: the longest response, the result */
    latest *claims;                       /* by op: a longer one, not confirmed, in a window that begins idle */
    size_t *places;                       /* scratch for unrolled_create */
    focus_operation *focus;               /* the focus of the current execution */
    size_t focus_count;                   /* of `focus` */
    focus_operation *next_focus;          /* the focus of the execution tried last */
    size_t next_focus_count;              /* of `next_focus` */
    size_t capacity;                      /* of places, focus and next_focus */
    size_t *sequence;                     /* scratch: the order in which ops are searched for */
    gcast_error refusal;                  /* of the first execution that could not be simulated */
} late_search;

/* How executions are simulated, and where their responses are kept. */
typedef struct late_stage {
    const frame *f;    /* their frame */
    frame *window;     /* responses are kept for this window; NULL: for the frame of the search */
    execution *kept;   /* and for this execution; NULL: the simulated one */
    size_t first;      /* the first operation whose response counts */
    size_t kept_first; /* the same operation in the window */
    bool is_window;    /* a window, where changes cost little */
    bool is_claim;     /* the window begins idle, so responses are claims to be confirmed */
    void (*look)(void *data, const gcast_run *run, const size_t *places); /* sees the run; may be NULL */
    void *look_data;                                                      /* its data */
} late_stage;

/* The stage for executions of the frame of the search. */
static inline late_stage stage_of_frame(const late_search *s)
{
    return (late_stage){.f = s->f};
}

/* Makes room for executions of so many operations; false without memory. */
bool late_reserve(late_search *s, size_t operations);
bool late_has_budget(late_search *s);
/* A response of this length is enough: no longer one is searched for. */
int64_t late_enough_ns(const late_search *s, size_t op);
/* Is the op wanted, and not yet seen late enough? */
bool late_is_searched(const late_search *s, size_t op);
/* Simulates an execution and keeps its responses. *best: the longest response of the op `target`, unless that is
 * NO_TARGET. An execution that cannot be simulated is left out. */
gcast_status late_try(late_search *s, const late_stage *at, execution *e, size_t target, latest *best,
                      gcast_error *err);
/* Climbs from *current, until max_failures changes in a row do not make the op later. */
gcast_status late_climb(late_search *s, const late_stage *at, size_t op, int max_failures, execution **current,
                        gcast_error *err);
/* Replaces *l, which may be empty. */
void latest_set(latest *l, const latest *seen);
void latest_clear(latest *l);

#endif
