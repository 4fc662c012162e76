/* Moves: copies, vectors that are packed into a register and unpacked, and
 * addresses that change between spaces. */

#include "ptx/type.h"
#include "ptx/words.h"
#include "simt/decode/basic_lanes.h"
#include "simt/decode/emit.h"
#include "simt/decode/modifiers.h"
#include "simt/decode/operands.h"
#include "simt/decode/state.h"
#include "simt/isa/isa_instructions.h"
#include "simt/program/address_space.h"
#include "simt/program/value_types.h"

/* o->list: the rows of o->count elements of o->bytes each, the lowest first; o->d: the register that holds them. */
static void pack(const op *o, const rows *r, uint32_t m)
{
    EACH_SET(i, m)
    {
        uint64_t x = 0;
        for (uint32_t k = 0; k < o->count; k++)
            x |= (uint64_t)((const u32 *)row(r, o->list[k]))[i] << (8 * o->bytes * k);
        lane_write(r, o->d, i, o->bytes * o->count == 8, x);
    }
}

static void unpack(const op *o, const rows *r, uint32_t m)
{
    uint64_t mask = ((uint64_t)1 << 8 * o->bytes) - 1;
    EACH_SET(i, m)
    {
        uint64_t x = lane_read(r, o->a, i, o->bytes * o->count == 8);
        for (uint32_t k = 0; k < o->count; k++)
            ((u32 *)row(r, o->list[k]))[i] = (uint32_t)(x >> (8 * o->bytes * k) & mask);
    }
}

/* mov.b64 c, {a, b} packs; mov.b64 {a, b}, c unpacks. */
static bool decode_vector(decoder *d, op *o, ptx_type t)
{
    const ptx_operand *target = &d->in->operand[0], *value = &d->in->operand[1];
    bool packs = value->kind == PTX_OP_VECTOR;
    const ptx_operand *vector = packs ? value : target, *packed = packs ? target : value;
    uint32_t bytes = (uint32_t)ptx_type_bytes(t);
    if (vector->items < 2 || vector->items > 4 || bytes > 8 || bytes % vector->items)
        return decode_fail(d, "mov.%s with a vector of %u is not supported", ptx_type_name(t), vector->items);
    o->count = (uint8_t)vector->items;
    o->bytes = (uint8_t)(bytes / vector->items);
    slot *elements = arena_alloc_array(&d->program->memory, vector->items, sizeof *elements);
    if (!elements)
        return decode_fail_memory(d);
    char part = o->bytes <= 2 ? 'h' : 'w', all = bytes == 8 ? 'x' : bytes == 4 ? 'w' : 'h';
    for (uint32_t k = 0; k < vector->items; k++)
        if (!(packs ? source(d, &vector->item[k], part, &elements[k])
                    : destination(d, &vector->item[k], part, &elements[k])))
            return false;
    o->list = elements;
    o->run.lanes = packs ? pack : unpack;
    return (packs ? destination(d, packed, all, &o->d) : source(d, packed, all, &o->a)) && emit(d, o);
}

bool decode_mov(decoder *d, op *o)
{
    ptx_type t = take_type(d);
    if (t == PTX_NO_TYPE || ptx_type_bytes(t) > 8)
        return decode_fail(d, "mov with such a type is not supported");
    if (!all_taken(d) || !has_operands(d, 2, 2))
        return false;
    const ptx_operand *x = d->in->operand;
    if (x[0].kind == PTX_OP_VECTOR || x[1].kind == PTX_OP_VECTOR)
        return decode_vector(d, o, t);
    char shape = shape_of(t);
    size_t before = d->ops.count;
    if (!destination(d, &x[0], shape, &o->d) || !typed_source(d, &x[1], t, &o->a))
        return false;
    if (d->ops.count > before && (x[1].kind == PTX_OP_SPECIAL || x[1].kind == PTX_OP_VAR)) {
        op *last = &d->ops.at[d->ops.count - 1]; /* the hidden op that reads it writes the destination itself */
        if (last->hidden && last->d == o->a) {
            last->d = o->d;
            last->hidden = false;
            return true;
        }
    }
    o->run.lanes = shape == 'p' ? lanes_copy_predicate : shape == 'x' ? lanes_copy_64 : lanes_copy_32;
    return emit(d, o);
}

/* Adds the base of a window, which is in imm, to addresses: from a space to generic, or back. */
static void add_base(const op *o, const rows *r, uint32_t m)
{
    u64 *d = row(r, o->d);
    const u64 *a = row(r, o->a);
    EACH_SET(i, m) d[i] = a[i] + (uint64_t)o->imm;
}

static uint64_t window_of(ptx_space s)
{
    return s == PTX_SPACE_shared  ? SHARED_WINDOW
           : s == PTX_SPACE_local ? LOCAL_WINDOW
           : s == PTX_SPACE_param ? PARAM_WINDOW
                                  : 0;
}

/* The space that cvta and isspacep name; PTX_SPACE_NONE: none that they can have. The parameters of a function that is
 * no kernel are in its frame of local memory. */
static ptx_space take_address_space(decoder *d)
{
    if (ptx_has(d->in, "param::func"))
        return PTX_SPACE_NONE;
    ptx_space s = take_space(d);
    return s == PTX_SPACE_param && !d->fn->is_entry ? PTX_SPACE_local : s;
}

bool decode_cvta(decoder *d, op *o)
{
    bool to_space = take(d, "to");
    ptx_space space = take_address_space(d);
    ptx_type t = take_type(d);
    if (space == PTX_SPACE_NONE || (t != PTX_u64 && t != PTX_b64 && t != PTX_s64))
        return decode_fail(d, "cvta of such a space or size is not supported");
    const ptx_operand *x = d->in->operand;
    uint64_t window = window_of(space);
    o->imm = (int64_t)(to_space ? 0 - window : window);
    o->run.lanes = window ? add_base : lanes_copy_64;
    return all_taken(d) && has_operands(d, 2, 2) && destination(d, &x[0], 'x', &o->d) && source(d, &x[1], 'x', &o->a) &&
           emit(d, o);
}

static bool in_space(ptx_space s, uint64_t a)
{
    uint64_t window = window_of(s);
    if (window)
        return a >= window && a - window < WINDOW_BYTES;
    return a >= MEMORY_BASE;
}

static void run_isspacep(const op *o, const rows *r, uint32_t m)
{
    u32 *p = row(r, o->d);
    uint32_t holds = 0;
    const u64 *a = row(r, o->a);
    EACH_SET(i, m) holds |= (uint32_t)in_space((ptx_space)o->space, a[i]) << i;
    *p = (*p & ~m) | holds;
}

bool decode_isspacep(decoder *d, op *o)
{
    ptx_space space = take_address_space(d);
    if (space == PTX_SPACE_NONE || space == PTX_SPACE_const)
        return decode_fail(d, "isspacep of such a space is not supported");
    o->space = (uint8_t)space;
    o->run.lanes = run_isspacep;
    return all_taken(d) && has_operands(d, 2, 2) && destination(d, &d->in->operand[0], 'p', &o->d) &&
           source(d, &d->in->operand[1], 'x', &o->a) && emit(d, o);
}
