/* What the parts of a Chrome trace share. */
#ifndef REPORT_TRACE_STATE_H
#define REPORT_TRACE_STATE_H

#include "base/vec.h"
#include "report/trace/event.h"
#include "report/view.h"
#include "report/waits/waits.h"

#define CHROME_NO_BLOCK UINT64_MAX

/* The launch of a child. */
typedef struct chrome_launch {
    uint32_t parent; /* operation of the run that launched it */
    uint32_t block;  /* of the parent */
    uint32_t op;     /* the child, as an operation of the run */
} chrome_launch;

typedef struct chrome {
    const gcast_run *run;        /* what is written */
    view shown;                  /* the part of it that is written */
    chrome_events events;        /* the output */
    char **head;                 /* by op of the workload, also by child: chrome_head of its slices */
    uint64_t *first_block;       /* by operation of the run: its earliest block shown, which its arrow points to, or
                                    CHROME_NO_BLOCK */
    int64_t *first_start;        /* by operation of the run: when that block starts */
    waits waits;                 /* what operations waited for */
    VEC(chrome_launch) launches; /* of children, that have arrows: by parent, by block, by child */
} chrome;

/* Processes of the trace: SMs from 1, then these. */
enum { CHROME_CALLS = 1, CHROME_DEADLINES, CHROME_STREAMS, CHROME_ENGINES, CHROME_CHILDREN };
static inline int chrome_pid(const chrome *c, int process)
{
    return c->run->gpu->sms + process;
}

#endif
