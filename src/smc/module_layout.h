/* The plan in a module with a transformed kernel K, and the kernel's results. All is little-endian.
 *
 * K_smc, a variable of the module: SMC_HEADER_BYTES with the grid of the jobs, the mapping, and addresses of arrays of
 * 32-bit words. If all is zero, there is no plan, and the kernel traps.
 *   workers   by SM: number of workers that stay
 *   first     by queue, and one more: index in `job` of its first job; then by queue the step between its jobs (with
 *             segments: within each of them); 0: the steps differ
 *   job       numbers of jobs, queue after queue
 *   counters  by SM tickets; by queue jobs taken; by SM the workers of the last launch; number of workers that left.
 *             They are zero before the first launch; the last worker that leaves resets all but the third part
 *   marks     by job: each completion adds SMC_MARK_ONE + ((SM + 1) << SMC_MARK_SM_SHIFT)
 *   records   only if the kernel keeps records, by job SMC_RECORD_BYTES: begin and end by %globaltimer, two words of
 *             64 bits; the SM; the worker's ticket there
 *
 * K_smc_lost, one word that is never reset: the number of SMs with too few workers for their jobs, and of queues with
 * jobs that nobody took, summed over all launches. If it is not 0, a launch has left jobs undone.
 *
 * K_smc_block, in shared memory, the state of a worker; offsets in bytes:
 *   0, 16     two slots for jobs, which take turns: the current job, and the next one, which is written meanwhile:
 *             x, y, z, and its number + 1; 0: there is none; -1: the thread that manages the jobs has to find one
 *   32        number of further jobs of the run; the step between them in x, y and z
 *   48        the grid of jobs; the ticket
 *   64        addresses of `job`, `marks`, the counter of the queue (0: not entered yet), and `records`
 *   96        the SM; the queue (-1: there is none but the worker's own segment); begin and end of its jobs in `job`
 *   112       the step between jobs (0: `job` lists them); number of workers that share the queue; number of its jobs
 *             that are known to be taken; index in `job` of the last written job, at the end whether this worker is the
 *             last */
#ifndef SMC_MODULE_LAYOUT_H
#define SMC_MODULE_LAYOUT_H

#include "gridcast/plan.h"

#define SMC_GRID 0
#define SMC_MODE 12 /* 1 + gcast_mapping, and SMC_MODE_STEAL */
#define SMC_JOBS 16
#define SMC_SMS 20
#define SMC_QUEUES 24
#define SMC_WORKERS 32 /* from here on addresses */
#define SMC_FIRST 40
#define SMC_JOB 48
#define SMC_COUNTERS 56
#define SMC_MARKS 64
#define SMC_HEADER_BYTES 72
#define SMC_RECORDS 72
#define SMC_HEADER_BYTES_RECORDS 80 /* of kernels that keep records */
#define SMC_RECORD_BYTES 24

#define SMC_MODE_STEAL 256
#define SMC_MARK_ONE 1u
#define SMC_MARK_SM_SHIFT 12
#define SMC_MARK_COUNT_MASK 4095u

#define SMC_BLOCK_WORDS 32
#define SMC_BLOCK_BYTES (SMC_BLOCK_WORDS * 4)

/* The step from each job of a queue to the next, with segments within each of them; 0: steps differ or descend. With
 * equal steps, as in most queues, a worker finds its next job without reading the plan. */
uint32_t smc_queue_step(const gcast_plan *plan, uint32_t queue);

#endif
