/* Makes the calls of the driver for the operations of a workload. */
#ifndef MEASURE_SESSION_DRIVER_CALLS_H
#define MEASURE_SESSION_DRIVER_CALLS_H

#include "measure/session/kernel_call.h"
#include "measure/session/session.h"

/* Calls a kernel, copy or memset. With `warm_up`, a kernel is a single block, or cluster, that ends at once. An error
 * has the path of the op. */
gcast_status session_launch(session *s, size_t op, bool warm_up, gcast_error *err);
/* Launches a graph, given its first node. */
gcast_status session_launch_graph(session *s, size_t op, gcast_error *err);
/* The call of a kernel, as session_launch makes it. */
kernel_call session_kernel(const session *s, size_t op, bool warm_up);
/* Allocates memory of the GPU or of the host, as the op says, for a malloc, or for a free to free. */
gcast_status session_allocate(session *s, size_t op, uint64_t bytes, gcast_error *err);
gcast_status session_free(session *s, size_t op, gcast_error *err);
/* Before a run: allocates what frees will free, and clears the records. */
gcast_status session_prepare(session *s, gcast_error *err);
/* After a run: frees what mallocs allocated. */
void session_clean_up(session *s);
/* Makes two records of a kernel that ends at once, with the event stamp[i] between them. */
gcast_status session_stamp(session *s, size_t i, block_record record[2], gcast_error *err);
/* Right before a run: makes the GPU forget which streams have a connection, as at the start of a simulation. */
gcast_status session_forget_connections(session *s, gcast_error *err);
/* Copies memory of the GPU to the host. */
gcast_status session_fetch(session *s, void *target, CUdeviceptr source, size_t size, gcast_error *err);

#endif
