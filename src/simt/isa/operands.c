/* Rows of operands, and operands that are addresses. */
#include "simt/isa/operands.h"

#include <string.h>

#include "ptx/ptx.h"
#include "simt/float/arithmetic.h"
#include "simt/float/float.h"
#include "simt/isa/decoder.h"
#include "simt/machine/special_registers.h"
#include "simt/program/op.h"
#include "simt/program/program.h"

#define MAX_FRAME_BYTES (16u << 20) /* of the rows of a function */

static uint32_t row_bytes(char shape)
{
    return shape == 'p' || shape == 'k' ? 8 : shape == 'x' ? LANES * 8 : LANES * 4;
}

bool scratch(decoder *d, char shape, slot *out)
{
    *out = 0;
    if (d->frame_bytes > MAX_FRAME_BYTES)
        return decode_fail(d, "function %.100s has more registers than fit", d->fn->name);
    *out = d->frame_bytes;
    d->frame_bytes += row_bytes(shape);
    return true;
}

slot carry_row(decoder *d)
{
    if (!d->carry) {
        slot s;
        if (!scratch(d, 'k', &s))
            return 0;
        d->carry = s + 2;
    }
    return d->carry - 2;
}

bool constant_row(decoder *d, uint64_t bits, bool wide, slot *out)
{
    uint64_t key[2] = {bits, wide}, hash = index_hash(key, sizeof key);
    for (index_probe p = index_start(&d->constant_index, hash); index_next(&d->constant_index, &p);) {
        const constant_operand *c = &d->constants.at[p.value];
        if (c->bits == bits && c->wide == wide) {
            *out = c->at;
            return true;
        }
    }
    size_t at = d->constant_bytes.count, bytes = wide ? LANES * 8 : LANES * 4;
    constant_operand c = {bits, wide, (slot)at | 1};
    if (at > MAX_FRAME_BYTES || !vec_reserve(&d->constant_bytes, at + bytes) || !vec_push(&d->constants, c) ||
        !index_add(&d->constant_index, hash, (uint32_t)(d->constants.count - 1)))
        return decode_fail_memory(d);
    d->constant_bytes.count += bytes;
    for (int i = 0; i < LANES; i++) {
        uint32_t low = (uint32_t)bits;
        if (wide)
            memcpy(d->constant_bytes.at + at + (size_t)i * 8, &bits, 8);
        else
            memcpy(d->constant_bytes.at + at + (size_t)i * 4, &low, 4);
    }
    *out = c.at;
    return true;
}

/* The row of a register, and its type. */
static bool register_row(decoder *d, const ptx_operand *x, slot *out, ptx_type *type)
{
    const ptx_register *r = &d->fn->reg[x->reg];
    int width = r->width > 1 ? r->width : 1;
    if (width > 1 ? x->component < 1 || x->component > width : x->component != 0)
        return decode_fail(d, "%.60s as a %s here is not supported", r->name,
                           width > 1 ? "vector" : "part of a register");
    char shape = shape_of(r->type);
    if (ptx_type_bytes(r->type) > 8)
        return decode_fail(d, "register %.60s of type .%s is not supported", r->name, ptx_type_name(r->type));
    if (!d->reg[x->reg]) {
        slot s = 0;
        for (int i = 0; i < width; i++) {
            slot next;
            if (!scratch(d, shape, &next))
                return false;
            if (i == 0)
                s = next;
        }
        d->reg[x->reg] = s + 2;
    }
    uint32_t element = width > 1 ? x->component - 1u : 0;
    *out = d->reg[x->reg] - 2 + element * row_bytes(shape);
    *type = r->type;
    return true;
}

static bool register_of(decoder *d, const ptx_operand *x, char shape, slot *out)
{
    ptx_type t;
    if (!register_row(d, x, out, &t))
        return false;
    char own = shape_of(t);
    bool fits = own == shape || (own == 'h' && shape == 'w') || (own == 'w' && shape == 'h');
    if (!fits)
        return decode_fail(d, "register %.60s of type .%s does not fit %.40s here", d->fn->reg[x->reg].name,
                           ptx_type_name(t), d->in->opcode);
    return true;
}

bool immediate(decoder *d, const ptx_operand *x, uint64_t *bits)
{
    if (x->kind != PTX_OP_INT)
        return decode_fail(d, "%.40s wants an integer that is written out here", d->in->opcode);
    *bits = x->bits;
    return true;
}

static bool immediate_row(decoder *d, const ptx_operand *x, char shape, slot *out)
{
    uint64_t bits = x->bits;
    if (shape == 'p')
        return constant_row(d, bits ? UINT32_MAX : 0, false, out);
    if (shape == 'h')
        bits &= 0xffff;
    else if (shape != 'x')
        bits &= UINT32_MAX;
    return constant_row(d, bits, shape == 'x', out);
}

static bool negated_predicate(decoder *d, slot *s)
{
    op o = new_op(d, OP_LANES, GCAST_SIMT_integer);
    slot negated;
    if (!scratch(d, 'p', &negated))
        return false;
    o.hidden = true;
    o.d = negated;
    o.a = o.b = *s;
    o.run.lanes = lanes_not_predicate;
    *s = negated;
    return emit(d, &o);
}

static bool special_row(decoder *d, const ptx_operand *x, char shape, slot *out)
{
    op o = new_op(d, OP_SPECIAL, GCAST_SIMT_move);
    int number = special_register(x->name, x->component);
    if (number < 0)
        return decode_fail(d, "special register %.60s is not supported", x->name);
    bool wide = special_bits[number] == 64;
    o.variant = (uint8_t)(number | (wide != (shape == 'x') ? SPECIAL_OTHER_WIDTH : 0));
    o.hidden = true;
    if (!scratch(d, shape, &o.d))
        return false;
    *out = o.d;
    return emit(d, &o);
}

static bool function_address(decoder *d, const ptx_operand *x, slot *out)
{
    for (uint32_t i = 0; i < d->program->functions; i++)
        if (d->program->function[i].source == x->function ||
            strcmp(d->program->function[i].source->name, x->function->name) == 0)
            return constant_row(d, FUNCTION_BASE + (uint64_t)i * FUNCTION_STEP, true, out);
    return decode_fail(d, "function %.100s has no body", x->function->name);
}

/* The address of a variable or function in its space, of 64 bits if wide. */
static bool variable_address(decoder *d, const ptx_operand *x, bool wide, slot *out)
{
    if (x->kind == PTX_OP_FUNCTION)
        return wide ? function_address(d, x, out) : decode_fail(d, "the address of a function has 64 bits");
    const variable *v = find_variable(d->program, x->var);
    if (!v)
        return decode_fail(d, "variable %.100s is not supported here", x->var->name);
    if (!v->in_frame)
        return constant_row(d, v->address + (uint64_t)x->offset, wide, out);
    op o = new_op(d, OP_SPECIAL, GCAST_SIMT_move);
    o.variant = (uint8_t)(SPECIAL_frame_address | (wide ? 0 : SPECIAL_OTHER_WIDTH));
    o.hidden = true;
    o.imm = (int64_t)(v->address + (uint64_t)x->offset);
    if (!scratch(d, wide ? 'x' : 'w', &o.d))
        return false;
    *out = o.d;
    return emit(d, &o);
}

bool source(decoder *d, const ptx_operand *x, char shape, slot *out)
{
    switch (x->kind) {
    case PTX_OP_REG:
        if (!register_of(d, x, shape, out))
            return false;
        return !x->negated || shape != 'p' || negated_predicate(d, out);
    case PTX_OP_INT:
        return immediate_row(d, x, shape, out);
    case PTX_OP_F32:
        return constant_row(d, x->bits, false, out);
    case PTX_OP_F64:
        if (shape == 'x')
            return constant_row(d, x->bits, true, out);
        return constant_row(d, float_convert(FLOAT_f32, FLOAT_f64, x->bits, (float_mode){0}), false, out);
    case PTX_OP_SPECIAL:
        return special_row(d, x, shape, out);
    case PTX_OP_VAR:
    case PTX_OP_FUNCTION:
        return variable_address(d, x, shape == 'x', out);
    default:
        return decode_fail(d, "%.40s with such an operand is not supported", d->in->opcode);
    }
}

bool typed_source(decoder *d, const ptx_operand *x, ptx_type t, slot *out)
{
    char shape = shape_of(t);
    bool is_literal = x->kind == PTX_OP_F32 || x->kind == PTX_OP_F64;
    if (is_literal && ptx_type_bytes(t) == 2) {
        float_type literal = x->kind == PTX_OP_F32 ? FLOAT_f32 : FLOAT_f64;
        return constant_row(d, float_convert(float_type_of(t), literal, x->bits, (float_mode){0}), false, out);
    }
    if (x->kind == PTX_OP_F32 && shape == 'x')
        return constant_row(d, float_convert(FLOAT_f64, FLOAT_f32, x->bits, (float_mode){0}), true, out);
    return source(d, x, shape, out);
}

bool destination(decoder *d, const ptx_operand *x, char shape, slot *out)
{
    if (x->kind == PTX_OP_SINK)
        return scratch(d, shape, out);
    if (x->kind != PTX_OP_REG || x->negated)
        return decode_fail(d, "%.40s writes to something that is no register", d->in->opcode);
    return register_of(d, x, shape, out);
}

bool any_width(decoder *d, const ptx_operand *x, bool write, uint32_t min_bytes, slot *out, int *width)
{
    ptx_type t;
    *width = min_bytes > 4 ? 8 : min_bytes > 2 ? 4 : 2;
    if (x->kind == PTX_OP_SINK && write)
        return scratch(d, 'x', out);
    if (x->kind != PTX_OP_REG)
        return write ? decode_fail(d, "%.40s writes to something that is no register", d->in->opcode)
                     : source(d, x,
                              min_bytes > 4    ? 'x'
                              : min_bytes == 2 ? 'h'
                                               : 'w',
                              out);
    if (!register_row(d, x, out, &t))
        return false;
    uint32_t bytes = (uint32_t)ptx_type_bytes(t);
    if (bytes < min_bytes)
        return decode_fail(d, "register %.60s of type .%s is too narrow for %.40s here", d->fn->reg[x->reg].name,
                           ptx_type_name(t), d->in->opcode);
    *width = bytes == 8 ? 8 : bytes == 4 ? 4 : 2;
    return true;
}

bool decode_address(decoder *d, const ptx_operand *x, ptx_space space, op *o)
{
    if (x->kind != PTX_OP_ADDRESS || x->items > 1)
        return decode_fail(d, "%.40s wants an address here", d->in->opcode);
    bool in_function = !d->fn->is_entry;
    o->imm = x->offset;
    o->address_bytes = 0;
    o->is_uniform = true;
    const ptx_operand *base = x->items ? &x->item[0] : NULL;
    if (base && base->kind == PTX_OP_VAR) {
        const variable *v = find_variable(d->program, base->var);
        if (!v)
            return decode_fail(d, "variable %.100s is not supported here", base->var->name);
        ptx_space own = base->var->space;
        if (space == PTX_SPACE_NONE)
            space = own;
        if (space != own)
            return decode_fail(d, "%.100s is not in the space that %.40s names", base->var->name, d->in->opcode);
        o->imm += (int64_t)v->address + base->offset;
        o->is_uniform = !v->in_frame;
        o->in_frame = v->in_frame;
        o->space = (uint8_t)(v->in_frame ? PTX_SPACE_local : space);
        return true;
    }
    o->space = (uint8_t)(space == PTX_SPACE_param && in_function ? PTX_SPACE_local : space);
    o->in_frame = false;
    if (!base)
        return true;
    if (base->kind == PTX_OP_INT) {
        o->imm += (int64_t)base->bits;
        return true;
    }
    int width;
    o->is_uniform = false;
    if (base->kind != PTX_OP_REG)
        return decode_fail(d, "such an address is not supported");
    if (!any_width(d, base, false, 4, &o->a, &width))
        return false;
    o->address_bytes = (uint8_t)width;
    return true;
}
