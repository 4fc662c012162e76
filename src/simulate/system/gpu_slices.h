/* Tasks on a GPU that is shared by slices of time. Each task is a context. Kernels of contexts take turns; copies go
 * through one copy engine, first come first served. */
#ifndef SIMULATE_SYSTEM_GPU_SLICES_H
#define SIMULATE_SYSTEM_GPU_SLICES_H

#include "simulate/system/system_state.h"

typedef enum {
    CONTEXT_IDLE,    /* it has no job */
    CONTEXT_ARRIVES, /* its next operation was called and has not arrived */
    CONTEXT_QUEUED,  /* its copy waits for the copy engine */
    CONTEXT_COPIES,  /* its copy is on the copy engine */
    CONTEXT_KERNEL,  /* it has a kernel to run */
} context_phase;

typedef struct gpu_context {
    int task;
    context_phase phase;
    uint32_t step;      /* of its current job */
    uint32_t next;      /* the context behind it in the queue of the copy engine */
    int64_t left_ns;    /* what is left of its kernel before the current slice */
    int64_t time_ns;    /* ARRIVES: when the operation arrives. COPIES: when the copy ends */
    int64_t started_ns; /* COPIES: when the copy started */
    int64_t first_ns;   /* when the first operation of its job started; -1: not yet */
} gpu_context;

typedef struct gpu_slices {
    gpu_context *contexts;
    uint32_t context_count;
    uint32_t arriving_count;        /* contexts in the phase ARRIVES */
    uint32_t copy_first, copy_last; /* the queue of the copy engine, current copy included */
    uint32_t served;                /* the context that has the GPU, or had it last */
    bool is_served;                 /* that context has the GPU now */
    int64_t slice_start_ns;         /* when its slice starts, after a switch */
    int64_t slice_end_ns;           /* when its slice ends, or its kernel */
} gpu_slices;

/* False without memory. */
bool gpu_slices_init(system_sim *x, gpu_slices *g);
void gpu_slices_free(gpu_slices *g);
/* A job of a task on the GPU is released now. */
void gpu_slices_release(system_sim *x, int task);
/* Handles what ends on the GPU now; to be called before cores_now. */
void gpu_slices_end(system_sim *x);
/* Starts copies and slices now; to be called after cores_now. */
void gpu_slices_start(system_sim *x);

#endif
