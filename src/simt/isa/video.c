/* Video instructions on two halves or four bytes, as the headers of CUDA use
 * them: without masks and selectors. .add results in the sum of the parts and
 * c; without it c is not used. */
#include <stdlib.h>
#include <string.h>

#include "simt/decode/emit.h"
#include "simt/decode/modifiers.h"
#include "simt/decode/operands.h"
#include "simt/decode/state.h"
#include "simt/isa/isa_instructions.h"

enum { VIDEO_ADD, VIDEO_SUB, VIDEO_ABSDIFF, VIDEO_MIN, VIDEO_MAX };
enum { SIGNED_D = 1, SIGNED_A = 2, SIGNED_B = 4, SATURATE = 8, ACCUMULATE = 16 }; /* flags of op.imm */

static int32_t part_of(uint32_t x, uint32_t at, uint32_t bits, bool is_signed)
{
    uint32_t top = x << (32 - bits - at);
    return is_signed ? (int32_t)top >> (32 - bits) : (int32_t)(top >> (32 - bits));
}

static int32_t combine(int operation, int32_t a, int32_t b)
{
    switch (operation) {
    case VIDEO_ADD:
        return a + b;
    case VIDEO_SUB:
        return a - b;
    case VIDEO_ABSDIFF:
        return abs(a - b);
    case VIDEO_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

/* o->bytes: bits of a part. */
static void video(const op *o, const rows *r, uint32_t m)
{
    const u32 *a = row(r, o->a), *b = row(r, o->b), *c = row(r, o->c);
    u32 *d = row(r, o->d);
    uint32_t bits = o->bytes;
    bool is_signed = o->imm & SIGNED_D;
    int32_t min = is_signed ? -(1 << (bits - 1)) : 0, max = (1 << (bits - is_signed)) - 1;
    EACH_SET(i, m)
    {
        uint32_t parts = 0, sum = c[i];
        for (uint32_t at = 0; at < 32; at += bits) {
            int32_t x = combine(o->variant, part_of(a[i], at, bits, o->imm & SIGNED_A),
                                part_of(b[i], at, bits, o->imm & SIGNED_B));
            if (o->imm & SATURATE)
                x = x < min ? min : x > max ? max : x;
            uint32_t low = (uint32_t)x & ((1u << bits) - 1);
            parts |= low << at;
            sum += (uint32_t)part_of(low, 0, bits, is_signed);
        }
        d[i] = o->imm & ACCUMULATE ? sum : parts;
    }
}

bool decode_video(decoder *d, op *o)
{
    static const char *const names[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax"};
    static const int signs[] = {SIGNED_D, SIGNED_A, SIGNED_B};
    size_t size = strlen(d->in->opcode) - 1;
    for (uint8_t k = 0; k < 5; k++)
        if (strncmp(d->in->opcode, names[k], size) == 0)
            o->variant = k;
    o->bytes = d->in->opcode[size] == '2' ? 16 : 8;
    for (int k = 0; k < 3; k++) {
        ptx_type t = take_type(d);
        if (t != PTX_u32 && t != PTX_s32)
            return decode_fail(d, "%.40s wants three types, .u32 or .s32", d->in->opcode);
        o->imm |= t == PTX_s32 ? signs[k] : 0;
    }
    o->imm |= take(d, "sat") ? SATURATE : take(d, "add") ? ACCUMULATE : 0;
    const ptx_operand *x = d->in->operand;
    o->run.lanes = video;
    return all_taken(d) && has_operands(d, 4, 4) && destination(d, &x[0], 'w', &o->d) && source(d, &x[1], 'w', &o->a) &&
           source(d, &x[2], 'w', &o->b) && source(d, &x[3], 'w', &o->c) && emit(d, o);
}
