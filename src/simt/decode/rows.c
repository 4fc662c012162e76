#include "simt/decode/rows.h"

#include <string.h>

#include "ptx/type.h"
#include "simt/decode/emit.h"
#include "simt/program/value_types.h"

#define MAX_FRAME_BYTES (16u << 20) /* of the rows of a function */

uint32_t row_bytes(char shape)
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

bool register_row(decoder *d, const ptx_operand *x, slot *out, ptx_type *type)
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
