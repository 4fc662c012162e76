/* What would make two operations run at one time: changes to the workload, each of which was
 * tried by simulating again. Data dependences between the operations are not known here: the reader must decide
 * whether one may start before the other is complete. */
#ifndef ANALYZE_ADVICE_REMEDY_H
#define ANALYZE_ADVICE_REMEDY_H

#include "change/change.h"
#include "gridcast/error.h"
#include "gridcast/explain.h"
#include "gridcast/simulate.h"

#define REMEDY_MAX_CHANGES 3

typedef struct gcast_remedy {
    change changes[REMEDY_MAX_CHANGES]; /* all of them together */
    size_t change_count;
    /* the result of the simulation with the changes: */
    int64_t overlap_ns, shorter_ns; /* how long both operations run, and how long the shorter one does */
    int64_t earlier_end_ns, later_end_ns;
    int64_t end_ns; /* of the run */
} gcast_remedy;

typedef struct gcast_remedies {
    /* Remedies with which the operations overlap for a larger part of the shorter one's time: by that part, the largest
     * first, then by the number of changes. */
    const gcast_remedy *list;
    size_t count;
    uint64_t runs; /* number of simulations */
    void *memory;
} gcast_remedies;

/* `gpu` and `options` are those that gave `run`, `pair` is of that; progress is shown for all simulations together. */
gcast_status gcast_run_find_remedies(const gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *options,
                                     const gcast_pair *pair, gcast_remedies **out, gcast_error *err);
void gcast_remedies_free(gcast_remedies *r);

#endif
