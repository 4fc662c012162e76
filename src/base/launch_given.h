/* Checks a launch for every public call that takes one, whatever runs it. */
#ifndef BASE_LAUNCH_GIVEN_H
#define BASE_LAUNCH_GIVEN_H

#include "gridcast/error.h"
#include "gridcast/launch.h"

/* Are all arrays there that the launch points to, and has each argument a value or a buffer? Paths are those of
 * gridcast.launch/1. */
gcast_status launch_given(const gcast_launch *l, gcast_error *err);

#endif
