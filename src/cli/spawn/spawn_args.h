/* The options of gridcast spawn, checked before anything is read or simulated. */
#ifndef CLI_SPAWN_SPAWN_ARGS_H
#define CLI_SPAWN_SPAWN_ARGS_H

#include "cli/spawn/state.h"

/* Fills in all of *r but the GPU. Errors are printed. */
gcast_status spawn_args_read(const args *a, spawn_request *r);

#endif
