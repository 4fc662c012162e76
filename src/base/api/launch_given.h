/* What all public calls that are given a launch ask of it, on whatever machine it is to run. */
#ifndef BASE_API_LAUNCH_GIVEN_H
#define BASE_API_LAUNCH_GIVEN_H

#include "gridcast/error.h"
#include "gridcast/launch.h"

/* Is all there that the launch points to, and does each argument have a value or a buffer? Paths are those of
 * gridcast.launch/1. */
gcast_status launch_given(const gcast_launch *l, gcast_error *err);

#endif
