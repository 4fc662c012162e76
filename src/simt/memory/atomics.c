/* Atomics: the lanes of a warp do theirs one after the other, the lowest first. */
#include <string.h>

#include "simt/decode/decode.h"
#include "simt/memory/memory.h"
#include "simt/races/races.h"
#include "simt/report/access_counts.h"

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

/* The type of the values: ptx_type in op.target. */
static uint64_t combine_float(const op *o, uint64_t old, uint64_t b, bool global)
{
    ptx_type t = (ptx_type)o->target;
    float_mode m = {.ftz = t == PTX_f32 && global}; /* PTX: atom.add.f32 on global memory flushes subnormals */
    float_type f = float_type_of(t);
    if (t != PTX_f16x2 && t != PTX_bf16x2)
        return o->what == ATOMIC_add   ? float_add(f, old, b, m)
               : o->what == ATOMIC_min ? float_min(f, old, b, m)
                                       : float_max(f, old, b, m);
    uint64_t low, high;
    if (o->what == ATOMIC_add) {
        low = float_add(f, old & 0xffff, b & 0xffff, m);
        high = float_add(f, old >> 16 & 0xffff, b >> 16 & 0xffff, m);
    } else {
        uint64_t (*pick)(float_type, uint64_t, uint64_t, float_mode) = o->what == ATOMIC_min ? float_min : float_max;
        low = pick(f, old & 0xffff, b & 0xffff, m);
        high = pick(f, old >> 16 & 0xffff, b >> 16 & 0xffff, m);
    }
    return high << 16 | low;
}

static uint64_t combine(const op *o, uint64_t old, uint64_t b, uint64_t c, bool global)
{
    ptx_type t = (ptx_type)o->target;
    if (ptx_type_kind(t) == 'f')
        return combine_float(o, old, b, global);
    bool is_signed = ptx_type_kind(t) == 's';
    bool less = !is_signed ? b < old : o->bytes == 8 ? (int64_t)b < (int64_t)old : (int32_t)b < (int32_t)old;
    switch (o->what) {
    case ATOMIC_and:
        return old & b;
    case ATOMIC_or:
        return old | b;
    case ATOMIC_xor:
        return old ^ b;
    case ATOMIC_cas:
        return old == b ? c : old;
    case ATOMIC_exch:
        return b;
    case ATOMIC_add:
        return old + b;
    case ATOMIC_inc:
        return old >= b ? 0 : old + 1;
    case ATOMIC_dec:
        return old == 0 || old > b ? b : old - 1;
    case ATOMIC_min:
        return less ? b : old;
    default:
        return less || b == old ? old : b;
    }
}

static uint64_t lane_of(const rows *r, slot s, uint32_t lane, uint32_t bytes)
{
    return bytes == 8 ? ((const u64 *)row(r, s))[lane] : ((const u32 *)row(r, s))[lane];
}

/* An integer reduction nobody sees the result of may be done by several blocks in any order. */
static bool commutes(const op *o)
{
    return o->count == 0 && ptx_type_kind((ptx_type)o->target) != 'f' && o->what != ATOMIC_cas &&
           o->what != ATOMIC_exch && o->what != ATOMIC_inc && o->what != ATOMIC_dec && o->bytes >= 4;
}

/* On several cores at once: in one step of this computer. */
static void reduce_shared(const op *o, char *at, uint64_t b)
{
    if (o->bytes == 8) {
        _Atomic uint64_t *p = (_Atomic uint64_t *)(void *)at;
        uint64_t old = atomic_load_explicit(p, memory_order_relaxed), x;
        do
            x = combine(o, old, b, 0, true);
        while (!atomic_compare_exchange_weak(p, &old, x));
        return;
    }
    _Atomic uint32_t *p = (_Atomic uint32_t *)(void *)at;
    uint32_t old = atomic_load_explicit(p, memory_order_relaxed), x;
    do
        x = (uint32_t)combine(o, old, b, 0, true);
    while (!atomic_compare_exchange_weak(p, &old, x));
}

/* o->b, o->c: values; o->d: the old value, where o->count is 1. */
bool memory_atomic(core *c, warp *w, const op *o, uint32_t m)
{
    const rows *r = &w->frame->rows;
    uint64_t address[LANES];
    uint32_t bytes = o->bytes;
    bool changed = false, beside = c->machine->tracked && o->note > NOTE_WRITE;
    memory_addresses(w, o, m, address);
    if (c->machine->options->profile)
        counts_access(c, w, o, m);
    EACH_SET(i, m)
    {
        char *at = memory_at(c, w, o, i, address[i], bytes, true);
        uint64_t old = 0, b = lane_of(r, o->b, i, bytes), x;
        if (!at)
            return false;
        if (beside) {
            if (w->block->races)
                races_atomic(c, w, o, i, address[i], true, true);
            reduce_shared(o, at, b);
            changed = true; /* whether it did, other blocks may decide */
            continue;
        }
        memcpy(&old, at, bytes);
        x = combine(o, old, b, o->what == ATOMIC_cas ? lane_of(r, o->c, i, bytes) : 0, address[i] >= MEMORY_BASE);
        changed |= memcmp(&x, at, bytes) != 0;
        if (w->block->races)
            races_atomic(c, w, o, i, address[i], o->what != ATOMIC_cas || old == b, memcmp(&x, at, bytes) != 0);
        memcpy(at, &x, bytes);
        if (o->count) {
            if (bytes == 8)
                ((u64 *)row(r, o->d))[i] = old;
            else
                ((u32 *)row(r, o->d))[i] = (uint32_t)old;
        }
    }
    if (w->block->races)
        races_atomics_done(c, w, o, m);
    if (changed && o->space == PTX_SPACE_shared)
        w->block->shared_version++;
    else if (changed)
        memory_changed(c, w);
    return true;
}

static bool is_possible(int what, ptx_type t)
{
    char kind = ptx_type_kind(t);
    int bytes = ptx_type_bytes(t);
    if (kind == 'f')
        return what == ATOMIC_add || ((what == ATOMIC_min || what == ATOMIC_max) && bytes < 8 && t != PTX_f32);
    if (what == ATOMIC_cas && bytes == 2)
        return kind == 'b';
    if (bytes != 4 && bytes != 8)
        return false;
    return what == ATOMIC_inc || what == ATOMIC_dec ? t == PTX_u32 : true;
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

/* Is the register never read? Then the old value is not needed. */
static bool is_unread(const decoder *d, const ptx_operand *to)
{
    if (to->kind == PTX_OP_SINK)
        return true;
    for (uint32_t i = 0; i < d->fn->items; i++) {
        const ptx_instruction *in = d->fn->item[i].kind == PTX_ITEM_INSTRUCTION ? d->fn->item[i].instruction : NULL;
        for (uint32_t k = 0; in && k < in->operands; k++)
            if (&in->operand[k] != to && operand_names(&in->operand[k], to->reg))
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
    int space = take_of(d, spaces, 3), what = take_of(d, names, ATOMICS);
    ptx_type t = take_type(d);
    if (what < 0 || t == PTX_NO_TYPE || !is_possible(what, t))
        return decode_fail(d, "%.40s of such a kind or type is not supported", d->in->opcode);
    uint32_t n = 2 + has_result + (what == ATOMIC_cas);
    const ptx_operand *x = d->in->operand;
    if (!all_taken(d) || !operands(d, n, n))
        return false;
    const ptx_operand *to = has_result ? x++ : NULL;
    ptx_space in = space < 0 ? PTX_SPACE_NONE : space == 0 ? PTX_SPACE_global : PTX_SPACE_shared;
    if (!decode_address(d, &x[0], in, o))
        return false;
    if (o->in_frame || (o->space != PTX_SPACE_NONE && o->space != PTX_SPACE_global && o->space != PTX_SPACE_shared))
        return decode_fail(d, "%.40s in this space is not supported", d->in->opcode);
    o->kind = OP_MEMORY;
    o->bytes = (uint8_t)ptx_type_bytes(t);
    o->what = (uint8_t)what;
    o->target = t;
    o->count = to && !is_unread(d, to);
    o->note = (uint8_t)(commutes(o) ? NOTE_REDUCE + what : NOTE_WRITE);
    o->run.memory = memory_atomic;
    if (to && !destination(d, to, shape_of(t), &o->d))
        return false;
    return typed_source(d, &x[1], t, &o->b) && (what != ATOMIC_cas || typed_source(d, &x[2], t, &o->c)) && emit(d, o);
}

bool decode_atom(decoder *d, op *o)
{
    return decode_atomic(d, o, true);
}

bool decode_red(decoder *d, op *o)
{
    return decode_atomic(d, o, false);
}
