/* A crew at work; crew.c has the threads, crew/serve.c who gets which set. */
#ifndef EXPERIMENT_CREW_STATE_H
#define EXPERIMENT_CREW_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "cli/output/progress.h"
#include "experiment/crew/crew.h"

#define CREW_MOST_SETS 4096 /* that a rank has at once: half of what it last wished for, and a new answer */
_Static_assert(CREW_MOST_SETS >= 4 * CREW_MOST_THREADS, "it may wish for two sets a thread");

typedef struct verdict {
    uint64_t set;
    uint32_t verdicts;
} verdict;

typedef VEC(verdict) verdict_list;

typedef struct crew {
    const crew_task *t;
    atomic_bool over;
    gcast_status failed;  /* of the thread that serves */
    pthread_mutex_t lock; /* of what follows, up to the queue */
    gcast_status status;
    gcast_error err;
    verdict_list done;                          /* judged here, not yet seen by who serves */
    uint64_t cursor, given;                     /* rank 0: where to look for the next set; sets handed out */
    uint64_t queue[CREW_MOST_SETS], queued, at; /* other ranks: sets to judge */
    /* Of the thread that serves. */
    verdict_list taken;
    uint64_t returned, total; /* rank 0 */
    int dry_ranks;            /* ranks that know that nothing is left */
    progress progress;
    bool asked, dry; /* other ranks */
    uint64_t wanted, running;
    double answered_at, sent_at;
} crew;

void crew_begin(crew *c);
/* The next set to judge, of all (rank 0) or of this rank's; with the lock held. */
bool crew_next(crew *c, uint64_t *set);
bool crew_pop(crew *c, uint64_t *set);
/* One look at what has come in; errors are said. */
gcast_status crew_serve_first(crew *c);
gcast_status crew_serve_other(crew *c);

#endif
