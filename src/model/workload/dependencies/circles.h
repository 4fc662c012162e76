/* Ops that wait for themselves: by what they are after, and by the order of their streams. */
#ifndef MODEL_WORKLOAD_DEPENDENCIES_CIRCLES_H
#define MODEL_WORKLOAD_DEPENDENCIES_CIRCLES_H

#include "gridcast/workload.h"

/* Is b surely called after a, with both of one task and job, of one host, or without hosts? */
bool circles_called_later(const gcast_op *a, size_t a_index, const gcast_op *b, size_t b_index);
/* GCAST_INPUT names a circle: ops each of which is after the next one, or behind it in its stream. */
gcast_status circles_check(const gcast_workload *w, gcast_error *err);

#endif
