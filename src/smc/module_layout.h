/* Where a transformed kernel finds its plan, and what it leaves behind. All is little-endian.
 *
 * K_smc, a variable of the module for kernel K: SMC_HEADER_BYTES with the grid of the jobs, the mapping, and addresses
 * of arrays of 32-bit words. All zero: there is no plan, and the kernel traps.
 *   workers   by SM: how many stay
 *   first     by queue, and one more: where its jobs begin in `job`; then by queue the step between its jobs (of
 *             segments: within each), or 0: they are at no equal steps
 *   job       numbers of jobs, queue after queue
 *   counters  zero before the first launch; the last worker that leaves makes them so again:
 *             by SM tickets, by queue jobs taken; then by SM the workers of the last launch; then workers that left
 *   marks     by job: SMC_MARK_ONE + (SM + 1) << SMC_MARK_SM_SHIFT is added each time that it is complete
 *   records   only of kernels that keep them, by job SMC_RECORD_BYTES: two words of 64 bits, when it began and ended by
 *             %globaltimer, then the SM and the worker's ticket there
 *
 * K_smc_lost, one word, never reset: how many SMs had too few workers for their jobs, or queues jobs that nobody took,
 * summed over all launches. Not 0: a launch has left jobs undone.
 *
 * K_smc_block, in shared memory, for a worker, in bytes:
 *   0, 16     two places for jobs, which take turns: that of the job at hand, and where the first thread writes the
 * next one meanwhile: x, y, z, and its number + 1; 0: there is none, -1: the first thread has to find one 32 jobs that
 * the run has after those; the step between them in x, y and z 48        the grid of jobs; then the ticket, and at the
 * end whether this worker is the last 64        addresses of `job`, `marks`, the counter of the queue (0: not entered
 * yet), and `records` 96        the SM; the queue, -1: there is none, or the segment is all; where its jobs begin and
 * end in `job` 112       the step between jobs, 0: `job` tells them; how many workers share the queue; how many of its
 * jobs are known to be taken; where in `job` the last written job is, and at the end whether this worker is the last */
#ifndef SMC_MODULE_LAYOUT_H
#define SMC_MODULE_LAYOUT_H

#define SMC_GRID 0
#define SMC_MODE 12 /* 1 + gcast_mapping, and SMC_MODE_STEAL */
#define SMC_JOBS 16
#define SMC_SMS 20
#define SMC_QUEUES 24
#define SMC_WORKERS 32 /* from here on: addresses */
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

#endif
