/* What tests of hand-made schedules share whose kernels launch kernels: a GPU with round times, and a usual parent. */
#ifndef PROPERTY_HAND_LAUNCHES_H
#define PROPERTY_HAND_LAUNCHES_H

#include "property/hand.h"

/* A kernel on its way: what it launches, and the child of that. */
typedef struct parent {
    gcast_op op;
    gcast_launches launches;
    gcast_op child;
} parent;

/* As hand_setup. Launches take 10 + 2 for each of the warp, and hold it for 3 + 1 for each; all limits are off. */
int launches_setup(void **state);
/* One block of 32 threads and 100 ns; threads 0 and 3 have 4 and 40 items, which they decide on at 5. An item takes 7
 * in the thread, or 1 in a child, whose blocks take 20 besides and have 32 threads. */
parent usual(void);
void add_parent(fixture *f, parent *p);
/* A child or a rest of the oracle's run. */
const gcast_run_op *child(const fixture *f, size_t i);

#define LAUNCH_CASE(name) cmocka_unit_test_setup_teardown(name, launches_setup, hand_teardown)

#endif
