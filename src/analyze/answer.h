/* An answer with the memory that it owns. */
#ifndef ANALYZE_ANSWER_H
#define ANALYZE_ANSWER_H

#include "gridcast/analyze.h"

typedef struct owned_answer {
    gcast_answer a;            /* first, so that a gcast_answer is its handle */
    gcast_analysis **analyses; /* a.analyses */
    gcast_response *responses; /* a.responses */
    char growth_why[300];      /* a.growth_why */
    gcast_assumed *assumed;    /* a.assumed; NULL: there are none */
} owned_answer;

#endif
