/* Control flow between the ops of a function. */
#ifndef SIMT_PROGRAM_FLOW_H
#define SIMT_PROGRAM_FLOW_H

#include "simt/program/op.h"

static inline bool flow_ends(const op *o)
{
    return o->kind == OP_EXIT || o->kind == OP_RETURN || o->kind == OP_TRAP;
}

static inline bool flow_is_guarded(const op *o)
{
    return !(o->guard & 1);
}

/* Does a thread that is here exit next? */
static inline bool flow_is_exit(const op *o)
{
    return o->kind == OP_EXIT && !flow_is_guarded(o);
}

/* The k-th successor of op n in its function: the targets of a branch, then the op below. NO_PC after the last. */
static inline uint32_t flow_next(const op *ops, uint32_t n, uint32_t k)
{
    const op *o = &ops[n];
    uint32_t targets = o->kind == OP_BRANCH ? 1 : o->kind == OP_TABLE_BRANCH ? (uint32_t)o->imm : 0;
    if (k < targets)
        return o->kind == OP_BRANCH ? o->target : o->list[k];
    bool falls = (!targets && !flow_ends(o)) || flow_is_guarded(o);
    return falls && k == targets ? n + 1 : NO_PC;
}

/* Is it an access that must see what other threads have written: volatile, relaxed, acquire ...? */
bool flow_is_strong(const ptx_instruction *in);

#endif
