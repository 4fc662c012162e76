/* One execution at a time: simulated, looked at, changed as long as that makes an op later. */
#ifndef ANALYZE_WITNESS_LATE_TRY_H
#define ANALYZE_WITNESS_LATE_TRY_H

#include "analyze/time_limit.h"
#include "analyze/witness/drawn.h"
#include "analyze/witness/mutation.h"
#include "analyze/witness/state.h"
#include "gridcast/witness.h"

#define NO_TARGET SIZE_MAX

typedef struct late_search {
    const frame *f;                       /* what is executed */
    const gcast_gpu *gpu;                 /* on this GPU */
    const gcast_witness_options *options; /* as the caller gave them */
    const bool *is_wanted;                /* by op: its longest response is searched for */
    time_limit limit;                     /* of the whole search */
    bool stopped;                         /* the time is over, or the caller stopped it */
    draw random;                          /* of all that is drawn */
    uint64_t executions;                  /* that were tried */
    uint64_t operations;                  /* of these, as they count for the limit */
    uint64_t windows;                     /* executions of windows */
    uint64_t reserved;                    /* operations that are kept for the end */
    uint64_t reserved_executions;         /* and executions */
    uint64_t simulated;                   /* executions that could be simulated */
    latest *latest;                       /* by op: the longest response, to be filled in */
    latest *claims;                       /* by op: a longer one in a window that begins idle; 0: none */
    size_t *places;                       /* memory for unrolled_create */
    focus_operation *focus;               /* what ran shortly before the latest end of what is changed */
    size_t focus_count;                   /* how many */
    focus_operation *next_focus;          /* those of the execution that was tried last */
    size_t next_focus_count;              /* how many */
    size_t capacity;                      /* of places, focus and next_focus */
    size_t *sequence;                     /* memory for the order in which ops are searched for */
    gcast_error refusal;                  /* why the first could not be simulated that could not */
} late_search;

/* What an execution is simulated as, and where what it shows is kept. */
typedef struct late_stage {
    const frame *f;    /* its operations */
    frame *window;     /* what is kept is of this window; NULL: it is of the frame of the search */
    execution *kept;   /* the execution of the window; NULL: the one that is simulated */
    size_t first;      /* the first operation that is looked at */
    size_t kept_first; /* the same one in the window */
    bool is_window;    /* small changes cost little */
    bool is_claim;     /* the window begins idle, so that what is seen is only claimed */
    void (*look)(void *data, const gcast_run *run, const size_t *places); /* sees the run; may be NULL */
    void *look_data;                                                      /* its data */
} late_stage;

/* Executions of the frame of the search. */
static inline late_stage stage_of_frame(const late_search *s)
{
    return (late_stage){.f = s->f};
}

/* Memory for executions of so many operations; false without. */
bool late_reserve(late_search *s, size_t operations);
bool late_has_budget(late_search *s);
/* No longer response of the op is searched for. */
int64_t late_enough_ns(const late_search *s, size_t op);
/* The op is wanted, and is not seen as late as is enough. */
bool late_is_searched(const late_search *s, size_t op);
/* Simulates an execution. *best, where there is a target, is the longest response of that op. One that cannot be
 * simulated is left out. */
gcast_status late_try(late_search *s, const late_stage *at, execution *e, size_t target, latest *best,
                      gcast_error *err);
/* Changes an execution, *current, as long as that makes the op later, until so many changes in a row bring nothing. */
gcast_status late_climb(late_search *s, const late_stage *at, size_t op, int max_failures, execution **current,
                        gcast_error *err);
/* Puts something that was seen into the place of something else, which may be nothing. */
void latest_set(latest *l, const latest *seen);
void latest_clear(latest *l);

#endif
