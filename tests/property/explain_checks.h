/* What must hold of every explanation, by the times of its run. */
#ifndef PROPERTY_EXPLAIN_CHECKS_H
#define PROPERTY_EXPLAIN_CHECKS_H

#include "analyze/advice/remedy.h"
#include "support/support.h"

/* What was seen. */
typedef struct explain_tally {
    long waits, shared, resources, quarters, jobs, pairs, overlapping, chains, remedies, kinds[CHANGE_KINDS], several;
    long reasons[GCAST_REASONS]; /* waits by reason */
    long children;               /* waits of children */
} explain_tally;

/* Waits follow each other from the release to the end. */
void explain_waits_follow(const gcast_explanation *e);
/* Rules and holders add up to the response time; shortages are those of the SMs. */
void explain_totals_add_up(const gcast_run *run, const gcast_explanation *e, explain_tally *y);
/* Who held up a child, or a kernel that waits for its children. */
void explain_children_are_right(const gcast_run *run, const gcast_explanation *e, explain_tally *y);

#endif
