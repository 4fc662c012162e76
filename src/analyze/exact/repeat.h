/* The search for a state in which a run was before. */
#ifndef ANALYZE_EXACT_REPEAT_H
#define ANALYZE_EXACT_REPEAT_H

#include "gridcast/run.h"

/* Two times at which the run is in the same state. */
typedef struct exact_repetition {
    int64_t earlier_ns; /* the first of them */
    int64_t later_ns;   /* -1: there are none */
} exact_repetition;

/* The first two of the times first_ns, first_ns + hyperperiod_ns, ... up to the run's horizon at which its state is the
 * same. It also finds none where may_continue answers false. False without memory. */
bool exact_find_repetition(const gcast_run *run, int64_t first_ns, int64_t hyperperiod_ns,
                           bool (*may_continue)(void *, double), void *data, exact_repetition *found);

#endif
