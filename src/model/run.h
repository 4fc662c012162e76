/* A run and the memory it owns. */
#ifndef MODEL_RUN_H
#define MODEL_RUN_H

#include "base/arena.h"
#include "base/vec.h"
#include "gridcast/run.h"

typedef struct owned_run {
    gcast_run run;           /* first, so that a gcast_run is its handle */
    arena memory;            /* holds the notes */
    VEC(const char *) notes; /* of run.notes */
    gcast_gpu *gpu;          /* of run.gpu */
    gcast_run_op *ops;       /* of run.ops */
    gcast_block *blocks;     /* of all operations, or of the window */
    uint64_t *window_index;  /* numbers of the blocks of the window */
} owned_run;

/* The run owns what these calls are given: the GPU, the operations, the blocks. `source` is a literal. NULL without
 * memory. */
gcast_run *run_create(const char *source, const gcast_workload *w, gcast_gpu *gpu);
void run_set_ops(gcast_run *run, gcast_run_op *ops, size_t count);
void run_set_blocks(gcast_run *run, gcast_block *blocks);
/* The blocks of a window, and their numbers. */
void run_set_window(gcast_run *run, gcast_block *blocks, uint64_t *index);
/* Memory that is freed with the run. */
arena *run_memory(gcast_run *run);
/* False without memory. */
bool run_add_note(gcast_run *run, const char *note);

/* Have all operations of the run together at most `max` blocks? */
bool run_blocks_at_most(const gcast_run *run, uint64_t max);

#endif
