/* A crew at work on one rank. */
#ifndef EXPERIMENT_CREW_STATE_H
#define EXPERIMENT_CREW_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "experiment/crew/task.h"

/* Sets that a rank has at once: half of its last request, and a new answer. */
#define CREW_MAX_SETS 4096
_Static_assert(CREW_MAX_SETS >= 4 * CREW_MAX_THREADS, "a request may be for two sets per thread");

typedef struct set_verdicts {
    uint64_t set;      /* its number */
    uint32_t verdicts; /* as gcast_experiment_judge gives them */
} set_verdicts;

typedef VEC(set_verdicts) set_verdicts_list;

typedef struct crew {
    const crew_task *t;  /* what it is to do */
    atomic_bool is_done; /* all threads end */
    /* Under the lock. */
    pthread_mutex_t lock;          /* of all fields up to the queue */
    gcast_status judge_status;     /* of the first set that could not be judged */
    gcast_error judge_err;         /* why it could not */
    set_verdicts_list judged;      /* by this rank, and not yet collected by the thread that serves */
    uint64_t next_set;             /* rank 0: no set before this one is to be handed out */
    uint64_t given_count;          /* rank 0: sets handed out */
    uint64_t queue[CREW_MAX_SETS]; /* other ranks: sets to judge */
    uint64_t queue_start;          /* other ranks: where in the queue the next set is */
    uint64_t queue_end;            /* other ranks: where the queue ends */
    /* Of the thread that serves. */
    gcast_status status;         /* why it ended */
    gcast_error err;             /* where that is an error */
    set_verdicts_list collected; /* judged by this rank, and not yet kept or sent */
    uint64_t returned_count;     /* rank 0: sets whose verdicts have been kept */
    uint64_t total_count;        /* rank 0: sets to judge */
    int idle_ranks;              /* rank 0: ranks that were told that no set is left */
    bool is_waiting;             /* other ranks: a request has no answer yet */
    bool none_left;              /* other ranks: rank 0 has no more sets */
    uint64_t request_size;       /* other ranks: sets to ask for */
    uint64_t unsent_count;       /* other ranks: sets received whose verdicts have not been sent */
    int64_t answered_ns;         /* other ranks: when the last answer came; 0: none yet */
    int64_t sent_ns;             /* other ranks: when verdicts were sent last */
} crew;

#endif
