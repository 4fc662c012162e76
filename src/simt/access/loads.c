/* Loads and stores become ops. */
#include <string.h>

#include "ptx/type.h"
#include "simt/access/access.h"
#include "simt/access/access_instructions.h"
#include "simt/decode/address.h"
#include "simt/decode/basic_lanes.h"
#include "simt/decode/emit.h"
#include "simt/decode/modifiers.h"
#include "simt/decode/operands.h"
#include "simt/decode/rows.h"
#include "simt/decode/state.h"

/* Modifiers for memory models, caches and prefetchers. Accesses here are always in order and coherent. */
static const char *const hints[] = {
    "weak",
    "relaxed",
    "acquire",
    "release",
    "volatile",
    "mmio",
    "cta",
    "cluster",
    "gpu",
    "sys",
    "ca",
    "cg",
    "cs",
    "lu",
    "cv",
    "wb",
    "wt",
    "nc",
    "L1::evict_normal",
    "L1::evict_unchanged",
    "L1::evict_first",
    "L1::evict_last",
    "L1::no_allocate",
    "L2::evict_normal",
    "L2::evict_first",
    "L2::evict_last",
    "L2::64B",
    "L2::128B",
    "L2::256B",
    "unified",
};

static gcast_simt_mix mix_of(const op *o, ptx_space named)
{
    switch ((ptx_space)o->space) {
    case PTX_SPACE_shared:
        return GCAST_SIMT_shared_memory;
    case PTX_SPACE_local:
        return named == PTX_SPACE_param ? GCAST_SIMT_parameter : GCAST_SIMT_local_memory;
    case PTX_SPACE_param:
    case PTX_SPACE_const:
        return GCAST_SIMT_parameter;
    default:
        return GCAST_SIMT_global_memory;
    }
}

/* Decodes the registers of a load or store, and sets o->e to their width: 2, 4 or 8 bytes. */
static bool decode_registers(decoder *d, op *o, const ptx_operand *x, bool load, ptx_type t, int vector)
{
    uint32_t bytes = (uint32_t)ptx_type_bytes(t);
    o->bytes = (uint8_t)bytes;
    o->count = (uint8_t)vector;
    if (bytes == 0 || bytes > 8 || bytes * (uint32_t)vector > 32)
        return decode_fail(d, "%.40s of such a type is not supported", d->in->opcode);
    slot *rows_of = arena_alloc_array(&d->program->memory, (size_t)vector, sizeof *rows_of);
    if (!rows_of)
        return decode_fail_memory(d);
    bool is_vector_register =
        x->kind == PTX_OP_REG && x->component == 0 && d->fn->reg[x->reg].width > 1; /* .reg .v2 .b32 x */
    int elements = is_vector_register ? d->fn->reg[x->reg].width : x->kind == PTX_OP_VECTOR ? (int)x->items : 1;
    if (elements != vector)
        return decode_fail(d, "%.40s wants a vector of %d", d->in->opcode, vector);
    int width = 0;
    for (int i = 0; i < vector; i++) {
        ptx_operand element = *x;
        element.component = (uint8_t)(i + 1);
        const ptx_operand *item = is_vector_register ? &element : x->kind == PTX_OP_VECTOR ? &x->item[i] : x;
        int w;
        if (item->kind == PTX_OP_F64 && bytes == 4) {
            w = 4;
            if (!typed_source(d, item, PTX_f32, &rows_of[i]))
                return false;
        } else if (!any_width(d, item, load, bytes, &rows_of[i], &w)) {
            return false;
        }
        if (item->kind != PTX_OP_SINK && width && w != width)
            return decode_fail(d, "%.40s with registers of different sizes is not supported", d->in->opcode);
        if (item->kind != PTX_OP_SINK)
            width = w;
    }
    o->list = rows_of;
    o->e = width ? (uint32_t)width : bytes == 8 ? 8 : 4;
    return true;
}

static int take_vector(decoder *d)
{
    return take(d, "v2") ? 2 : take(d, "v4") ? 4 : take(d, "v8") ? 8 : 1;
}

/* A load of a kernel parameter at a fixed address becomes a copy of a constant; false: it does not. */
static bool decode_parameter(decoder *d, op *o, ptx_type t)
{
    const program *p = d->program;
    if (o->space != PTX_SPACE_param || !o->is_uniform || o->count != 1)
        return false;
    uint64_t at = (uint64_t)o->imm, value = 0;
    if (at > p->param_bytes || o->bytes > p->param_bytes - at || at % o->bytes)
        return false; /* the load reports the error */
    memcpy(&value, p->params + at, o->bytes);
    if (ptx_type_kind(t) == 's') {
        int shift = 64 - 8 * o->bytes;
        value = (uint64_t)((int64_t)(value << shift) >> shift);
    }
    bool wide = o->e == 8;
    if (o->e == 2)
        value &= 0xffff;
    o->kind = OP_LANES;
    o->d = o->list[0];
    o->run.lanes = wide ? lanes_copy_64 : lanes_copy_32;
    return constant_row(d, wide ? value : (uint32_t)value, wide, &o->a);
}

/* The most frequent accesses have functions of their own. */
static void choose_fast(op *o, memory_function *shared, memory_function *global)
{
    if (o->bytes != 4 || o->count != 1 || o->e != 4)
        return;
    if (o->space == PTX_SPACE_shared && o->address_bytes == 4)
        o->run.memory = shared;
    else if (o->space == PTX_SPACE_global && o->address_bytes == 8)
        o->run.memory = global;
}

/* What loads and stores have in common: modifiers, address and registers. */
static bool decode_access(decoder *d, op *o, bool load, ptx_type *t)
{
    take_hints(d, hints, sizeof hints / sizeof *hints);
    ptx_space space = take_space(d);
    int vector = take_vector(d);
    uint32_t count = take(d, "L2::cache_hint") ? 3 : 2;
    *t = take_type(d);
    const ptx_operand *x = d->in->operand;
    if (!all_taken(d) || !has_operands(d, count, count) || !decode_address(d, &x[load ? 1 : 0], space, o) ||
        !decode_registers(d, o, &x[load ? 0 : 1], load, *t, vector))
        return false;
    o->kind = OP_MEMORY;
    o->mix = (uint8_t)mix_of(o, space);
    return true;
}

bool decode_ld(decoder *d, op *o)
{
    ptx_type t;
    if (!decode_access(d, o, true, &t))
        return false;
    o->target = ptx_type_kind(t) == 's'; /* the value is extended by its sign */
    o->run.memory = memory_load;
    if (decode_parameter(d, o, t))
        return emit(d, o);
    if (d->status != GCAST_OK)
        return false;
    choose_fast(o, memory_load_shared_32, memory_load_global_32);
    return emit(d, o);
}

bool decode_st(decoder *d, op *o)
{
    ptx_type t;
    if (!decode_access(d, o, false, &t))
        return false;
    if (o->space == PTX_SPACE_const || o->space == PTX_SPACE_param)
        return decode_fail(d, "st to this space is not supported");
    o->run.memory = memory_store;
    choose_fast(o, memory_store_shared_32, memory_store_global_32);
    return emit(d, o);
}

/* prefetch, prefetchu, discard, applypriority, createpolicy and such have no effect that a program sees. */
bool decode_prefetch(decoder *d, op *o)
{
    d->taken = UINT64_MAX;
    o->kind = OP_NOTHING;
    return emit(d, o);
}
