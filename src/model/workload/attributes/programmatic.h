/* The delays of programmatic launches. */
#ifndef MODEL_WORKLOAD_ATTRIBUTES_PROGRAMMATIC_H
#define MODEL_WORKLOAD_ATTRIBUTES_PROGRAMMATIC_H

#include "gridcast/gpu.h"

#define PROGRAMMATIC_DEPTH 8 /* where it is not known */

/* At most the stream gap, after which a kernel may enter in any case. */
static inline int64_t programmatic_at_most_gap(const gcast_gpu *gpu, int64_t ns)
{
    return ns && ns < gpu->stream_gap_ns ? ns : gpu->stream_gap_ns;
}

/* From the last trigger of a kernel until a programmatic one behind it may enter. */
static inline int64_t programmatic_gap_of(const gcast_gpu *gpu)
{
    int64_t ns = programmatic_at_most_gap(gpu, gpu->programmatic_gap_ns);
    return ns ? ns : 1; /* blocks that have just started may have triggered */
}

/* From the end of an operation until waits of a programmatic kernel behind it return. */
static inline int64_t programmatic_wait_of(const gcast_gpu *gpu)
{
    return programmatic_at_most_gap(gpu, gpu->programmatic_wait_ns);
}

/* From the end of a node of a graph until waits of nodes after it return. */
static inline int64_t programmatic_node_wait_of(const gcast_gpu *gpu)
{
    return gpu->graph_wait_ns ? gpu->graph_wait_ns : programmatic_wait_of(gpu);
}

/* How many kernels of a stream may overlap. */
static inline int programmatic_depth_of(const gcast_gpu *gpu)
{
    return gpu->programmatic_depth ? gpu->programmatic_depth : PROGRAMMATIC_DEPTH;
}

#endif
