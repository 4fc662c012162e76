/* A workload as its owner sees it: the arrays behind the public struct, which may be changed. */
#ifndef MODEL_WORKLOAD_OWNED_H
#define MODEL_WORKLOAD_OWNED_H

#include "base/arena.h"
#include "base/index.h"
#include "base/vec.h"
#include "gridcast/workload.h"

typedef struct owned_workload {
    gcast_workload w;                  /* first, so that a gcast_workload is its handle */
    arena memory;                      /* of all text, durations per block and plans */
    VEC(gcast_stream) streams;         /* these arrays are those of w */
    VEC(const char *) hosts;           /* names of host threads */
    VEC(gcast_op) ops;                 /* ops that run once first, then those of each task */
    VEC(gcast_op) children;            /* kernels that kernels launch; copied behind ops for w */
    bool children_deferred;            /* w has no children until all ops are added */
    VEC(gcast_task) tasks;             /* each with its place in ops */
    VEC(gcast_mask) masks;             /* each of them once */
    VEC(const char *) graphs;          /* names of launches of graphs */
    VEC(const char *) notes;           /* what a reader could not carry over */
    VEC(const char *) remarks;         /* what changes no answer, such as complete names of kernels */
    hash_index stream_ids, mask_index; /* find a stream by its id, and a mask by its bits */
    gcast_gpu *gpu;                    /* the one that the workload names; NULL */
    bool counted_by_time;              /* there are as many iterations as take the time of the file */
    bool is_shortened;                 /* after that a duration became shorter */
} owned_workload;

static inline owned_workload *workload_owned(gcast_workload *w)
{
    return (owned_workload *)w;
}

/* As gcast_workload_add_note, for what changes no answer: it is written with the workload, and that is all. */
gcast_status workload_add_remark(gcast_workload *w, const char *remark, gcast_error *err);

/* Adds a note where iterations were counted by durations that have become shorter since, so that there may be more of
 * them; once. */
gcast_status workload_note_iterations(gcast_workload *w, gcast_error *err);

#endif
