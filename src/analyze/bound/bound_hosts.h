/* Earliest and latest times of host calls (lemma 6 of docs/bound.md). */
#ifndef ANALYZE_BOUND_BOUND_HOSTS_H
#define ANALYZE_BOUND_BOUND_HOSTS_H

#include "analyze/bound/bound_state.h"

/* Links the calls of each host in order. False without memory. */
bool bound_link_hosts(bound *b);
/* Sets bound_op.awaited_from. */
void bound_find_awaited(bound *b);
/* Finds the earliest releases, from the shortest responses. */
void bound_find_earliest(bound *b);
/* Updates the latest releases from the responses found so far; true if one has changed. */
bool bound_update_latest(bound *b);
/* May a host make a call later than BOUND_MAX_NS? */
bool bound_has_unlimited_call(const bound *b);

#endif
