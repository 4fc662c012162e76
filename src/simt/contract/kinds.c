/* What instructions are to contraction: products, sums, and what ends a run of
 * instructions that ptxas optimizes together. */
#include "simt/contract/kinds.h"

#include "ptx/graph/roles.h"
#include "ptx/type.h"
#include "ptx/words.h"
#include "simt/float/convert.h"
#include "simt/float/float.h"
#include "simt/program/value_types.h"

static bool names_rounding(const ptx_instruction *in)
{
    return ptx_has(in, "rn") || ptx_has(in, "rz") || ptx_has(in, "rm") || ptx_has(in, "rp");
}

/* An approximate quotient is a product with a reciprocal; so is a reciprocal that must be scaled. */
bool contract_is_product(const ptx_instruction *in)
{
    ptx_type t = ptx_last_type(in);
    if (in->guard >= 0 || ptx_type_kind(t) != 'f' || names_rounding(in) || ptx_has(in, "sat") || in->operands < 2 ||
        in->operand[0].kind != PTX_OP_REG || in->operand[0].component)
        return false;
    if (ptx_is(in, "mul"))
        return in->operands == 3;
    if (ptx_is(in, "rcp"))
        return t == PTX_f32 && !ptx_has(in, "ftz");
    return ptx_is(in, "div") && t == PTX_f32 && in->operands == 3;
}

bool contract_is_sum(const ptx_instruction *in)
{
    return (ptx_is(in, "add") || ptx_is(in, "sub")) && ptx_type_kind(ptx_last_type(in)) == 'f' && !names_rounding(in) &&
           in->operands == 3;
}

static bool is_long(const ptx_instruction *in)
{
    ptx_type t = ptx_last_type(in);
    if (ptx_is(in, "div") || ptx_is(in, "rem"))
        return ptx_type_kind(t) == 'f' ? names_rounding(in) : t != PTX_u32;
    if (ptx_is(in, "rcp") || ptx_is(in, "sqrt"))
        return names_rounding(in);
    if (ptx_is(in, "rsqrt"))
        return t == PTX_f64 && !ptx_has(in, "ftz");
    return ptx_is(in, "bfind") && ptx_type_bytes(t) == 8;
}

/* Guarded arithmetic becomes a selection; a guarded access or exchange becomes a branch around it. */
bool contract_ends_run(const ptx_instruction *in)
{
    if (ptx_is(in, "bra"))
        return false; /* the graph ends the block there */
    if (in->guard >= 0 && (ptx_has_effect(in) || ptx_is(in, "ld") || ptx_is(in, "ldu")))
        return true;
    if (ptx_is(in, "fence"))
        return ptx_has(in, "acq_rel") || ptx_has(in, "sc");
    return is_long(in) || ptx_is(in, "call") || ptx_is(in, "membar") || ptx_is(in, "pmevent") || ptx_is_jump(in);
}

bool contract_number(const ptx_operand *x, ptx_type t, uint64_t *bits)
{
    *bits = x->bits;
    if (x->kind == PTX_OP_INT)
        return true;
    if (x->kind != PTX_OP_F32 && x->kind != PTX_OP_F64)
        return false;
    float_type literal = x->kind == PTX_OP_F32 ? FLOAT_f32 : FLOAT_f64, type = float_type_of(t);
    if (type >= FLOAT_f16 && type < FLOAT_TYPES && type != literal)
        *bits = float_convert(type, literal, x->bits, (float_mode){0});
    return true;
}

bool contract_is_constant_load(const ptx_instruction *in, bool is_entry)
{
    if (!ptx_is(in, "ld") || in->guard >= 0 || in->operands != 2 || in->operand[0].kind != PTX_OP_REG ||
        in->operand[1].kind != PTX_OP_ADDRESS)
        return false;
    bool fixed = in->operand[1].items == 1 && in->operand[1].item[0].kind == PTX_OP_VAR;
    bool param = ptx_has(in, "param") || ptx_has(in, "param::entry");
    return fixed && ((param && is_entry) || ptx_has(in, "const"));
}
