/* What the checker knows of programmatic launches and of blocks that wait: when these go on, and when kernels trigger.
 * It repeats the rules of the engine on purpose. */
#ifndef SIMULATE_CHECK_WAITS_WAIT_TIMES_H
#define SIMULATE_CHECK_WAITS_WAIT_TIMES_H

#include "simulate/check/run_order.h"

/* Has an operation entered its engine's queue? Those that never do only exist where a run hangs. */
static inline bool check_entered(const gcast_run *run, const gcast_run_op *r)
{
    return !run->hang || r->enter_ns >= 0;
}

/* The operation that was called before i in its stream, if i is programmatic and that is no node of a graph;
 * UINT32_MAX. */
uint32_t check_before(const gcast_run *run, const check_orders *o, size_t i);
/* From when on nothing holds blocks of i that wait; CHECK_NEVER. */
int64_t check_open_ns(const gcast_run *run, const check_orders *o, size_t i);
/* Do blocks of i wait for ever, in a run that hangs? */
bool check_stays(const gcast_run *run, const check_orders *o, size_t i);
/* When a block of i that started then goes on after its wait; CHECK_NEVER. */
int64_t check_resume_ns(const gcast_run *run, const check_orders *o, size_t i, int64_t start_ns);
/* When all blocks of the kernel i have triggered or ended, where blocks are recorded; CHECK_NEVER. */
int64_t check_trigger_ns(const gcast_run *run, const check_orders *o, size_t i);
/* When i, a programmatic kernel, could be the head of its stream at the earliest: its kernel before it has triggered,
 * and not too many overlap. -1: that is not known, as blocks are not recorded. */
int64_t check_overlap_ns(const gcast_run *run, const check_orders *o, size_t i);

#endif
