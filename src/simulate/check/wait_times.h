/* Programmatic launches, blocks that wait, edges of graphs and hangs, as the checker sees them: when blocks go on, and
 * when kernels trigger. The rules of the engine are repeated on purpose. */
#ifndef SIMULATE_CHECK_WAIT_TIMES_H
#define SIMULATE_CHECK_WAIT_TIMES_H

#include "simulate/check/run_order.h"

/* Did an operation enter its engine's queue? Only in a run that hangs some never do. */
static inline bool check_entered(const gcast_run *run, const gcast_run_op *r)
{
    return !run->hang || r->enter_ns >= 0;
}

/* The operation called before i in its stream, if i is programmatic and that operation is no node of a graph; else
 * UINT32_MAX. */
uint32_t check_before(const gcast_run *run, const check_orders *o, size_t i);
/* From when on nothing holds blocks of i that wait; CHECK_NEVER. */
int64_t check_open_ns(const gcast_run *run, const check_orders *o, size_t i);
/* Do blocks of i wait for ever, in a run that hangs? */
bool check_stays(const gcast_run *run, const check_orders *o, size_t i);
/* When a block of i that started at start_ns goes on after its wait; CHECK_NEVER. */
int64_t check_resume_ns(const gcast_run *run, const check_orders *o, size_t i, int64_t start_ns);

/* When i, a programmatic kernel, could be the head of its stream at the earliest: the kernel before it has triggered,
 * and not too many overlap. -1: unknown, as blocks are not recorded. */
int64_t check_overlap_ns(const gcast_run *run, const check_orders *o, size_t i);

/* When nodes of graphs see their edges. */

/* When operation i, a node with edges, sees its last edge; CHECK_NEVER. *exact false: it may be later, as blocks are
 * not recorded. */
int64_t check_edges_seen_ns(const gcast_run *run, const check_orders *o, size_t i, bool *exact);

/* C-hang: a run that says that it hangs does: incomplete operations can never go on, and the run lists them. Blocks
 * that could start are left to C-idle. */
gcast_status check_hang(const gcast_run *run, const check_orders *o, gcast_error *err);

#endif
