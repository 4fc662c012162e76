/* lop3: any function of three bits; with .or or .and also a predicate that says
 * whether the result is not zero. */
#include "simt/decode/emit.h"
#include "simt/decode/modifiers.h"
#include "simt/decode/operands.h"
#include "simt/decode/state.h"
#include "simt/isa/isa_instructions.h"

/* o->imm is the truth table: bit 4 a + 2 b + c. */
static void lop3(const op *o, const rows *r, uint32_t m)
{
    u32 *d = row(r, o->d);
    const u32 *pa = row(r, o->a), *pb = row(r, o->b), *pc = row(r, o->c);
    uint32_t t = (uint32_t)o->imm;
    EACH_LANE
    {
        uint32_t a = pa[i], b = pb[i], c = pc[i], x = 0;
        for (int k = 0; k < 8; k++)
            x |= (t >> k & 1 ? (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c) : 0);
        d[i] = (m >> i) & 1 ? x : d[i];
    }
}

/* The lanes in which a register is not zero. */
static uint32_t nonzero(const rows *r, slot a)
{
    const u32 *x = row(r, a);
    uint32_t set = 0;
    for (int i = 0; i < LANES; i++)
        set |= (uint32_t)(x[i] != 0) << i;
    return set;
}

static void nonzero_or(const op *o, const rows *r, uint32_t m)
{
    u32 *d = row(r, o->d);
    *d = (*d & ~m) | ((nonzero(r, o->a) | *(const u32 *)row(r, o->b)) & m);
}

static void nonzero_and(const op *o, const rows *r, uint32_t m)
{
    u32 *d = row(r, o->d);
    *d = (*d & ~m) | (nonzero(r, o->a) & *(const u32 *)row(r, o->b) & m);
}

bool decode_lop3(decoder *d, op *o)
{
    const ptx_operand *x = d->in->operand, *result = x;
    bool with_or = take(d, "or"), both = with_or || take(d, "and");
    uint64_t table;
    if (take_type(d) != PTX_b32)
        return decode_unknown(d);
    if (!all_taken(d) || !has_operands(d, 5 + both, 5 + both) || !immediate(d, &x[4], &table))
        return false;
    op test = *o;
    if (both && (result->kind != PTX_OP_PAIR || result->items != 2))
        return decode_fail(d, "lop3 with .or or .and wants two results, d|p");
    if (both) {
        if (!destination(d, &result->item[1], 'p', &test.d) || !source(d, &x[5], 'p', &test.b))
            return false;
        result = &result->item[0];
    }
    o->imm = (int64_t)table;
    o->run.lanes = lop3;
    o->hidden = both;
    if (!destination(d, result, 'w', &o->d) || !source(d, &x[1], 'w', &o->a) || !source(d, &x[2], 'w', &o->b) ||
        !source(d, &x[3], 'w', &o->c) || !emit(d, o) || !both)
        return d->status == GCAST_OK && !both;
    test.a = o->d;
    test.run.lanes = with_or ? nonzero_or : nonzero_and;
    return emit(d, &test);
}
