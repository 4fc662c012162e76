/* How long an event waits in a window for kernels and blocks before it. */
#ifndef ANALYZE_BOUND_BY_JOB_WAITS_SM_WAIT_H
#define ANALYZE_BOUND_BY_JOB_WAITS_SM_WAIT_H

#include "analyze/bound/by_job/state.h"

/* What is there in a window while k waits. */
typedef struct sm_window {
    job_events *s;     /* the events; head_counts and tail_counts are those of the window */
    const bound_op *k; /* the op of the event that waits */
    wide head_count;   /* other events whose blocks start in the window */
    bool has_earlier;  /* a kernel may have started its last block before it begins */
    wide enough_ns;    /* a wait up to this need not be known closer */
    bool is_cut;       /* it begins at the cut: heads may have entered before */
} sm_window;

/* From the begin of the window to the start of k's last block, at most. */
wide by_job_sm_wait(const sm_window *w);

#endif
