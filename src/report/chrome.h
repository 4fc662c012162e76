/* What the parts of a Chrome trace share. */
#ifndef REPORT_CHROME_H
#define REPORT_CHROME_H

#include "report/chrome_event.h"
#include "report/sm_index.h"

typedef struct chrome {
    const gcast_run *run;
    view shown;
    chrome_events events;
    char **head;           /* chrome_head, by op of the workload */
    uint64_t *first_block; /* by op of the run: the block its launch points to; CHROME_NO_BLOCK */
    int64_t *first_start;  /* when that starts */
} chrome;

#define CHROME_NO_BLOCK UINT64_MAX

/* Processes: SMs from 1, then these. */
enum { CHROME_CALLS = 1, CHROME_STREAMS, CHROME_ENGINES };
static inline int chrome_pid(const chrome *c, int process)
{
    return c->run->gpu->sms + process;
}

/* The launch of an operation points to its first block where that is shown,
 * else to the operation itself. */
gcast_status chrome_sms(chrome *c, gcast_error *err);  /* chrome_sms.c */
gcast_status chrome_bars(chrome *c, gcast_error *err); /* chrome_bars.c */

#endif
