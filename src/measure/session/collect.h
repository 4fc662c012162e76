/* Makes a run of what the GPU recorded, and corrects the times of copies and programmatic kernels. */
#ifndef MEASURE_SESSION_COLLECT_H
#define MEASURE_SESSION_COLLECT_H

#include "gridcast/run.h"
#include "measure/driver/kernels.h"
#include "measure/session/session.h"

typedef struct clocks {
    alignment aligned; /* of the GPU's clock */
    int64_t zero_ns;   /* the zero of the run, on the host's clock */
    int64_t base_ns;   /* the base event of the session, on the GPU's clock */
} clocks;

/* Takes over `ops`, in which the host's times are filled in. */
gcast_status collect_run(session *s, gcast_run_op *ops, const clocks *c, gcast_run **run, gcast_error *err);

/* As the end of a copy or memset in a graph: it is not known, and becomes its start. */
#define COPY_END_UNSEEN INT64_MIN

/* The event before a copy gives only a lower bound of its start: the copy may still wait for its stream or its engine,
 * which runs one copy at a time. Hence:
 * 1. the end of a copy in a graph moves back to the start of a kernel that depends on it, if that is earlier;
 * 2. the start of a copy or memset moves on to the end of the operation before it in its stream and of its dependencies
 *    in its graph;
 * 3. the start of a copy between host and device moves on to the end of the last copy of its direction before it;
 * 4. the end of a programmatic kernel moves on to the end of the operation before it in its stream. */
gcast_status copies_correct_times(const gcast_workload *w, gcast_run_op *ops, size_t count, gcast_error *err);

#endif
