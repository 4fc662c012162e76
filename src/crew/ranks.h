/* The processes of one `mpirun gridcast ...`. Without mpirun, or in a build without MPI, there is one process, and MPI
 * is never called. Only the main thread may call these. Whether there is an mpirun is known from the environment: MPI
 * launchers announce themselves in no other way. */
#ifndef CREW_RANKS_H
#define CREW_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"

typedef struct ranks {
    int rank;  /* number of this process, from 0 on */
    int count; /* number of processes */
    int local; /* number of processes on this machine */
} ranks;

/* A launcher such as mpirun, from the environment. */
typedef struct launcher {
    bool is_present; /* it started this process */
    int processes;   /* number of processes that it started; 0: unknown */
} launcher;

gcast_status ranks_start(ranks *r, launcher by, gcast_error *err);
void ranks_end(const ranks *r);
/* If there are several processes, ends all of them now, including this one. */
void ranks_abort(const ranks *r, gcast_status status);

/* Sends a word or bytes of rank 0 to all ranks. On the others, *bytes is allocated; NULL without memory. */
void ranks_share(const ranks *r, uint64_t *word);
void ranks_share_bytes(const ranks *r, char **bytes, size_t *size);
/* Do all ranks have the same word? */
bool ranks_agree(const ranks *r, uint64_t word);

#define RANKS_MAX_WORDS 8192
void ranks_send(const ranks *r, int receiver, const uint64_t *words, size_t count);
/* Receives a message from any rank, of at most RANKS_MAX_WORDS; false: there is none now. */
bool ranks_receive(const ranks *r, int *sender, uint64_t *words, size_t *count);

#endif
