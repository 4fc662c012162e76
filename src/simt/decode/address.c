#include "simt/decode/address.h"

#include "simt/decode/emit.h"
#include "simt/decode/operands.h"
#include "simt/program/variables.h"

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
