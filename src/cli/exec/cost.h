/* --cost: how long a block takes by the cost model, and --workload for simulate. */
#ifndef CLI_EXEC_COST_H
#define CLI_EXEC_COST_H

#include "cli/args.h"

typedef struct exec_cost {
    const gcast_cost_gpu *figures; /* of the GPU's instructions; NULL: no --cost */
    gcast_gpu *gpu;                /* that the figures are of */
    int64_t registers;             /* per thread, as given or else as estimated after the run; 0: not known yet */
    bool estimated;                /* the registers are an estimate */
    gcast_cost_summary summary;    /* after exec_cost_compute */
} exec_cost;

/* Reads --cost, --registers and --workload for a file with .target sm_`sm`; c->registers are those of the launch file,
 * or 0. Close it also after an error, which is printed. */
gcast_status exec_cost_open(exec_cost *c, const args *a, int sm);
void exec_cost_close(exec_cost *c);
/* Nothing without --cost. */
gcast_status exec_cost_compute(exec_cost *c, const gcast_simt_report *r, const gcast_launch *l);
/* --workload: one launch with the time that was computed. */
gcast_status exec_cost_write(const exec_cost *c, const gcast_simt_report *r, const gcast_launch *l, const args *a);

#endif
