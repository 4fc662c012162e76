/* An answer with what it owns. */
#ifndef ANALYZE_ANSWER_H
#define ANALYZE_ANSWER_H

#include "gridcast/analyze.h"

typedef struct owned_answer {
    gcast_answer a;            /* first, so that a gcast_answer is its handle */
    gcast_analysis **analyses; /* of a.analyses */
    gcast_response *responses; /* of a.responses */
    char growth_why[300];      /* a.growth_why */
    gcast_assumed *assumed;    /* of a.assumed; NULL: there are none */
} owned_answer;

/* An execution takes this long, and the answer says that none does: there is a defect in one of the two. Nothing is
 * known then, and no deadline is met. Returns GCAST_INTERNAL. */
gcast_status answer_contradicted(owned_answer *o, const gcast_response *r, int64_t response_ns, gcast_error *err);

#endif
