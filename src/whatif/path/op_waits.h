/* What one operation waited for, as exactly as the run allows. */
#ifndef WHATIF_PATH_OP_WAITS_H
#define WHATIF_PATH_OP_WAITS_H

#include "gridcast/explain.h"
#include "simulate/explain/index/run_index.h"

/* As gcast_run_explain. Of a kernel that no other one was beside (`lone`) only what it waited for until its start: all
 * that follows is its own work, and explaining it would cost time by block. In a run without its blocks a kernel waits
 * for room until its start, and works from there on. `brief`: of waits in a stream only the
 * last is told. To be freed with gcast_explanation_free. */
gcast_status op_waits_find(const gcast_run *run, const run_index *index, size_t run_op, bool lone, bool brief,
                           gcast_explanation **out, gcast_error *err);

#endif
