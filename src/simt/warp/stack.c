/* Before Volta: one program counter a warp, and a stack of masks. A branch that
 * goes both ways pushes its paths; they run one after the other up to the
 * branch's immediate post-dominator, where the entry below goes on with all of
 * them. A call is an entry of its own. */
#include "simt/decode/flow.h"
#include "simt/memory/memory.h"
#include "simt/warp/calls.h"
#include "simt/warp/warp.h"

#define MOST_ENTRIES 65536

static void load(const core *c, warp *w)
{
    const stack_entry *e = &w->stack[w->stack_top - 1];
    uint32_t told = w->active = e->mask, live = w->threads & ~w->exited, at_exit = 0;
    w->pc = e->pc;
    w->frame = e->frame;
    w->stop = e->join;
    while (told != live && e > w->stack) {
        uint32_t rest = (--e)->mask & ~told;
        if (rest && e->pc != NO_PC && flow_is_exit(&c->machine->program->op[e->pc]))
            at_exit |= rest;
        told |= rest;
    }
    warp_returned(w, at_exit);
}

static void save(warp *w)
{
    w->stack[w->stack_top - 1].pc = w->pc;
}

bool stack_push(core *c, warp *w, stack_entry e)
{
    if (w->stack_top == MOST_ENTRIES)
        return machine_fail(c, w, NULL, -1, "a warp diverges more than %d times without joining", MOST_ENTRIES);
    if (!vec_grow((void **)&w->stack, &w->stack_cap, w->stack_top + 1, sizeof *w->stack)) {
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
    load(c, w);
    return true;
}

/* Entries that have joined or lost all lanes go. */
bool stack_next(core *c, warp *w)
{
    if (w->stack_top)
        save(w);
    while (w->stack_top) {
        const stack_entry *e = &w->stack[w->stack_top - 1];
        if (e->mask && (e->pc != e->join || e->join == NO_PC))
            break;
        w->stack_top--;
    }
    if (!w->stack_top) {
        w->active = 0;
        return false;
    }
    load(c, w);
    return true;
}

bool stack_diverge(core *c, warp *w, const op *o, uint32_t taken)
{
    uint32_t next = w->pc + 1, fall = w->active & ~taken;
    w->pc = o->join;
    save(w);
    bool ok = stack_push(c, w, (stack_entry){next, fall, o->join, w->frame, false}) &&
              stack_push(c, w, (stack_entry){o->target, taken, o->join, w->frame, false});
    load(c, w);
    return ok && stack_next(c, w);
}

bool stack_call(core *c, warp *w, const op *o, uint32_t m)
{
    uint32_t back = w->pc + 1;
    w->pc = back;
    save(w);
    while (m) {
        int32_t function;
        uint32_t set = calls_target(c, w, o, m, &function);
        if (!set)
            return false;
        frame *f = calls_enter(c, w, o, set, (uint32_t)function, back);
        uint32_t entry = c->machine->program->function[function].first;
        if (!f || !stack_push(c, w, (stack_entry){entry, set, NO_PC, f, true}))
            return false;
        m &= ~set;
    }
    load(c, w);
    return true;
}

/* From the entries of this call; its caller's are below. */
void stack_return(core *c, warp *w, uint32_t m)
{
    calls_leave(c, w, m);
    w->pc++;
    save(w);
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
