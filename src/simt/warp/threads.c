/* Since Volta: a program counter a thread. Lanes at the same place in the same
 * call run together. Of several groups the deepest in calls runs, then the one
 * whose place has the lowest rank: what post-dominates a branch comes after all
 * that lies between, so those who are there wait for the others and join. But
 * who only spins lets others pass until memory changes, and who was passed over
 * for long gets a turn, so that every thread gets on. */
#include "simt/decode/flow.h"
#include "simt/races/races.h"
#include "simt/warp/warp.h"

#define TURN 20000       /* instructions of a turn out of order */
#define PATIENCE 1000000 /* instructions for which a group is passed over */

static uint32_t live(const warp *w)
{
    return w->threads & ~w->exited;
}

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
    for (int i = 0; i < LANES; i++) {
        w->lane_spin[i] = w->lane_turn[i] = 0;
    }
    w->spun = 0;
    for (int k = 0; k < WAITS; k++)
        w->waits[k] = 0;
    threads_set(w, w->threads, w->pc, w->frame);
    w->together = false;
    w->active = w->threads;
    warp_returned(w, 0);
    w->next_pc = w->stop = NO_PC;
    w->next_rank = 0;
    w->turn = 0;
    w->favoured = false;
}

uint32_t threads_running(const warp *w)
{
    return live(w) & ~(w->waits[WAIT_SYNC] | w->waits[WAIT_WARP] | w->waits[WAIT_BARRIER]);
}

/* Lanes at the place of lane `of`. */
static uint32_t beside(const warp *w, uint32_t among, uint32_t of)
{
    uint32_t m = 0;
    EACH_SET(i, among)
    m |= (uint32_t)(w->lane_pc[i] == w->lane_pc[of] && w->lane_frame[i] == w->lane_frame[of]) << i;
    return m;
}

/* Lanes whose member masks are complete may run: shfl and such in one place, bar.warp.sync anywhere. */
static void release(core *c, warp *w)
{
    uint32_t sync = w->waits[WAIT_SYNC] & live(w), warp_sync = w->waits[WAIT_WARP] & live(w);
    for (uint32_t left = sync | warp_sync; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), need = w->wait_mask[lane] & live(w), here = 0;
        if (sync >> lane & 1)
            here = beside(w, sync, lane);
        else
            here = warp_sync;
        EACH_SET(i, here) if (w->wait_mask[i] != w->wait_mask[lane]) here &= ~(1u << i);
        if (need & ~here)
            continue;
        if (w->block->races && warp_sync >> lane & 1)
            races_warp_sync(c, w, &c->machine->program->op[w->lane_pc[lane] - 1], need);
        w->waits[WAIT_SYNC] = sync &= ~need;
        w->waits[WAIT_WARP] = warp_sync &= ~need;
        left &= ~need | 1u << lane;
    }
}

/* Does lane a go before lane b? Functions of the same depth go in their order. */
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

/* Up to where the group can go on from w->pc before it must look for others. Ranks rise by one up to there or fall, so
 * it comes to no other before the one at `next_pc`. */
static void set_stop(const op *ops, warp *w)
{
    uint32_t end = w->pc + ops[w->pc].ahead;
    w->stop = w->next_pc > w->pc && w->next_pc < end ? w->next_pc : end;
}

bool threads_stay(core *c, warp *w)
{
    const op *ops = c->machine->program->op;
    if (ops[w->pc].rank >= w->next_rank || w->instructions - w->turn_start >= PATIENCE)
        return false;
    set_stop(ops, w);
    return true;
}

static void choose(const op *ops, warp *w, uint32_t runs, uint32_t lane)
{
    uint32_t group = beside(w, runs, lane);
    w->pc = w->lane_pc[lane];
    w->frame = w->lane_frame[lane];
    if (group != w->active) {
        w->backs = w->watch_until = 0;
        w->turn++;
        EACH_SET(i, group) w->lane_turn[i] = w->turn;
    }
    w->active = group;
    w->next_rank = 0;
    w->next_pc = w->stop = NO_PC;
    uint32_t at_exit = 0;
    EACH_SET(i, runs & ~group) at_exit |= (uint32_t)flow_is_exit(&ops[w->lane_pc[i]]) << i;
    warp_returned(w, at_exit);
    if (runs == group) {
        w->turn_start = w->instructions;
        return;
    }
    EACH_SET(i, runs & ~group)
    if (w->lane_frame[i] == w->frame && w->lane_pc[i] > w->pc && w->lane_pc[i] < w->next_pc)
        w->next_pc = w->lane_pc[i];
    set_stop(ops, w);
}

/* The first of those in the same call that come after this group; the group may go on while it is before them. */
static void find_next(const op *ops, warp *w, uint32_t others)
{
    w->next_rank = UINT32_MAX;
    EACH_SET(i, others)
    if (w->lane_frame[i] == w->frame && ops[w->lane_pc[i]].rank < w->next_rank) {
        w->next_pc = w->lane_pc[i];
        w->next_rank = ops[w->next_pc].rank;
    }
    set_stop(ops, w);
}

bool threads_regroup(core *c, warp *w)
{
    const op *ops = c->machine->program->op;
    if (w->together && !w->waits[WAIT_BARRIER]) {
        w->together = false;
        w->active = live(w);
        warp_returned(w, 0);
        w->next_pc = w->stop = NO_PC;
        w->turn_start = w->instructions;
        return w->active != 0;
    }
    release(c, w);
    uint32_t runs = threads_running(w), now = w->active & runs;
    if (!runs) {
        w->active = 0;
        return false;
    }
    if (w->favoured && now && w->instructions - w->turn_start < TURN) {
        choose(ops, w, runs, (uint32_t)__builtin_ctz(now));
        return true;
    }
    if (w->favoured)
        w->turn_start = w->instructions;
    w->favoured = false;
    if (w->instructions - w->turn_start >= PATIENCE && threads_rotate(c, w))
        return true;
    uint32_t spinning = spin_known(c, w, runs);
    choose(ops, w, runs, first_lane(ops, w, spinning == runs ? runs : runs & ~spinning));
    if (!spinning && w->stop != NO_PC)
        find_next(ops, w, runs & ~w->active);
    return true;
}

bool threads_rotate(core *c, warp *w)
{
    uint32_t others = threads_running(w) & ~w->active;
    others &= ~spin_known(c, w, others);
    if (!others)
        return false;
    uint32_t oldest = (uint32_t)__builtin_ctz(others);
    EACH_SET(i, others) if (w->lane_turn[i] < w->lane_turn[oldest]) oldest = i;
    w->favoured = true;
    w->turn_start = w->instructions;
    choose(c->machine->program->op, w, threads_running(w), oldest);
    return true;
}
