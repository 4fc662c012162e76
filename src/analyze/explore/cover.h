/* Which workloads method explore covers, and by which search. */
#ifndef ANALYZE_EXPLORE_COVER_H
#define ANALYZE_EXPLORE_COVER_H

#include "analyze/explore/problem.h"

/* All of these return false with a refusal if the workload is not covered, or with a status without memory. */

/* Is there a search that covers the workload? */
bool explore_covers_any(explore_problem *p);
/* Do blocks take slots of a pool, and does nothing else decide times? Sets the number of slots. */
bool explore_covers_pool(explore_problem *p);
/* Can the workload be searched by intervals, with slots of a pool or with shares? Sets the number of slots, the shares,
 * copies_may_pass and connections_shared. */
bool explore_covers_slots(explore_problem *p);
/* Do the copies of each engine enter in the order in which they arrive? */
bool explore_covers_channels(explore_problem *p);

/* Why only a search by events covers the workload; NULL: others do, too. */
const char *explore_needs_events(const explore_problem *p);
/* May a kernel wait for a connection that another stream uses, or for its turn? */
bool explore_connections_matter(explore_problem *p);
/* Sets max_turn_wait_ns. False without memory. */
bool explore_set_turn_wait(explore_problem *p);

#endif
