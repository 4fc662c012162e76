/* A run of the simulator against that of the oracle: are they equal, and if not, what is the first difference. */
#ifndef PROPERTY_COMPARE_H
#define PROPERTY_COMPARE_H

#include <stdio.h>

#include "property/generate.h"
#include "property/oracle.h"

/* The first difference as text; true where there is none. Blocks are compared where the run recorded them. */
bool compare_runs(const gcast_run *run, const oracle_result *oracle, char *difference, size_t size);

void dump_workload(FILE *out, const generated *g);
/* dump_children.c: what an op launches, line by line; and the children of a run. */
void dump_launches(FILE *out, const gcast_op *op);
void dump_launch_times(FILE *out, const gcast_gpu *gpu, const gcast_simulate_options *options);
void dump_children(FILE *out, const gcast_run_op *ops, size_t op_count, const gcast_child *children, size_t count);
void dump_schedule(FILE *out, const char *title, const gcast_workload *w, const gcast_run_op *ops, size_t count);

#endif
