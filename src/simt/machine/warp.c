/* The loop over the instructions of a warp, and its control flow: branches, calls, exits, exchanges and barriers. */
#include "simt/machine/warp.h"

#include "base/integers.h"
#include "simt/cost/cost_model.h"
#include "simt/machine/barrier.h"
#include "simt/machine/calls.h"
#include "simt/machine/machine.h"
#include "simt/machine/reconvergence_stack.h"
#include "simt/machine/special_registers.h"
#include "simt/machine/spin.h"
#include "simt/machine/thread_scheduling.h"
#include "simt/races/synchronization.h"

#define MAX_LOOP_TURN 20000 /* instructions in a loop that may wait for others, before another group gets a turn */

typedef enum { GO_ON, PAUSE, NONE_RUNS, FAIL, SPINNING } step;

static bool is_stack(const core *c)
{
    return c->machine->options->model == GCAST_SIMT_STACK;
}

static bool is_diverged(const warp *w)
{
    return w->active != warp_live(w);
}

/* After lanes have moved: chooses the group that runs next. */
static step regroup(core *c, warp *w)
{
    return threads_regroup(c, w) ? GO_ON : NONE_RUNS;
}

static step after_jump(core *c, warp *w)
{
    if (!is_diverged(w) || threads_stay(c, w))
        return GO_ON;
    threads_set(w, w->active, w->pc, w->frame);
    return regroup(c, w);
}

/* After a jump backwards: another group may be due, or the loop may spin. */
static step after_backward_jump(core *c, warp *w)
{
    bool spins = spin_seen(c, w);
    if (is_stack(c))
        return spins ? SPINNING : GO_ON;
    if (spins) {
        threads_set(w, w->active, w->pc, w->frame);
        w->out_of_order = false;
        return !spin_all(c, w) && threads_regroup(c, w) ? GO_ON : SPINNING;
    }
    bool may_wait = w->stop_pc != NO_PC && c->machine->program->op[w->pc].may_wait;
    if (may_wait && w->instructions - w->turn_start >= MAX_LOOP_TURN) {
        threads_set(w, w->active, w->pc, w->frame);
        threads_rotate(c, w);
    }
    return GO_ON;
}

static step branch(core *c, warp *w, const op *o, uint32_t taken)
{
    uint32_t branch_pc = w->pc;
    if (taken == 0) {
        w->pc++;
        return GO_ON;
    }
    if (taken == w->active) {
        w->pc = o->target;
    } else {
        c->counts[w->pc].divergent++;
        if (is_stack(c))
            return stack_diverge(c, w, o, taken) ? GO_ON : c->status != GCAST_OK ? FAIL : NONE_RUNS;
        threads_set(w, taken, o->target, w->frame);
        threads_set(w, w->active & ~taken, w->pc + 1, w->frame);
        w->active = o->target <= branch_pc ? taken : w->active & ~taken;
        step s = regroup(c, w);
        return s == GO_ON && o->target <= branch_pc && w->pc == o->target ? after_backward_jump(c, w) : s;
    }
    step s = is_stack(c) ? GO_ON : after_jump(c, w);
    if (s == GO_ON && o->target <= branch_pc && w->pc == o->target)
        return after_backward_jump(c, w);
    return s;
}

/* brx.idx branches to each target that lanes take. */
static step table_branch(core *c, warp *w, const op *o, uint32_t m)
{
    const u32 *index = row(&w->frame->rows, o->a);
    EACH_SET(i, m)
    if (index[i] >= (uint64_t)o->imm) {
        machine_fail(c, w, o, (int)i, "branches to target %u of %lld", index[i], (long long)o->imm);
        return FAIL;
    }
    uint32_t rest = w->active & ~m, at = w->pc;
    frame *f = w->frame;
    if (m && !rest) {
        uint32_t same = 0, target = o->list[index[__builtin_ctz(m)]];
        EACH_SET(i, m) same |= (uint32_t)(o->list[index[i]] == target) << i;
        if (same == m) {
            w->pc = target;
            step s = is_stack(c) ? GO_ON : after_jump(c, w);
            return s == GO_ON && target <= at && w->pc == target ? after_backward_jump(c, w) : s;
        }
    }
    c->counts[at].divergent += m != 0;
    if (!is_stack(c)) {
        threads_set(w, rest, at + 1, f);
        EACH_SET(i, m) threads_set(w, 1u << i, o->list[index[i]], f);
        return regroup(c, w);
    }
    w->stack[w->stack_top - 1].pc = o->reconverge;
    bool ok = !rest || stack_push(c, w, (stack_entry){at + 1, rest, o->reconverge, f, false});
    while (ok && m) {
        uint32_t target = o->list[index[__builtin_ctz(m)]], set = 0;
        EACH_SET(i, m) set |= (uint32_t)(o->list[index[i]] == target) << i;
        ok = stack_push(c, w, (stack_entry){target, set, o->reconverge, f, false});
        m &= ~set;
    }
    w->pc = w->stack[w->stack_top - 1].pc;
    return !ok ? FAIL : stack_next(c, w) ? GO_ON : NONE_RUNS;
}

static step run_call(core *c, warp *w, const op *o, uint32_t m)
{
    if (o->call->function < CALL_INDIRECT) {
        bool ok = calls_run_built_in(c, w, o, m);
        w->pc++;
        return ok ? GO_ON : FAIL;
    }
    if (!m) {
        w->pc++;
        return GO_ON;
    }
    if (is_stack(c))
        return stack_call(c, w, o, m) ? GO_ON : FAIL;
    uint32_t rest = w->active & ~m, return_pc = w->pc + 1;
    threads_set(w, rest, return_pc, w->frame);
    while (m) {
        int32_t function;
        uint32_t set = calls_target(c, w, o, m, &function);
        frame *f = set ? calls_enter(c, w, o, set, (uint32_t)function, return_pc) : NULL;
        if (!f)
            return FAIL;
        threads_set(w, set, c->machine->program->function[function].first, f);
        m &= ~set;
    }
    return regroup(c, w);
}

static step run_return(core *c, warp *w, uint32_t m)
{
    if (is_stack(c)) {
        stack_return(c, w, m);
        return stack_next(c, w) ? GO_ON : NONE_RUNS;
    }
    threads_set(w, w->active & ~m, w->pc + 1, w->frame);
    EACH_SET(i, m)
    {
        w->lane_pc[i] = w->frame->return_pc[i];
        w->lane_frame[i] = w->frame->caller[i];
    }
    calls_leave(c, w, m);
    return regroup(c, w);
}

static step run_exit(core *c, warp *w, uint32_t m)
{
    w->exited |= m;
    if (m && w->block->races)
        races_exit(c, w, &c->machine->program->op[w->pc], m);
    w->block->live_threads -= (uint32_t)__builtin_popcount(m);
    if (m)
        barrier_exited(c, w->block);
    if (is_stack(c)) {
        stack_exit(w, m);
        return stack_next(c, w) ? GO_ON : NONE_RUNS;
    }
    threads_set(w, w->active & ~m, w->pc + 1, w->frame);
    w->active &= ~m;
    return regroup(c, w);
}

/* Lanes whose member mask is complete run the op; the others wait. */
static step run_sync(core *c, warp *w, const op *o, uint32_t m)
{
    const u32 *members = row(&w->frame->rows, o->e);
    uint32_t live = warp_live(w), done = 0;
    for (uint32_t rest = m; rest;) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), mask = members[lane], set = 0;
        EACH_SET(i, rest) set |= (uint32_t)(members[i] == mask) << i;
        if (!(mask >> lane & 1)) {
            machine_fail(c, w, o, (int)lane, "is not in the member mask 0x%08x it names", mask);
            return FAIL;
        }
        uint32_t missing = mask & live & ~set;
        if (missing && is_stack(c)) {
            machine_fail(c, w, o, (int)lane,
                         "waits with member mask 0x%08x for lanes 0x%08x, which are on another path", mask, missing);
            return FAIL;
        }
        if (!missing) {
            if (o->run.sync)
                o->run.sync(c, w, o, set);
            if (w->block->races)
                races_warp_sync(c, w, o, set);
            done |= set;
        } else {
            EACH_SET(i, set) w->wait_mask[i] = mask;
        }
        rest &= ~set;
    }
    uint32_t waiting = m & ~done;
    if (!waiting) {
        w->pc++;
        return GO_ON;
    }
    threads_set(w, w->active & ~waiting, w->pc + 1, w->frame);
    bool at_any_pc = o->run.sync == NULL; /* bar.warp.sync */
    threads_set(w, waiting, w->pc + at_any_pc, w->frame);
    w->waiting[at_any_pc ? WAIT_WARP : WAIT_SYNC] |= waiting;
    return regroup(c, w);
}

static step run_sleep(core *c, warp *w, const op *o, uint32_t m)
{
    const u32 *ns = row(&w->frame->rows, o->a);
    uint64_t longest = 0;
    EACH_SET(i, m) longest = max_u64(longest, ns[i]);
    w->block->sleep_ns += longest / w->block->warps + (longest != 0);
    w->pc++;
    if (!is_stack(c) && is_diverged(w)) {
        threads_set(w, w->active, w->pc, w->frame);
        threads_rotate(c, w);
    }
    return PAUSE;
}

static step run_barrier(core *c, warp *w, const op *o, uint32_t m)
{
    if (!m) {
        w->pc++;
        return GO_ON;
    }
    if (!barrier_arrive(c, w, o, m))
        return FAIL;
    if (is_stack(c))
        return w->at_barrier ? NONE_RUNS : GO_ON;
    return regroup(c, w);
}

static step run_control(core *c, warp *w, const op *o, uint32_t m)
{
    switch ((op_kind)o->kind) {
    case OP_BRANCH:
        return branch(c, w, o, m);
    case OP_TABLE_BRANCH:
        return table_branch(c, w, o, m);
    case OP_CALL:
        return run_call(c, w, o, m);
    case OP_RETURN:
        return run_return(c, w, m);
    case OP_EXIT:
        return run_exit(c, w, m);
    case OP_SYNC:
        return run_sync(c, w, o, m);
    case OP_BARRIER:
        return run_barrier(c, w, o, m);
    case OP_SLEEP:
        return run_sleep(c, w, o, m);
    case OP_TRAP:
        if (m) {
            machine_fail(c, w, o, __builtin_ctz(m), o->variant ? "comes to a breakpoint" : "traps");
            return FAIL;
        }
        w->pc++;
        return GO_ON;
    default:
        if (w->block->races)
            races_fence(c, w, o, m);
        w->pc++;
        return GO_ON;
    }
}

/* Records the active mask of an instruction if the options ask for it. */
static void record_mask(core *c, const warp *w, const op *o)
{
    const gcast_simt_options *x = c->machine->options;
    if (c->masks < x->max_masks && w->block->number == x->masks_of_block && w->number == x->masks_of_warp)
        c->mask[c->masks++] = (gcast_simt_mask){(uint32_t)o->line, o->source_line, w->active, w->returned};
}

/* Tells the cost model and records masks before an instruction; false: other warps issue first. */
static bool observe(core *c, warp *w, const op *o, uint32_t m)
{
    if (w->block->cost && !cost_step(c, w, o, m))
        return false;
    if (c->mask)
        record_mask(c, w, o);
    return true;
}

/* Counts idle lanes by reason. */
static void count_idle(const warp *w, op_counts *k, uint32_t active)
{
    uint32_t threads = (uint32_t)__builtin_popcount(w->threads);
    k->lost_divergence += threads - w->returned_count - active;
    k->lost_return += w->returned_count;
    k->lost_block += LANES - threads;
}

static warp_state state_of(core *c, warp *w, step s)
{
    if (s == FAIL)
        return WARP_FAILED;
    if (s == PAUSE)
        return WARP_PAUSED;
    if (s == SPINNING)
        return WARP_SPINS;
    if (!warp_live(w))
        return WARP_DONE;
    if (is_stack(c))
        return WARP_BLOCKED;
    return w->waiting[WAIT_BARRIER] & ~w->exited ? WARP_BLOCKED : WARP_STUCK;
}

warp_state warp_run(core *c, warp *w, uint64_t budget)
{
    const op *ops = c->machine->program->op;
    op_counts *counts = c->counts;
    uint64_t end = w->instructions + budget, start = w->instructions;
    bool observed = c->mask != NULL || w->block->cost != NULL;
    step s = GO_ON;
    if (is_stack(c) ? w->at_barrier : !threads_regroup(c, w))
        return state_of(c, w, NONE_RUNS);
    if (spin_all(c, w))
        return WARP_SPINS;
    while (s == GO_ON) {
        if (w->pc == w->stop_pc) {
            if (!is_stack(c))
                threads_set(w, w->active, w->pc, w->frame);
            if (!(is_stack(c) ? stack_next(c, w) : threads_regroup(c, w))) {
                s = NONE_RUNS;
                break;
            }
        }
        const op *o = &ops[w->pc];
        uint32_t m = w->active & (*(const u32 *)row(&w->frame->rows, o->guard) ^ o->guard_flip);
        if (!o->hidden) {
            if (observed && !observe(c, w, o, m)) {
                s = PAUSE;
                break;
            }
            op_counts *k = &counts[w->pc];
            uint32_t active = (uint32_t)__builtin_popcount(w->active);
            k->instructions++;
            k->thread_instructions += active;
            if (active < LANES)
                count_idle(w, k, active);
            w->instructions++;
        }
        if (o->kind == OP_LANES) {
            if (m)
                o->run.lanes(o, &w->frame->rows, m);
            w->pc++;
        } else if (o->kind == OP_MEMORY) {
            if (m && !o->run.memory(c, w, o, m))
                s = FAIL;
            w->pc++;
        } else if (o->kind == OP_SPECIAL) {
            w->block->instructions += w->instructions - start;
            start = w->instructions;
            special_read(c, w, o, m);
            w->pc++;
        } else {
            w->block->instructions += w->instructions - start;
            start = w->instructions;
            s = run_control(c, w, o, m);
            if (s == GO_ON && w->instructions >= end)
                s = PAUSE;
        }
    }
    w->block->instructions += w->instructions - start;
    if (!is_stack(c) && s != FAIL && w->active)
        threads_set(w, w->active, w->pc, w->frame);
    return state_of(c, w, s);
}
