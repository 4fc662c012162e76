/* The processes of one `mpirun gridcast ...`. Started without mpirun, or built without MPI, there is one process, and
 * MPI is never called. All calls are for the main thread. The environment says whether there is an mpirun: launchers of
 * MPI tell it in no other way. */
#ifndef EXPERIMENT_CREW_RANKS_H
#define EXPERIMENT_CREW_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"

typedef struct ranks {
    int rank;  /* of this process, from 0 on */
    int count; /* of all processes */
    int local; /* how many of them are on this machine */
} ranks;

/* What the environment says of a launcher such as mpirun. */
typedef struct launcher {
    bool is_present; /* it started this process */
    int processes;   /* how many it started, where it says so; 0 */
} launcher;

gcast_status ranks_start(ranks *r, launcher by, gcast_error *err);
void ranks_end(const ranks *r);
/* Ends all processes now, this one too if there are several. */
void ranks_abort(const ranks *r, gcast_status status);

/* Gives a word or bytes of rank 0 to all; *bytes of the others is allocated, and NULL without memory. */
void ranks_share(const ranks *r, uint64_t *word);
void ranks_share_bytes(const ranks *r, char **bytes, size_t *size);
/* Do all have the same word? */
bool ranks_agree(const ranks *r, uint64_t word);

#define RANKS_MAX_WORDS 8192
void ranks_send(const ranks *r, int receiver, const uint64_t *words, size_t count);
/* Takes a message from any rank, at most RANKS_MAX_WORDS long; false: there is none now. */
bool ranks_receive(const ranks *r, int *sender, uint64_t *words, size_t *count);

#endif
