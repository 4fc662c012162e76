/* Makes a run of what the GPU recorded. */
#ifndef MEASURE_SESSION_COLLECT_H
#define MEASURE_SESSION_COLLECT_H

#include "measure/session/clock_offset.h"
#include "measure/session/state.h"

typedef struct clocks {
    alignment aligned; /* of the GPU's clock */
    int64_t zero_ns;   /* the zero of the run, on the host's clock */
    int64_t base_ns;   /* the base event of the session, on the GPU's clock */
} clocks;

/* Takes over `ops`, in which the host's times are filled in. */
gcast_status collect_run(session *s, gcast_run_op *ops, const clocks *c, gcast_run **run, gcast_error *err);

#endif
