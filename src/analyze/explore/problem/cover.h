/* What method explore covers of docs/model.md. */
#ifndef ANALYZE_EXPLORE_PROBLEM_COVER_H
#define ANALYZE_EXPLORE_PROBLEM_COVER_H

#include "analyze/explore/problem/problem.h"

/* All of these return false where the workload is not covered: with a refusal, or with a status where memory is
 * short. */

/* Is there a search that covers the workload? */
bool explore_covers_any(explore_problem *p);
/* Do blocks take slots of a pool, while nothing else decides a time? Sets the number of slots. */
bool explore_covers_pool(explore_problem *p);
/* May the workload be searched by intervals, where blocks take slots of a pool or shares? Sets the number of slots and
 * the shares, and says whether copies may pass each other and whether streams may share connections. */
bool explore_covers_slots(explore_problem *p);
/* Do the copies of each engine enter in the order in which they arrive? */
bool explore_covers_channels(explore_problem *p);

/* Why the workload is searched by events only; NULL: it need not be. */
const char *explore_needs_events(const explore_problem *p);
/* May a stream wait for another one's connection, or for its turn? */
bool explore_connections_matter(explore_problem *p);
/* Sets max_turn_wait_ns. False without memory. */
bool explore_set_turn_wait(explore_problem *p);

#endif
