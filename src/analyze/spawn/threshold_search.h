/* The search for the best threshold. What a threshold gives is asked of the caller, which simulates it. */
#ifndef ANALYZE_SPAWN_THRESHOLD_SEARCH_H
#define ANALYZE_SPAWN_THRESHOLD_SEARCH_H

#include "analyze/spawn/thresholds.h"
#include "gridcast/error.h"

#define THRESHOLD_FEW 24       /* so many thresholds or fewer are all tried */
#define THRESHOLD_BY_ITEMS 12  /* else first so many parts of the items that are offloaded, */
#define THRESHOLD_BY_HALVES 12 /* so many halves of the launchers that launch, */
#define THRESHOLD_REFINED 20   /* and then at most so many beside the best */
#define THRESHOLD_BEST 3       /* that are refined around */

typedef struct threshold_search {
    const threshold_list *thresholds; /* all that make a difference */
    bool exhaustive;                  /* all are tried */
    int64_t none_ns;                  /* the end of a run where nobody launches */
    gcast_status (*run)(void *data, uint32_t items, int64_t *end_ns, gcast_error *err); /* the end of a run with this
                                                                                           threshold */
    void *data;                                                                         /* of run */
    gcast_error *err;                                                                   /* what run filled in */
    /* found */
    size_t best;    /* index of the threshold with the earliest end, of equals the largest; their number: none */
    int64_t end_ns; /* of it */
    uint32_t tried; /* calls of run */
} threshold_search;

/* Fills in what is found. */
gcast_status threshold_search_run(threshold_search *s);
/* About how many calls of run it takes at most. */
size_t threshold_search_calls(const threshold_list *thresholds, bool exhaustive);

#endif
