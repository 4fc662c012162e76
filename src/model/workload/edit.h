/* What readers, and those who ask what if, need of a workload beyond the public calls. */
#ifndef MODEL_WORKLOAD_EDIT_H
#define MODEL_WORKLOAD_EDIT_H

#include "gridcast/workload.h"

/* The largest time in a workload, so that sums of a few never overflow. */
#define WORKLOAD_MAX_NS (INT64_MAX / 4)

/* The index of the stream with this id, or -1. */
int workload_find_stream(const gcast_workload *w, int id);
void workload_set_op_duration(gcast_workload *w, size_t op, int64_t ns);
/* What the longest block of a kernel, or the copy, takes at most; GCAST_UNKNOWN_NS. */
int64_t workload_longest_block(const gcast_op *op);
/* Make `op`, which was `was`, take `longest` at most; what is listed for each block changes in
 * proportion, rounded up. `was` is of another workload, so that any number of changes start from it. */
void workload_stretch_op(gcast_workload *w, size_t op, const gcast_op *was, int64_t longest);
void workload_set_period(gcast_workload *w, size_t task, int64_t ns);
void workload_set_priority(gcast_workload *w, size_t stream, int priority);
void workload_set_blocking(gcast_workload *w, size_t stream, bool blocking);
/* To another stream; of a task with all its ops. */
void workload_move_op(gcast_workload *w, size_t op, int stream);
/* Is there work of the NULL stream beside that of streams of which the workload does not say whether they wait
 * for it? */
bool workload_null_open(const gcast_workload *w);
/* Put an op in the place of another, of the same task if it is of one. Its text and arrays stay where they are. */
void workload_put_op(gcast_workload *w, size_t at, const gcast_op *op);
/* Iterations of one call are named "K", "K#2", "K#3": the length of "K". */
size_t workload_label_stem(const char *label);
/* gcast_workload_check, but durations may still be unknown. */
gcast_status workload_check_form(const gcast_workload *w, gcast_error *err);

#endif
