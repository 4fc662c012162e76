/* The parts of gcast_run_check. */
#ifndef SIMULATE_CHECK_CHECK_H
#define SIMULATE_CHECK_CHECK_H

#include "gridcast/run.h"

/* The operations of a run in two orders. */
typedef struct check_orders {
    uint32_t *launch; /* all that were called, by launch number */
    size_t launch_count;
    uint32_t *entry; /* all that ran on the GPU, by entry number */
    size_t entry_count;
} check_orders;

/* A broken invariant: its name in docs/model.md, the operation, what is wrong. */
gcast_status check_broken(const gcast_run *run, size_t run_op, const char *name, const char *what, gcast_error *err);
int check_level(const gcast_run *run, size_t run_op);

/* Blocks one by one: C-blocks, C-room, C-mask, C-priority, C-idle, C-grids, C-size. */
gcast_status check_blocks(const gcast_run *run, const check_orders *orders, gcast_error *err);

/* C-copy. */
gcast_status check_copies(const gcast_run *run, gcast_error *err);

#endif
