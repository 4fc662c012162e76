/* What explain found out, for printing. */
#ifndef CLI_EXPLAIN_STATE_H
#define CLI_EXPLAIN_STATE_H

#include "base/minmax.h"
#include "gridcast/explain.h"
#include "gridcast/remedy.h"

/* Of one operation or one job. */
typedef struct explained {
    const gcast_run *run;           /* that is explained */
    gcast_subject subject;          /* the operation or job */
    bool worst;                     /* it was chosen by --worst */
    gcast_explanation *explanation; /* why it took so long */
    gcast_totals *totals;           /* its waits, summed up */
} explained;

/* Of two operations. */
typedef struct paired {
    const gcast_run *run;     /* that is explained */
    gcast_pair *pair;         /* the explanation */
    gcast_remedies *remedies; /* NULL: not looked for */
} paired;

/* For how long the operation that ran for less time ran: they can overlap for no longer. */
static inline int64_t pair_shorter_ns(const gcast_pair *p)
{
    return min_i64(p->earlier_ran_ns, p->later_ran_ns);
}

/* Do they overlap for as long as they can? */
static inline bool pair_overlaps_fully(const gcast_pair *p)
{
    return p->overlap_ns >= pair_shorter_ns(p);
}

#endif
