/* The NULL stream and the streams that it blocks (N1, N2). */
#ifndef SIMULATE_RULES_NULL_STREAM_H
#define SIMULATE_RULES_NULL_STREAM_H

#include "gridcast/workload.h"

/* Do operations of this stream wait for older ones of the NULL stream, and the NULL stream for them? */
static inline bool stream_is_blocking(const gcast_workload *w, int null_stream, int stream)
{
    return stream != null_stream && w->streams[stream].blocking;
}

#endif
