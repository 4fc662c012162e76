/* How many workers each kernel has on an SM: hill climbs, the first as of Wu, Chen, Li, Shen and Vetter (ICS 2015). */
#ifndef ANALYZE_CORUN_WORKER_CLIMB_H
#define ANALYZE_CORUN_WORKER_CLIMB_H

#include "analyze/corun/state.h"

/* Sets s->start: on an even split of the SMs, kernel after kernel, from max_workers down by one while that is no
 * slower. Where the values are equal there are fewer workers. */
gcast_status corun_climb_workers(corun_search *s);

/* Changes the workers of s->start on its split, kernel after kernel: by one, to half, or to twice as many (an
 * exhaustive search: to any number), whatever gains most, while it gains. *has_changed: some did. */
gcast_status corun_adjust_workers(corun_search *s, bool *has_changed);

#endif
