/* How the SMs are split among three kernels or more. */
#ifndef ANALYZE_CORUN_SPLIT_MANY_H
#define ANALYZE_CORUN_SPLIT_MANY_H

#include "analyze/corun/state.h"

/* A hill climb from s->start: SMs move from one kernel to another, the pair that gains most first, many at a time and
 * then fewer. */
gcast_status corun_move_sms(corun_search *s);

#endif
