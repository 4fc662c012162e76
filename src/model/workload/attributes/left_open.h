/* What a workload may leave open. One choice is assumed then; CUDA's default is the other one. */
#ifndef MODEL_WORKLOAD_ATTRIBUTES_LEFT_OPEN_H
#define MODEL_WORKLOAD_ATTRIBUTES_LEFT_OPEN_H

#include "gridcast/workload.h"

typedef enum {
    LEFT_OPEN_CARVEOUTS, /* of kernels; assumed: the most shared memory */
    LEFT_OPEN_BLOCKING,  /* do streams take part in the rules of the NULL stream? assumed: they do not */
    LEFT_OPEN_CHOICES
} left_open;

#define LEFT_OPEN_THINGS 64

/* The streams, or the ops, of which it is open; further ones are not listed. */
typedef struct open_things {
    size_t count;
    size_t at[LEFT_OPEN_THINGS]; /* indices in the workload */
} open_things;

/* Does the workload leave it open, and may it matter on this GPU? */
bool workload_leaves_open(const gcast_workload *w, const gcast_gpu *gpu, left_open choice);
/* Makes the other choice wherever it is open. */
void workload_choose_other(gcast_workload *w, left_open choice);
/* Where the workload leaves it open, and may matter. */
void workload_open_things(const gcast_workload *w, const gcast_gpu *gpu, left_open choice, open_things *found);
/* Makes the other choice for one of these. */
void workload_choose_other_of(gcast_workload *w, left_open choice, size_t at);

#endif
