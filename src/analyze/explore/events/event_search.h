/* The search by events: instant by instant, for every order of events. */
#ifndef ANALYZE_EXPLORE_EVENTS_EVENT_SEARCH_H
#define ANALYZE_EXPLORE_EVENTS_EVENT_SEARCH_H

#include "analyze/explore/problem/problem.h"

/* Sets the results of the problem's jobs. False: with a refusal or a status. */
bool explore_by_events(explore_problem *p);

#endif
