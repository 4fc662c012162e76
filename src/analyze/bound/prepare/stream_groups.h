/* Groups of streams whose events may wait for each other where ops are after others. */
#ifndef ANALYZE_BOUND_PREPARE_STREAM_GROUPS_H
#define ANALYZE_BOUND_PREPARE_STREAM_GROUPS_H

#include "analyze/bound/state.h"

/* Sets stream_group and stream_is_joined, where there are dependencies; false without memory. The ops and what
 * connections share must be known. */
bool bound_group_streams(bound *b);

#endif
