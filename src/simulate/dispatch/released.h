#ifndef SIMULATE_DISPATCH_RELEASED_H
#define SIMULATE_DISPATCH_RELEASED_H

#include "simulate/state/state.h"

/* Release the resources of all groups whose time has come. */
void released_collect(sim *s);
/* Dispatch blocks in what has been released, in the order in which that is seen, and wherever else they fit. */
void released_dispatch(sim *s);

#endif
