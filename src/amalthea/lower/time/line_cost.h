/* What one line of memory takes: as given beside the model, or by latencies and data rates of the model. */
#ifndef AMALTHEA_LOWER_TIME_LINE_COST_H
#define AMALTHEA_LOWER_TIME_LINE_COST_H

#include "amalthea/lower/state.h"

/* Time of a line, in parts of a nanosecond. */
typedef struct line_cost {
    bool known;
    bool given;   /* beside the model, contention and all */
    bool partial; /* nothing is said about a part of the way to the memory */
    bool over;    /* the most may count what the model does not mean */
    fine min, max;
} line_cost;

/* Of a label, by a processor. */
line_cost line_cost_of(const lowering *l, size_t proc, int label, bool write);

#endif
