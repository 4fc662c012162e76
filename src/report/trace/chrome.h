/* What the parts of a Chrome trace share. */
#ifndef REPORT_TRACE_CHROME_H
#define REPORT_TRACE_CHROME_H

#include "report/run/sm_index.h"
#include "report/run/waits.h"
#include "report/trace/event.h"

typedef struct chrome {
    const gcast_run *run;
    view shown;
    chrome_events events;
    char **head;           /* chrome_head, by op of the workload */
    uint64_t *first_block; /* by op of the run: the block its launch points to; CHROME_NO_BLOCK */
    int64_t *first_start;  /* when that starts */
    waits waits;
} chrome;

#define CHROME_NO_BLOCK UINT64_MAX

/* Processes: SMs from 1, then these. */
enum { CHROME_CALLS = 1, CHROME_DEADLINES, CHROME_STREAMS, CHROME_ENGINES };
static inline int chrome_pid(const chrome *c, int process)
{
    return c->run->gpu->sms + process;
}

/* An operation as a slice. */
void chrome_op(chrome *c, size_t op, chrome_track at, int64_t start, int64_t end); /* trace/streams.c */
/* An arrow from its call, or to where it starts: its first block where that is shown, else the operation itself.
 * Only where both of its ends are shown. */
void chrome_arrow(chrome *c, size_t op, bool from, chrome_track at, int64_t ns); /* trace/streams.c */

/* Each writes its processes; false without memory. */
gcast_status chrome_sms(chrome *c, gcast_error *err); /* trace/sms.c; the others in files of their own too */
bool chrome_calls(chrome *c);
bool chrome_deadlines(chrome *c);
bool chrome_streams(chrome *c);
bool chrome_engines(chrome *c);

#endif
