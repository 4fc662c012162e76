/* What a workload leaves open: the registers of kernels, their carveouts, and whether streams are blocking. For kernels
 * without a number of registers none are counted, so more blocks may fit on an SM than on a real GPU. */
#ifndef MODEL_WORKLOAD_LEFT_OPEN_H
#define MODEL_WORKLOAD_LEFT_OPEN_H

#include <limits.h>

#include "gridcast/workload.h"

#define REGISTERS_OPEN_NOWHERE INT_MAX

/* Is it a kernel without a number of registers? "registers": 0 is one: then none are to be counted. */
bool op_leaves_registers_open(const gcast_op *op);
/* The registers per thread up to which the blocks of all such kernels share this GPU as if they had none.
 * REGISTERS_OPEN_NOWHERE: there are no such kernels, or they cannot be launched with more. */
int workload_open_registers(const gcast_workload *w, const gcast_gpu *gpu);
/* The most registers per thread with which a launch of this kernel is possible. */
int op_most_registers(const gcast_op *op, const gcast_gpu *gpu);

/* What else a workload may leave open. One choice is assumed then; CUDA's default is the other one. */
typedef enum {
    LEFT_OPEN_CARVEOUTS, /* of kernels; assumed: the most shared memory */
    LEFT_OPEN_BLOCKING,  /* do streams take part in the rules of the NULL stream? assumed: they do not */
    LEFT_OPEN_CHOICES
} left_open;

#define LEFT_OPEN_THINGS 64

/* The streams or ops for which the choice is open; not more than fit. */
typedef struct open_things {
    size_t count;
    size_t at[LEFT_OPEN_THINGS]; /* indices in the workload */
} open_things;

/* Does the workload leave the choice open, and may it matter on this GPU? */
bool workload_leaves_open(const gcast_workload *w, const gcast_gpu *gpu, left_open choice);
/* Makes the other choice wherever it is open. */
void workload_choose_other(gcast_workload *w, left_open choice);
/* Finds the streams or ops for which the choice is open and may matter. */
void workload_open_things(const gcast_workload *w, const gcast_gpu *gpu, left_open choice, open_things *found);
/* Makes the other choice for one of them. */
void workload_choose_other_of(gcast_workload *w, left_open choice, size_t at);

#endif
