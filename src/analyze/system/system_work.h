/* Memory of an analysis of a system. */
#ifndef ANALYZE_SYSTEM_SYSTEM_WORK_H
#define ANALYZE_SYSTEM_SYSTEM_WORK_H

#include "analyze/system/state.h"

/* Room for everything, in the cache's scratch. False without memory. */
bool system_work_init(system_work *x);

#endif
