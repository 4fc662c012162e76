/* What explain says of one operation or job: totals, every wait, and both as gridcast.explanation/1. */
#ifndef CLI_EXPLAIN_PRINT_H
#define CLI_EXPLAIN_PRINT_H

#include "base/text/text.h"
#include "gridcast/explain.h"

typedef struct explained {
    const gcast_run *run;
    gcast_subject subject;
    bool worst; /* it was asked for */
    gcast_explanation *e;
    gcast_totals *totals;
} explained;

void explain_print(text *t, const explained *x, bool all);

/* explain/json.c */
void explain_json(text *t, const explained *x);
/* What gridcast.explanation/1 and gridcast.pair/1 have in common. */
void explain_json_wait(text *t, const gcast_run *run, const gcast_wait *wait);

#endif
