/* The processes of one `mpirun gridcast ...`. Started without it, or built without
 * MPI, there is one, and MPI is never called. All calls are for the main thread. */
#ifndef EXPERIMENT_CREW_RANKS_H
#define EXPERIMENT_CREW_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"

typedef struct ranks {
    int rank, count;
    int local; /* how many are on this machine */
} ranks;

gcast_status ranks_start(ranks *r);
void ranks_end(const ranks *r);
/* End all of them now. */
void ranks_abort(const ranks *r, gcast_status status);

/* Rank 0's word and bytes, to all; *bytes of the others is allocated, NULL without memory. */
void ranks_share(const ranks *r, uint64_t *word);
void ranks_share_bytes(const ranks *r, char **bytes, size_t *size);
/* Do all have the same word? */
bool ranks_agree(const ranks *r, uint64_t word);

#define RANKS_MOST_WORDS 8192
void ranks_send(const ranks *r, int to, const uint64_t *words, size_t count);
/* A message from anyone, at most RANKS_MOST_WORDS long; false: none is there now. */
bool ranks_receive(const ranks *r, int *from, uint64_t *words, size_t *count);

#endif
