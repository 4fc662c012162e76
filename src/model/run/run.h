#ifndef MODEL_RUN_RUN_H
#define MODEL_RUN_RUN_H

#include "base/arena.h"
#include "base/vec.h"
#include "gridcast/run.h"

typedef struct owned_run {
    gcast_run run; /* first, so that a gcast_run is its handle */
    arena memory;
    VEC(const char *) notes;
    gcast_gpu *gpu;
    gcast_run_op *ops;
    gcast_block *blocks;
    uint64_t *window_index;
} owned_run;

/* Takes over what it is given: the GPU, the operations, the blocks. `source` is a literal. */
gcast_run *run_create(const char *source, const gcast_workload *w, gcast_gpu *gpu);
void run_set_ops(gcast_run *run, gcast_run_op *ops, size_t count);
void run_set_blocks(gcast_run *run, gcast_block *blocks);
/* The same for the blocks of a window, and their numbers. */
void run_set_window(gcast_run *run, gcast_block *blocks, uint64_t *index);
bool run_add_note(gcast_run *run, const char *note);

#endif
