#ifndef SIMULATE_LAUNCHABLE_H
#define SIMULATE_LAUNCHABLE_H

#include "gridcast/workload.h"

/* An error where an operation can never run on this GPU. */
gcast_status launchable_check(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);

#endif
