/* Who gets which set: what the thread that serves does. */
#ifndef EXPERIMENT_CREW_SERVE_H
#define EXPERIMENT_CREW_SERVE_H

#include "experiment/crew/state.h"

/* On rank 0: counts the sets to judge. */
void crew_count_sets(crew *c);
/* The next set to judge, on rank 0 or on another rank; with the lock held. False: there is none now. */
bool crew_next_set(crew *c, uint64_t *set);
bool crew_next_queued(crew *c, uint64_t *set);
/* Deals with all that has come in, on rank 0 and on another rank. Errors are in c->err. */
gcast_status crew_serve_first(crew *c);
gcast_status crew_serve_other(crew *c);

#endif
