/* When hosts make their calls, lemma 6 of docs/bound.md. */
#ifndef ANALYZE_BOUND_HOSTS_H
#define ANALYZE_BOUND_HOSTS_H

#include "analyze/bound/state.h"

/* Links the ops of each host. False without memory. */
bool bound_link_hosts(bound *b);
/* From which call on of its host has each op ended? */
void bound_find_awaited(bound *b);
/* The earliest releases, by the shortest responses. */
void bound_find_earliest(bound *b);
/* The latest releases, by the responses found so far; true where one has moved. */
bool bound_update_latest(bound *b);
/* May a host make a call later than BOUND_MAX_NS? */
bool bound_has_unlimited_call(const bound *b);

#endif
