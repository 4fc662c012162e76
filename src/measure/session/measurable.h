/* Can a workload be run on a real GPU? Asked before the driver is opened. */
#ifndef MEASURE_SESSION_MEASURABLE_H
#define MEASURE_SESSION_MEASURABLE_H

#include "gridcast/workload.h"

gcast_status measurable_check(const gcast_workload *w, gcast_error *err);

#endif
