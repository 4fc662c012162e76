/* The delay of events between streams. */
#ifndef MODEL_GPU_EVENT_GAP_H
#define MODEL_GPU_EVENT_GAP_H

#include "gridcast/gpu.h"

/* From the end of an operation until one that is after it, in another stream, may enter. */
static inline int64_t event_gap_of(const gcast_gpu *gpu)
{
    return gpu->event_gap_ns ? gpu->event_gap_ns : gpu->stream_gap_ns;
}

#endif
