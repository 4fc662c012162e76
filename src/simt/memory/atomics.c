/* Atomics: the lanes of a warp run one after the other, the lowest first. op.target is the ptx_type of the values. */
#include <string.h>

#include "ptx/ptx.h"
#include "simt/float/arithmetic.h"
#include "simt/float/float.h"
#include "simt/isa/decoder.h"
#include "simt/isa/operands.h"
#include "simt/machine/machine.h"
#include "simt/memory/access_counts.h"
#include "simt/memory/block_conflicts.h"
#include "simt/memory/memory.h"
#include "simt/program/program.h"
#include "simt/races/detect.h"

#define ATOMIC_TABLE(X) X(and) X(or) X(xor) X(cas) X(exch) X(add) X(inc) X(dec) X(min) X(max)

enum {
#define X(name) ATOMIC_##name,
    ATOMIC_TABLE(X)
#undef X
        ATOMICS
};

static const char *const names[] = {
#define X(name) #name,
    ATOMIC_TABLE(X)
#undef X
};

static uint64_t combine_float(const op *o, uint64_t before, uint64_t b, bool global)
{
    ptx_type t = (ptx_type)o->target;
    float_mode m = {.ftz = t == PTX_f32 && global}; /* atom.add.f32 on global memory flushes subnormals, as PTX says */
    float_type f = float_type_of(t);
    if (t != PTX_f16x2 && t != PTX_bf16x2)
        return o->variant == ATOMIC_add   ? float_add(f, before, b, m)
               : o->variant == ATOMIC_min ? float_min(f, before, b, m)
                                          : float_max(f, before, b, m);
    uint64_t low, high;
    if (o->variant == ATOMIC_add) {
        low = float_add(f, before & 0xffff, b & 0xffff, m);
        high = float_add(f, before >> 16 & 0xffff, b >> 16 & 0xffff, m);
    } else {
        uint64_t (*select)(float_type, uint64_t, uint64_t, float_mode) =
            o->variant == ATOMIC_min ? float_min : float_max;
        low = select(f, before & 0xffff, b & 0xffff, m);
        high = select(f, before >> 16 & 0xffff, b >> 16 & 0xffff, m);
    }
    return high << 16 | low;
}

static uint64_t combine(const op *o, uint64_t before, uint64_t b, uint64_t c, bool global)
{
    ptx_type t = (ptx_type)o->target;
    if (ptx_type_kind(t) == 'f')
        return combine_float(o, before, b, global);
    bool is_signed = ptx_type_kind(t) == 's';
    bool less = !is_signed ? b < before : o->bytes == 8 ? (int64_t)b < (int64_t)before : (int32_t)b < (int32_t)before;
    switch (o->variant) {
    case ATOMIC_and:
        return before & b;
    case ATOMIC_or:
        return before | b;
    case ATOMIC_xor:
        return before ^ b;
    case ATOMIC_cas:
        return before == b ? c : before;
    case ATOMIC_exch:
        return b;
    case ATOMIC_add:
        return before + b;
    case ATOMIC_inc:
        return before >= b ? 0 : before + 1;
    case ATOMIC_dec:
        return before == 0 || before > b ? b : before - 1;
    case ATOMIC_min:
        return less ? b : before;
    default:
        return less || b == before ? before : b;
    }
}

/* May several blocks do it in any order? Only integer reductions whose result is not read. */
static bool commutes(const op *o)
{
    return o->count == 0 && ptx_type_kind((ptx_type)o->target) != 'f' && o->variant != ATOMIC_cas &&
           o->variant != ATOMIC_exch && o->variant != ATOMIC_inc && o->variant != ATOMIC_dec && o->bytes >= 4;
}

/* Reduces a value that other cores may reduce at the same time. */
static void reduce_parallel(const op *o, char *at, uint64_t b)
{
    if (o->bytes == 8) {
        _Atomic uint64_t *p = (_Atomic uint64_t *)(void *)at;
        uint64_t before = atomic_load_explicit(p, memory_order_relaxed), x;
        do
            x = combine(o, before, b, 0, true);
        while (!atomic_compare_exchange_weak(p, &before, x));
        return;
    }
    _Atomic uint32_t *p = (_Atomic uint32_t *)(void *)at;
    uint32_t before = atomic_load_explicit(p, memory_order_relaxed), x;
    do
        x = (uint32_t)combine(o, before, b, 0, true);
    while (!atomic_compare_exchange_weak(p, &before, x));
}

/* Rows o->b and o->c are the values; o->d gets the previous value if o->count is 1. */
static bool run_atomic(core *c, warp *w, const op *o, uint32_t m)
{
    const rows *r = &w->frame->rows;
    uint64_t address[LANES];
    uint32_t bytes = o->bytes;
    bool changed = false, parallel = c->machine->tracks_conflicts && o->conflict_kind > CONFLICT_WRITE;
    memory_addresses(w, o, m, address);
    if (c->machine->options->profile)
        counts_access(c, w, o, m);
    EACH_SET(i, m)
    {
        char *at = memory_pointer(c, w, o, i, address[i], bytes, true);
        uint64_t before = 0, b = lane_read(r, o->b, i, bytes == 8), x;
        if (!at)
            return false;
        if (parallel) {
            if (w->block->races)
                races_atomic(c, w, o, i, address[i], true, true);
            reduce_parallel(o, at, b);
            changed = true; /* other cores may change it at the same time */
            continue;
        }
        memcpy(&before, at, bytes);
        x = combine(o, before, b, o->variant == ATOMIC_cas ? lane_read(r, o->c, i, bytes == 8) : 0,
                    address[i] >= MEMORY_BASE);
        changed |= memcmp(&x, at, bytes) != 0;
        if (w->block->races)
            races_atomic(c, w, o, i, address[i], o->variant != ATOMIC_cas || before == b, memcmp(&x, at, bytes) != 0);
        memcpy(at, &x, bytes);
        if (o->count)
            lane_write(r, o->d, i, bytes == 8, before);
    }
    if (w->block->races)
        races_atomics_done(c, w, o, m);
    if (changed && o->space == PTX_SPACE_shared)
        w->block->shared_version++;
    else if (changed)
        memory_changed(c, w);
    return true;
}

static bool is_possible(int operation, ptx_type t)
{
    char kind = ptx_type_kind(t);
    int bytes = ptx_type_bytes(t);
    if (kind == 'f')
        return operation == ATOMIC_add ||
               ((operation == ATOMIC_min || operation == ATOMIC_max) && bytes < 8 && t != PTX_f32);
    if (operation == ATOMIC_cas && bytes == 2)
        return kind == 'b';
    if (bytes != 4 && bytes != 8)
        return false;
    return operation == ATOMIC_inc || operation == ATOMIC_dec ? t == PTX_u32 : true;
}

static bool operand_names(const ptx_operand *x, uint32_t reg)
{
    if (x->kind == PTX_OP_REG && x->reg == reg)
        return true;
    for (uint32_t i = 0; i < x->items; i++)
        if (operand_names(&x->item[i], reg))
            return true;
    return false;
}

/* Is the result never read? Then the previous value is not needed. */
static bool is_unread(const decoder *d, const ptx_operand *result)
{
    if (result->kind == PTX_OP_SINK)
        return true;
    for (uint32_t i = 0; i < d->fn->items; i++) {
        const ptx_instruction *in = d->fn->item[i].kind == PTX_ITEM_INSTRUCTION ? d->fn->item[i].instruction : NULL;
        for (uint32_t k = 0; in && k < in->operands; k++)
            if (&in->operand[k] != result && operand_names(&in->operand[k], result->reg))
                return false;
    }
    return true;
}

static bool decode_atomic(decoder *d, op *o, bool has_result)
{
    static const char *const hints[] = {"relaxed", "acquire", "release", "acq_rel", "sc",
                                        "cta",     "cluster", "gpu",     "sys",     "noftz"};
    static const char *const spaces[] = {"global", "shared", "shared::cta"};
    take_hints(d, hints, sizeof hints / sizeof *hints);
    int space = take_any_of(d, spaces, 3), operation = take_any_of(d, names, ATOMICS);
    ptx_type t = take_type(d);
    if (operation < 0 || t == PTX_NO_TYPE || !is_possible(operation, t))
        return decode_fail(d, "%.40s of such a kind or type is not supported", d->in->opcode);
    uint32_t n = 2 + has_result + (operation == ATOMIC_cas);
    const ptx_operand *x = d->in->operand;
    if (!all_taken(d) || !has_operands(d, n, n))
        return false;
    const ptx_operand *result = has_result ? x++ : NULL;
    ptx_space in = space < 0 ? PTX_SPACE_NONE : space == 0 ? PTX_SPACE_global : PTX_SPACE_shared;
    if (!decode_address(d, &x[0], in, o))
        return false;
    if (o->in_frame || (o->space != PTX_SPACE_NONE && o->space != PTX_SPACE_global && o->space != PTX_SPACE_shared))
        return decode_fail(d, "%.40s in this space is not supported", d->in->opcode);
    o->kind = OP_MEMORY;
    o->bytes = (uint8_t)ptx_type_bytes(t);
    o->variant = (uint8_t)operation;
    o->target = t;
    o->count = result && !is_unread(d, result);
    o->conflict_kind = (uint8_t)(commutes(o) ? CONFLICT_REDUCE + operation : CONFLICT_WRITE);
    o->run.memory = run_atomic;
    if (result && !destination(d, result, shape_of(t), &o->d))
        return false;
    return typed_source(d, &x[1], t, &o->b) && (operation != ATOMIC_cas || typed_source(d, &x[2], t, &o->c)) &&
           emit(d, o);
}

bool decode_atom(decoder *d, op *o)
{
    return decode_atomic(d, o, true);
}

bool decode_red(decoder *d, op *o)
{
    return decode_atomic(d, o, false);
}
