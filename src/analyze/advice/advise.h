/* The parts of gcast_workload_advise. Each fills its struct, whose arrays are in `memory`. Workload, GPU and options
 * have been checked. */
#ifndef ANALYZE_ADVICE_ADVISE_H
#define ANALYZE_ADVICE_ADVISE_H

#include "analyze/advice/judge.h"
#include "base/arena.h"
#include "gridcast/advice.h"

/* Names of the parts, as progress calls get them. */
#define ADVISE_SENSITIVITY "sensitivity"
#define ADVISE_ORDERS "orders"
#define ADVISE_LEVELS "priorities"

/* The search stops after max_ms (0: a minute); limits not found by then are GCAST_LIMIT_UNKNOWN. */
gcast_status sensitivity_find(const judge *j, const gcast_workload *w, const gcast_gpu *gpu, int64_t max_ms,
                              arena *memory, gcast_sensitivity *s, gcast_error *err);
/* GCAST_INPUT: orders of this workload are not searched. */
gcast_status orders_find(const gcast_workload *w, const gcast_gpu *gpu, const gcast_advise_options *options,
                         arena *memory, gcast_orders *o, gcast_error *err);
/* All analyses together take no longer than max_ms; 0: a minute. */
gcast_status levels_assign(const judge *j, const gcast_workload *w, const gcast_gpu *gpu, int64_t max_ms, arena *memory,
                           gcast_levels *l, gcast_error *err);

#endif
