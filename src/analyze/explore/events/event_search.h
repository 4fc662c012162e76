/* The search by events: follows every order of events, instant by instant. */
#ifndef ANALYZE_EXPLORE_EVENTS_EVENT_SEARCH_H
#define ANALYZE_EXPLORE_EVENTS_EVENT_SEARCH_H

#include "analyze/explore/problem.h"

/* Searches and sets the problem's results. False: with a refusal or a status. */
bool explore_by_events(explore_problem *p);

#endif
