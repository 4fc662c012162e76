/* How the checker reports what it finds. */
#ifndef SIMULATE_CHECK_BROKEN_H
#define SIMULATE_CHECK_BROKEN_H

#include "gridcast/run.h"

/* The error of a broken invariant: its name in docs/model.md, the operation, and the problem. */
gcast_status check_broken(const gcast_run *run, size_t run_op, const char *name, const char *problem, gcast_error *err);

#endif
