/* Which thresholds make a difference: the distinct item counts of launchers that may launch. */
#ifndef ANALYZE_SPAWN_THRESHOLDS_H
#define ANALYZE_SPAWN_THRESHOLDS_H

#include "base/vec.h"
#include "gridcast/workload.h"

/* A threshold, and who launches with it. */
typedef struct threshold {
    uint32_t items;     /* launchers with so many items or more launch */
    uint64_t launchers; /* that do */
    uint64_t offloaded; /* their items */
} threshold;

typedef struct threshold_list {
    VEC(threshold) list; /* ascending by items: the first is that of the policy always */
    uint32_t kernels;    /* of the workload that launch */
} threshold_list;

/* Of all kernels of the workload, and all levels of their children. False without memory. The list is to be freed with
 * thresholds_free in any case. */
bool thresholds_find(const gcast_workload *w, threshold_list *t);
void thresholds_free(threshold_list *t);

#endif
