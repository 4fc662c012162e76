/* How a warp runs: the loop over its instructions, and the two ways in which
 * its lanes go apart and meet again. */
#ifndef SIMT_WARP_WARP_H
#define SIMT_WARP_WARP_H

#include "simt/run/machine.h"

typedef enum {
    WARP_PAUSED,  /* its turn is over */
    WARP_BLOCKED, /* all its lanes wait for a barrier */
    WARP_SPINS,   /* nothing it does can change anything until memory changes */
    WARP_STUCK,   /* its lanes wait for each other, for ever */
    WARP_DONE,
    WARP_FAILED
} warp_state;

warp_state warp_run(core *c, warp *w, uint64_t budget);

/* The next group of lanes to run, of those that can; false: there is none. */
bool stack_start(core *c, warp *w);
bool stack_next(core *c, warp *w);
bool stack_push(core *c, warp *w, stack_entry e);
bool stack_diverge(core *c, warp *w, const op *o, uint32_t taken);
bool stack_call(core *c, warp *w, const op *o, uint32_t m);
void stack_return(core *c, warp *w, uint32_t m);
void stack_exit(warp *w, uint32_t m);

/* Lanes of m have nothing left to do but to exit, if they have not. */
static inline void warp_returned(warp *w, uint32_t m)
{
    w->returned = w->exited | m;
    w->gone = (uint32_t)__builtin_popcount(w->returned);
}

void threads_start(warp *w);
/* Lanes that run go on at pc, in this frame. */
void threads_set(warp *w, uint32_t m, uint32_t pc, frame *f);
bool threads_regroup(core *c, warp *w);
/* After a jump of the whole group: is it still the first? */
bool threads_stay(core *c, warp *w);
/* Another group gets a turn out of order; false: no other can. */
bool threads_rotate(core *c, warp *w);
uint32_t threads_running(const warp *w);

/* At a jump backwards: is this a loop without end unless memory changes? */
bool spin_seen(core *c, warp *w);
uint64_t spin_version(const core *c, const warp *w);
/* Those of these lanes that were seen to spin, with memory as it still is. */
uint32_t spin_known(const core *c, const warp *w, uint32_t m);
/* Are all lanes that can run known to spin? */
bool spin_all(const core *c, const warp *w);

/* Lanes of m come to a barrier; w->pc is past it for those that wait. */
bool barrier_arrive(core *c, warp *w, const op *o, uint32_t m);
/* Threads have exited, which may be all that a barrier waits for. */
void barrier_exited(core *c, block *b);

#endif
