#ifndef SIMULATE_CHECK_COPIES_H
#define SIMULATE_CHECK_COPIES_H

#include "gridcast/run.h"

/* C-copy. */
gcast_status check_copies(const gcast_run *run, gcast_error *err);

#endif
