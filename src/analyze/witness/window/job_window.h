/* The window around one job: when it begins and ends. */
#ifndef ANALYZE_WITNESS_WINDOW_JOB_WINDOW_H
#define ANALYZE_WITNESS_WINDOW_JOB_WINDOW_H

#include "analyze/witness/state.h"
#include "analyze/witness/window/scan.h"

/* What a window is for. */
typedef struct window_wish {
    size_t op;           /* index in the workload */
    uint32_t job;        /* of its task */
    int64_t back_ns;     /* how long before its release the window should begin at least */
    int64_t response_ns; /* up to how long after its release ends count */
} window_wish;

/* The window for a job: it begins at an idle time. *out is NULL where there is none that is small enough. */
gcast_status job_window_create(const frame *f, const scan *scanned, const window_wish *wish, frame **out,
                               gcast_error *err);

#endif
