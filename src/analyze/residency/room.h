/* Does a kernel find room, wherever waiting blocks are placed? Sums over all SMs answer that (lemma 3 of
 * docs/residency.md). Resources are threads, warps, block slots, registers, shared memory and barriers of an SM; where
 * the GPU keeps warps and registers by quarter, those of one quarter. The sums err only to the side of too little room.
 */
#ifndef ANALYZE_RESIDENCY_ROOM_H
#define ANALYZE_RESIDENCY_ROOM_H

#include "simulate/blocks/sm.h"

#define ROOM_RESOURCES (GCAST_RESOURCES)

/* An amount of each resource: what a block takes, or what an SM has. */
typedef struct room_amounts {
    int64_t amount[ROOM_RESOURCES];
} room_amounts;

typedef struct room_kernel {
    room_amounts need;
    smem_sizes size;    /* shared memory that its SMs must have, and that it chooses */
    int64_t least_size; /* the least shared memory of an SM that has its blocks */
    int64_t fits;       /* how many of its blocks an empty SM holds at least */
} room_kernel;

/* Blocks that may be resident and wait. */
typedef struct room_waiter {
    const room_kernel *kernel;
    int64_t blocks; /* upper bound */
} room_waiter;

/* What a head needs to start: room for one block, or for all blocks of a cooperative kernel. */
typedef struct room_head {
    const room_kernel *kernel;
    int64_t together; /* blocks that start together: 1, or all of a cooperative kernel */
    bool anywhere;    /* these may be on different SMs */
    int64_t sms;      /* number of SMs that it may use */
} room_head;

room_amounts room_of_sm(const gcast_gpu *gpu);
/* Sets least_size to the kernel's own choice; room_mix_sizes lowers it. */
room_kernel room_of_kernel(const gcast_gpu *gpu, const gcast_op *op, const room_amounts *sm);
/* Lowers least_size of kernels that may run on the same SMs: an SM keeps the shared memory that its first block chose
 * as long as it has any block. Kernels without demand do not count. */
void room_mix_sizes(room_kernel *kernels, size_t count);

/* Is it proven that the head finds room, wherever the blocks of the waiters are? `carveouts`: SMs may have less than
 * their maximum of shared memory. */
bool room_is_left(const room_amounts *sm, const room_head *head, const room_waiter *waiters, size_t count,
                  bool carveouts);

#endif
