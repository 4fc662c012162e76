/* What explain found out about one operation or a pair of them, and its output for people. */
#ifndef CLI_COMMANDS_EXPLAIN_PRINT_H
#define CLI_COMMANDS_EXPLAIN_PRINT_H

#include "analyze/advice/remedy.h"
#include "base/integers.h"
#include "base/text.h"
#include "gridcast/explain.h"

/* One operation or one job. */
typedef struct explained {
    const gcast_run *run;           /* its run */
    gcast_subject subject;          /* the operation or job */
    bool worst;                     /* it was chosen by --worst */
    gcast_explanation *explanation; /* why it took so long */
    gcast_totals *totals;           /* its waits, summed up */
} explained;

/* Two operations. */
typedef struct paired {
    const gcast_run *run;     /* their run */
    gcast_pair *pair;         /* why they do not overlap more */
    gcast_remedies *remedies; /* NULL: not searched */
} paired;

/* The shorter of both running times: they cannot overlap for longer. */
static inline int64_t pair_shorter_ns(const gcast_pair *p)
{
    return min_i64(p->earlier_ran_ns, p->later_ran_ns);
}

/* Do they overlap for as long as possible? */
static inline bool pair_overlaps_fully(const gcast_pair *p)
{
    return p->overlap_ns >= pair_shorter_ns(p);
}

/* Prints one operation or job; with `all` every wait, not only their sums. */
void explain_print(text *t, const explained *x, bool all);
/* Prints two operations; with `all` every wait, not only the longest. */
void pair_print(text *t, const paired *x, bool all);

#endif
