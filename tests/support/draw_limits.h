/* Random limits of a system: on responses, on steps from one to another, and on delays from event to event. */
#ifndef TESTS_SUPPORT_DRAW_LIMITS_H
#define TESTS_SUPPORT_DRAW_LIMITS_H

#include "model/system.h"

/* Gives a system some. Steps that they begin or end with are on cores and take 1 ns or more, so that an execution shows
 * them. */
void draw_limits(sys_system *s, uint64_t seed);

#endif
