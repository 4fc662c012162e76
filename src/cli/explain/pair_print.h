/* What explain says of two operations, for people and as gridcast.pair/1. */
#ifndef CLI_EXPLAIN_PAIR_PRINT_H
#define CLI_EXPLAIN_PAIR_PRINT_H

#include "base/text/text.h"
#include "gridcast/remedy.h"

typedef struct paired {
    const gcast_run *run;
    gcast_pair *pair;
    gcast_remedies *remedies; /* NULL: not looked for */
} paired;

/* Does nothing more of the shorter fit into the other's time? */
bool pair_is_whole(const gcast_pair *p);
void pair_print(text *t, const paired *x, bool all);
void pair_json(text *t, const paired *x);

#endif
