/* From what the GPU recorded to a run. */
#ifndef MEASURE_SESSION_COLLECT_H
#define MEASURE_SESSION_COLLECT_H

#include "measure/session/clock_offset.h"
#include "measure/session/session.h"

typedef struct clocks {
    alignment aligned;
    int64_t zero;    /* of the run, on the host's clock */
    int64_t base_ns; /* of the session's base event, on the GPU's clock */
} clocks;

/* Takes over `ops`, in which the host's times are filled in. */
gcast_status collect_run(session *s, gcast_run_op *ops, const clocks *c, gcast_run **run, gcast_error *err);

#endif
