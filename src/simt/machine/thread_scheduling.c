/* Since Volta: one program counter per thread. Lanes at the same pc in the same call run as a group. Of several groups
 * the one that is deepest in calls runs first, then the one whose pc has the lowest rank. The post-dominator of a
 * branch has a higher rank than all ops between, so lanes that reach it wait there for the others, and reconverge. A
 * group that only spins lets the others run until memory changes, and a group that has not run for long gets a turn
 * out of order, so that every thread makes progress. */
#include "simt/machine/thread_scheduling.h"

#include "simt/machine/spin.h"
#include "simt/program/op.h"
#include "simt/races/synchronization.h"

#define TURN_LENGTH 20000   /* instructions of a turn out of order */
#define MAX_SKIPPED 1000000 /* instructions after which a group that does not run gets a turn out of order */

void threads_set(warp *w, uint32_t m, uint32_t pc, frame *f)
{
    EACH_SET(i, m)
    {
        w->lane_pc[i] = pc;
        w->lane_frame[i] = f;
    }
}

void threads_start(warp *w)
{
    for (int i = 0; i < LANES; i++)
        w->lane_spin_version[i] = w->lane_last_turn[i] = 0;
    w->ever_spun = 0;
    for (int k = 0; k < WAIT_KINDS; k++)
        w->waiting[k] = 0;
    threads_set(w, w->threads, w->pc, w->frame);
    w->waits_together = false;
    w->active = w->threads;
    warp_set_returned(w, 0);
    w->next_group_pc = w->stop_pc = NO_PC;
    w->next_group_rank = 0;
    w->turn_count = 0;
    w->out_of_order = false;
}

/* The lanes of `among` at the same pc and in the same call as `lane`. */
static uint32_t group_of(const warp *w, uint32_t among, uint32_t lane)
{
    uint32_t m = 0;
    EACH_SET(i, among)
    m |= (uint32_t)(w->lane_pc[i] == w->lane_pc[lane] && w->lane_frame[i] == w->lane_frame[lane]) << i;
    return m;
}

/* Releases lanes whose member masks are complete. All lanes must be at one op, except for bar.warp.sync. */
static void release(core *c, warp *w)
{
    uint32_t sync = w->waiting[WAIT_SYNC] & warp_live(w), warp_sync = w->waiting[WAIT_WARP] & warp_live(w);
    for (uint32_t left = sync | warp_sync; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), members = w->wait_mask[lane] & warp_live(w), arrived = 0;
        if (sync >> lane & 1)
            arrived = group_of(w, sync, lane);
        else
            arrived = warp_sync;
        EACH_SET(i, arrived) if (w->wait_mask[i] != w->wait_mask[lane]) arrived &= ~(1u << i);
        if (members & ~arrived)
            continue;
        if (w->block->races && warp_sync >> lane & 1)
            races_warp_sync(c, w, &c->machine->program->op[w->lane_pc[lane] - 1], members);
        w->waiting[WAIT_SYNC] = sync &= ~members;
        w->waiting[WAIT_WARP] = warp_sync &= ~members;
        left &= ~members | 1u << lane;
    }
}

/* Does lane a run before lane b? Functions at the same depth run in the order of their numbers. */
static bool is_before(const op *ops, const warp *w, uint32_t a, uint32_t b)
{
    const frame *f = w->lane_frame[a], *g = w->lane_frame[b];
    if (f == g)
        return ops[w->lane_pc[a]].rank < ops[w->lane_pc[b]].rank;
    return f->depth != g->depth ? f->depth > g->depth : f->function < g->function;
}

static uint32_t first_lane(const op *ops, const warp *w, uint32_t among)
{
    uint32_t best = (uint32_t)__builtin_ctz(among);
    EACH_SET(i, among)
    if ((w->lane_pc[i] != w->lane_pc[best] || w->lane_frame[i] != w->lane_frame[best]) && is_before(ops, w, i, best))
        best = i;
    return best;
}

/* Sets how far the group can run from w->pc on before it must compare itself with others. Up to there ranks fall or
 * rise by one, so the first other group that it meets is at next_group_pc. */
static void set_stop(const op *ops, warp *w)
{
    uint32_t end = w->pc + ops[w->pc].run_length;
    w->stop_pc = w->next_group_pc > w->pc && w->next_group_pc < end ? w->next_group_pc : end;
}

bool threads_stay(core *c, warp *w)
{
    const op *ops = c->machine->program->op;
    if (ops[w->pc].rank >= w->next_group_rank || w->instructions - w->turn_start >= MAX_SKIPPED)
        return false;
    set_stop(ops, w);
    return true;
}

static void run_group(const op *ops, warp *w, uint32_t runnable, uint32_t lane)
{
    uint32_t group = group_of(w, runnable, lane);
    w->pc = w->lane_pc[lane];
    w->frame = w->lane_frame[lane];
    if (group != w->active) {
        w->back_jumps = w->watch_until = 0;
        w->turn_count++;
        EACH_SET(i, group) w->lane_last_turn[i] = w->turn_count;
    }
    w->active = group;
    w->next_group_rank = 0;
    w->next_group_pc = w->stop_pc = NO_PC;
    uint32_t at_exit = 0;
    EACH_SET(i, runnable & ~group) at_exit |= (uint32_t)flow_is_exit(&ops[w->lane_pc[i]]) << i;
    warp_set_returned(w, at_exit);
    if (runnable == group) {
        w->turn_start = w->instructions;
        return;
    }
    EACH_SET(i, runnable & ~group)
    if (w->lane_frame[i] == w->frame && w->lane_pc[i] > w->pc && w->lane_pc[i] < w->next_group_pc)
        w->next_group_pc = w->lane_pc[i];
    set_stop(ops, w);
}

/* Finds the next group in the same call. The active group runs on while its rank is lower. */
static void find_next(const op *ops, warp *w, uint32_t candidates)
{
    w->next_group_rank = UINT32_MAX;
    EACH_SET(i, candidates)
    if (w->lane_frame[i] == w->frame && ops[w->lane_pc[i]].rank < w->next_group_rank) {
        w->next_group_pc = w->lane_pc[i];
        w->next_group_rank = ops[w->next_group_pc].rank;
    }
    set_stop(ops, w);
}

bool threads_regroup(core *c, warp *w)
{
    const op *ops = c->machine->program->op;
    if (w->waits_together && !w->waiting[WAIT_BARRIER]) {
        w->waits_together = false;
        w->active = warp_live(w);
        warp_set_returned(w, 0);
        w->next_group_pc = w->stop_pc = NO_PC;
        w->turn_start = w->instructions;
        return w->active != 0;
    }
    release(c, w);
    uint32_t runnable = warp_runnable(w), running = w->active & runnable;
    if (!runnable) {
        w->active = 0;
        return false;
    }
    if (w->out_of_order && running && w->instructions - w->turn_start < TURN_LENGTH) {
        run_group(ops, w, runnable, (uint32_t)__builtin_ctz(running));
        return true;
    }
    if (w->out_of_order)
        w->turn_start = w->instructions;
    w->out_of_order = false;
    if (w->instructions - w->turn_start >= MAX_SKIPPED && threads_rotate(c, w))
        return true;
    uint32_t spinning = spin_known(c, w, runnable);
    run_group(ops, w, runnable, first_lane(ops, w, spinning == runnable ? runnable : runnable & ~spinning));
    if (!spinning && w->stop_pc != NO_PC)
        find_next(ops, w, runnable & ~w->active);
    return true;
}

bool threads_rotate(core *c, warp *w)
{
    uint32_t candidates = warp_runnable(w) & ~w->active;
    candidates &= ~spin_known(c, w, candidates);
    if (!candidates)
        return false;
    uint32_t oldest = (uint32_t)__builtin_ctz(candidates);
    EACH_SET(i, candidates) if (w->lane_last_turn[i] < w->lane_last_turn[oldest]) oldest = i;
    w->out_of_order = true;
    w->turn_start = w->instructions;
    run_group(c->machine->program->op, w, warp_runnable(w), oldest);
    return true;
}
