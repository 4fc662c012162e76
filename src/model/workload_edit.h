/* What readers need of a workload beyond the public calls. */
#ifndef MODEL_WORKLOAD_EDIT_H
#define MODEL_WORKLOAD_EDIT_H

#include "gridcast/workload.h"

/* The largest time in a workload, so that sums of a few never overflow. */
#define WORKLOAD_MAX_NS (INT64_MAX / 4)

/* The index of the stream with this id, or -1. */
int workload_find_stream(const gcast_workload *w, int id);
void workload_set_op_duration(gcast_workload *w, size_t op, int64_t ns);
/* Iterations of one call are named "K", "K#2", "K#3": the length of "K". */
size_t workload_label_stem(const char *label);
/* gcast_workload_check, but durations may still be unknown. */
gcast_status workload_check_form(const gcast_workload *w, gcast_error *err);

#endif
