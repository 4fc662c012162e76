/* Before Volta: one program counter per warp, and a stack of masks. A branch that goes both ways pushes an entry for
 * each path. The paths run one after the other up to the immediate post-dominator of the branch, where the entry below
 * goes on with the lanes of both. A call has an entry of its own. */
#include "simt/machine/reconvergence_stack.h"

#include "simt/machine/calls.h"
#include "simt/machine/machine.h"
#include "simt/program/op.h"

#define MAX_STACK_ENTRIES 65536

static void load_top(const core *c, warp *w)
{
    const stack_entry *e = &w->stack[w->stack_top - 1];
    uint32_t covered = w->active = e->mask, live = warp_live(w), at_exit = 0;
    w->pc = e->pc;
    w->frame = e->frame;
    w->stop_pc = e->reconverge;
    while (covered != live && e > w->stack) {
        uint32_t rest = (--e)->mask & ~covered;
        if (rest && e->pc != NO_PC && flow_is_exit(&c->machine->program->op[e->pc]))
            at_exit |= rest;
        covered |= rest;
    }
    warp_set_returned(w, at_exit);
}

static void save_pc(warp *w)
{
    w->stack[w->stack_top - 1].pc = w->pc;
}

bool stack_push(core *c, warp *w, stack_entry e)
{
    if (w->stack_top == MAX_STACK_ENTRIES)
        return machine_fail(c, w, NULL, -1, "a warp diverges more than %d times without joining", MAX_STACK_ENTRIES);
    if (!vec_grow(&w->stack, &w->stack_cap, w->stack_top + 1, sizeof *w->stack)) {
        c->status = gcast_error_set_memory(c->err);
        return false;
    }
    w->stack[w->stack_top++] = e;
    return true;
}

bool stack_start(core *c, warp *w)
{
    w->stack_top = 0;
    if (!stack_push(c, w, (stack_entry){w->pc, w->threads, NO_PC, w->frame, false}))
        return false;
    load_top(c, w);
    return true;
}

bool stack_next(core *c, warp *w)
{
    if (w->stack_top)
        save_pc(w);
    while (w->stack_top) {
        const stack_entry *e = &w->stack[w->stack_top - 1];
        if (e->mask && (e->pc != e->reconverge || e->reconverge == NO_PC))
            break;
        w->stack_top--;
    }
    if (!w->stack_top) {
        w->active = 0;
        return false;
    }
    load_top(c, w);
    return true;
}

bool stack_diverge(core *c, warp *w, const op *o, uint32_t taken)
{
    uint32_t next = w->pc + 1, not_taken = w->active & ~taken;
    w->pc = o->reconverge;
    save_pc(w);
    bool ok = stack_push(c, w, (stack_entry){next, not_taken, o->reconverge, w->frame, false}) &&
              stack_push(c, w, (stack_entry){o->target, taken, o->reconverge, w->frame, false});
    load_top(c, w);
    return ok && stack_next(c, w);
}

bool stack_call(core *c, warp *w, const op *o, uint32_t m)
{
    uint32_t return_pc = w->pc + 1;
    w->pc = return_pc;
    save_pc(w);
    while (m) {
        int32_t function;
        uint32_t set = calls_target(c, w, o, m, &function);
        if (!set)
            return false;
        frame *f = calls_enter(c, w, o, set, (uint32_t)function, return_pc);
        uint32_t entry = c->machine->program->function[function].first;
        if (!f || !stack_push(c, w, (stack_entry){entry, set, NO_PC, f, true}))
            return false;
        m &= ~set;
    }
    load_top(c, w);
    return true;
}

/* Removes the lanes from the entries of this call. The entries of the caller are below. */
void stack_return(core *c, warp *w, uint32_t m)
{
    calls_leave(c, w, m);
    w->pc++;
    save_pc(w);
    for (uint32_t i = w->stack_top; i-- > 0;) {
        w->stack[i].mask &= ~m;
        if (w->stack[i].is_call)
            break;
    }
    w->active &= ~m;
}

void stack_exit(warp *w, uint32_t m)
{
    for (uint32_t i = 0; i < w->stack_top; i++)
        w->stack[i].mask &= ~m;
    w->active &= ~m;
    w->pc++;
}
