/* The search for the best threshold. The caller simulates a run with a given threshold. */
#ifndef ANALYZE_SPAWN_THRESHOLD_SEARCH_H
#define ANALYZE_SPAWN_THRESHOLD_SEARCH_H

#include "base/vec.h"
#include "gridcast/error.h"
#include "gridcast/workload.h"

/* A threshold that makes a difference: an item count that some launcher has. */
typedef struct threshold {
    uint32_t items;     /* launchers with at least so many items launch */
    uint64_t launchers; /* how many launch */
    uint64_t offloaded; /* items of these */
} threshold;

typedef struct threshold_list {
    VEC(threshold) list; /* ascending by items; the first equals the policy "always" */
    uint32_t kernels;    /* how many kernels of the workload launch kernels */
} threshold_list;

/* Lists the thresholds of all kernels of the workload and all levels of their children. False without memory. Free the
 * list with thresholds_free in any case. */
bool thresholds_find(const gcast_workload *w, threshold_list *t);
void thresholds_free(threshold_list *t);

#define THRESHOLD_FEW 24       /* up to so many thresholds are all tried; of more, these: */
#define THRESHOLD_BY_ITEMS 12  /* so many equal parts of the offloaded items, */
#define THRESHOLD_BY_HALVES 12 /* so many halvings of the launchers, */
#define THRESHOLD_REFINED 20   /* and at most so many beside */
#define THRESHOLD_BEST 3       /* the best so many */

typedef struct threshold_search {
    const threshold_list *thresholds;
    bool exhaustive; /* try all */
    int64_t none_ns; /* the end of a run where nobody launches */
    /* Gives the end of a run with this threshold. */
    gcast_status (*run)(void *data, uint32_t items, int64_t *end_ns, gcast_error *err);
    void *data; /* of run */
    gcast_error *err;
    /* Results. */
    size_t best;    /* index of the threshold with the earliest end, the largest of equals; list.count: none */
    int64_t end_ns; /* the end with it */
    uint32_t tried; /* calls of run */
} threshold_search;

/* Fills in the results. */
gcast_status threshold_search_run(threshold_search *s);
/* About the largest number of calls of run. */
size_t threshold_search_calls(const threshold_list *thresholds, bool exhaustive);

#endif
