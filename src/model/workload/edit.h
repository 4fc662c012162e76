/* Changes to a workload, and questions about it, beyond the public calls: for readers and for what-if analyses. */
#ifndef MODEL_WORKLOAD_EDIT_H
#define MODEL_WORKLOAD_EDIT_H

#include "gridcast/workload.h"

/* The longest time in a workload, so that sums of a few do not overflow. */
#define WORKLOAD_MAX_NS (INT64_MAX / 4)

/* The index of the stream with this id, or -1. */
int workload_find_stream(const gcast_workload *w, int id);
void workload_set_op_duration(gcast_workload *w, size_t op, int64_t ns);
/* The maximum duration of the longest block of a kernel, or of the copy; GCAST_UNKNOWN_NS. */
int64_t workload_longest_block(const gcast_op *op);
/* Sets the maximum duration of an op; durations of single blocks change in proportion, rounded up. `original` is the op
 * in another workload, which repeated changes start from. */
void workload_stretch_op(gcast_workload *w, size_t op, const gcast_op *original, int64_t longest);
void workload_set_period(gcast_workload *w, size_t task, int64_t ns);
void workload_set_priority(gcast_workload *w, size_t stream, int priority);
/* A stream like another, under a number of its own. What leaves the NULL stream goes to one that does not wait for
 * that, which is no assumption. */
gcast_stream workload_stream_like(const gcast_workload *w, int like, int id);
/* Says of a stream whether it is blocking: nothing of it is assumed any more. */
void workload_set_blocking(gcast_workload *w, size_t stream, bool blocking);
/* Sets what an op is after; false without memory. */
bool workload_set_after(gcast_workload *w, size_t op, const uint32_t *after, size_t count);
/* Sets the ports of what an op is after, as many; and the kernels whose blocks its own wait for. */
bool workload_set_ports(gcast_workload *w, size_t op, const gcast_port *ports);
bool workload_set_waits_for(gcast_workload *w, size_t op, const uint32_t *kernels, size_t count);
/* Moves an op to another stream, and with it all ops of its task that are in its stream. */
void workload_move_op(gcast_workload *w, size_t op, int stream);
/* Has the workload ops in the NULL stream, and in streams of which it does not say whether they are blocking? */
bool workload_blocking_unknown(const gcast_workload *w);
/* Replaces an op by another of the same task, or of no task. Its text and arrays are not copied. */
void workload_put_op(gcast_workload *w, size_t at, const gcast_op *op);
/* While many ops are added, the kernels that they launch need not be put behind the ops each time: true, and false at
 * the end. */
void workload_defer_children(gcast_workload *w, bool is_deferred);
/* Iterations of one call have the labels "K", "K#2", "K#3": returns the length of "K". */
size_t workload_label_stem(const char *label);
/* gcast_workload_check, but durations may be unknown. */
gcast_status workload_check_form(const gcast_workload *w, gcast_error *err);

#endif
