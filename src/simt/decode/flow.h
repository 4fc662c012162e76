/* Control flow between the ops of a function, and what may depend on other threads. */
#ifndef SIMT_DECODE_FLOW_H
#define SIMT_DECODE_FLOW_H

#include "simt/run/machine.h"

static inline bool flow_ends(const op *o)
{
    return o->kind == OP_EXIT || o->kind == OP_RETURN || o->kind == OP_TRAP;
}

static inline bool flow_is_guarded(const op *o)
{
    return !(o->guard & 1);
}

/* Who is here has nothing left to do. */
static inline bool flow_is_exit(const op *o)
{
    return o->kind == OP_EXIT && !flow_is_guarded(o);
}

/* The k-th op that may come after op n of the module, in the same function: targets, then the one below. NO_PC after
 * the last. */
static inline uint32_t flow_next(const op *ops, uint32_t n, uint32_t k)
{
    const op *o = &ops[n];
    uint32_t targets = o->kind == OP_BRANCH ? 1 : o->kind == OP_TABLE_BRANCH ? (uint32_t)o->imm : 0;
    if (k < targets)
        return o->kind == OP_BRANCH ? o->target : o->more[k];
    bool falls = (!targets && !flow_ends(o)) || flow_is_guarded(o);
    return falls && k == targets ? n + 1 : NO_PC;
}

/* An access that looks at memory itself, since other threads may have written there. */
bool flow_is_strong(const ptx_instruction *in);

#endif
