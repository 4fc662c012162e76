/* Who gets which item: what the thread that serves does. */
#ifndef EXPERIMENT_CREW_SERVE_H
#define EXPERIMENT_CREW_SERVE_H

#include "experiment/crew/state.h"

/* Prepares the thread that serves: on rank 0, counts the items to do. False without memory. */
bool crew_serve_init(crew *c);
void crew_serve_free(crew *c);
/* The next item to do, with what it needs, on rank 0 or on another rank; with the lock held. *words: the item, then
 * what it needs. False: there is none now, or what it needs could not be found (do_status). */
bool crew_next_item(crew *c, uint64_t *words);
/* Deals with all that has come in, on rank 0 and on another rank. Errors are in c->err. */
gcast_status crew_serve_first(crew *c);
gcast_status crew_serve_other(crew *c);

#endif
