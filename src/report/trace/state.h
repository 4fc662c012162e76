/* What the parts of a Chrome trace share. */
#ifndef REPORT_TRACE_STATE_H
#define REPORT_TRACE_STATE_H

#include "report/run/waits.h"
#include "report/trace/event.h"
#include "report/view.h"

#define CHROME_NO_BLOCK UINT64_MAX

typedef struct chrome {
    const gcast_run *run;  /* what is written */
    view shown;            /* the part of it that is written */
    chrome_events events;  /* the output */
    char **head;           /* by op of the workload: chrome_head of its slices */
    uint64_t *first_block; /* by operation of the run: its earliest block shown, which its arrow points to, or
                              CHROME_NO_BLOCK */
    int64_t *first_start;  /* by operation of the run: when that block starts */
    waits waits;           /* what operations waited for */
} chrome;

/* Processes of the trace: SMs from 1, then these. */
enum { CHROME_CALLS = 1, CHROME_DEADLINES, CHROME_STREAMS, CHROME_ENGINES };
static inline int chrome_pid(const chrome *c, int process)
{
    return c->run->gpu->sms + process;
}

#endif
