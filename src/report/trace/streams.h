/* Streams and copy engines: operations as slices, with a thread per stream or engine, and more threads only where
 * slices of one overlap. In a stream, a slice before the operation shows what it waited for since its call, or since
 * the operation before it ended. */
#ifndef REPORT_TRACE_STREAMS_H
#define REPORT_TRACE_STREAMS_H

#include "report/trace/state.h"

/* Both are false without memory. */
bool chrome_streams(chrome *c);
bool chrome_engines(chrome *c);

#endif
