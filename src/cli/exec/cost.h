/* What exec's cost model makes of a launch: a time for a block, and a workload for simulate. */
#ifndef CLI_EXEC_COST_H
#define CLI_EXEC_COST_H

#include "cli/command.h"

typedef struct exec_cost {
    const gcast_cost_gpu *figures; /* NULL: not asked for */
    gcast_gpu *gpu;
    int64_t registers; /* a thread, as was said or, then, as estimated; 0: not yet */
    bool estimated;
    gcast_cost_summary summary;
} exec_cost;

/* From --cost, --registers and --workload, for a file with .target sm_`sm`; errors are said. Close it in any case. */
gcast_status exec_cost_open(exec_cost *c, const args *a, int sm);
void exec_cost_close(exec_cost *c);
gcast_status exec_cost_compute(exec_cost *c, const gcast_simt_report *r, const gcast_launch *l);
/* --workload. */
gcast_status exec_cost_write(const exec_cost *c, const gcast_simt_report *r, const gcast_launch *l, const args *a);

#endif
