/* --cost: how long a block takes by the cost model, and --workload for simulate. */
#ifndef CLI_EXEC_EXEC_COST_H
#define CLI_EXEC_EXEC_COST_H

#include "cli/args.h"
#include "model/cost.h"
#include "model/exec.h"

typedef struct exec_cost {
    const gcast_cost_gpu *figures; /* costs of the GPU's instructions; NULL: no --cost */
    gcast_gpu *gpu;                /* the GPU of --cost */
    int64_t registers;             /* per thread, as given, or as estimated after the run; 0: not known yet */
    bool estimated;                /* the registers are an estimate */
    gcast_cost_summary summary;    /* after exec_cost_compute */
} exec_cost;

/* Reads --cost, --registers and --workload for a file with .target sm_`sm`; c->registers is that of the launch file, or
 * 0. Close it also after an error. Errors are printed, here and below. */
gcast_status exec_cost_open(exec_cost *c, const args *a, int sm);
void exec_cost_close(exec_cost *c);
/* Sets c->summary; without --cost it does nothing. */
gcast_status exec_cost_compute(exec_cost *c, const gcast_simt_report *r, const gcast_launch *l);
/* --workload: writes a workload of one launch with the computed time. */
gcast_status exec_cost_write(const exec_cost *c, const gcast_simt_report *r, const gcast_launch *l, const args *a);

#endif
