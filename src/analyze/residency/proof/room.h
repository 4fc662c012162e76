/* How much room blocks that wait can keep from a kernel: sums over all SMs, wherever they are placed.
 *
 * A resource is an amount that an SM has of something: threads, warps, blocks, registers, shared memory, barriers;
 * where the GPU holds warps and registers by quarter, those of one quarter. Counted so, a block fits at least where
 * these sums say that it does, never elsewhere (docs/residency.md, lemma 3). */
#ifndef ANALYZE_RESIDENCY_PROOF_ROOM_H
#define ANALYZE_RESIDENCY_PROOF_ROOM_H

#include "simulate/blocks/sm.h"

#define ROOM_RESOURCES (GCAST_RESOURCES)

/* What a block takes of each resource, and an SM has. */
typedef struct room_amounts {
    int64_t of[ROOM_RESOURCES];
} room_amounts;

typedef struct room_kernel {
    room_amounts need;
    carveout size;      /* of the shared memory of its SMs */
    int64_t least_size; /* the smallest that an SM may have while its blocks are there */
    int64_t fits;       /* blocks on an empty SM, at least */
} room_kernel;

/* Blocks that may be resident and wait. */
typedef struct room_waiter {
    const room_kernel *kernel;
    int64_t blocks; /* at most so many */
} room_waiter;

/* What a head needs to start: one block, all of its blocks at once, or a cluster of them. */
typedef struct room_head {
    const room_kernel *kernel;
    int64_t together; /* blocks that start together: 1, or all of a cooperative kernel */
    bool anywhere;    /* they need not be on one SM */
    int64_t sms;      /* that it may use */
} room_head;

room_amounts room_of_sm(const gcast_gpu *gpu);
/* least_size is the kernel's own choice. */
room_kernel room_of_kernel(const gcast_gpu *gpu, const gcast_op *op, const room_amounts *sm);
/* Sets least_size of `count` kernels that may run on the same SMs, those without demand left out: an SM keeps the size
 * that the block chose which found it empty, as long as any block is there. */
void room_mix_sizes(room_kernel *kernels, size_t count);

/* Does the head find room, wherever the blocks of the waiters are? False: that is not shown. `carveouts`: SMs may have
 * less shared memory than the most. */
bool room_is_left(const room_amounts *sm, const room_head *head, const room_waiter *waiters, size_t count,
                  bool carveouts);

#endif
