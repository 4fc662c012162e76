/* The class of a PTX instruction in the cost model, and pairs of which ptxas
 * makes one instruction. */
#include "simt/cost/classes.h"

#include <string.h>

#include "ptx/type.h"
#include "ptx/words.h"

static cost_class class_of_float(const ptx_instruction *in, ptx_type t)
{
    static const char *const sfu[] = {"ex2", "lg2", "sin", "cos", "rsqrt", "tanh"};
    static const char *const simple[] = {"abs", "neg", "min", "max", "copysign"};
    bool wide = t == PTX_f64, approx = ptx_has(in, "approx") || ptx_has(in, "full");
    if (PTX_IS_ANY(in, sfu))
        return COST_sfu;
    if (ptx_is(in, "div") || ptx_is(in, "rcp"))
        return approx ? COST_sfu : wide ? COST_fdiv64 : COST_fdiv;
    if (ptx_is(in, "sqrt"))
        return approx ? COST_sfu : wide ? COST_fsqrt64 : COST_fsqrt;
    if (PTX_IS_ANY(in, simple))
        return wide ? COST_alu64 : COST_alu;
    return wide ? COST_fma64 : ptx_type_bytes(t) == 2 || t == PTX_f16x2 || t == PTX_bf16x2 ? COST_half : COST_fma;
}

static cost_class class_of_integer(const ptx_instruction *in, ptx_type t)
{
    static const char *const mul[] = {"mul", "mad", "madc", "mul24", "mad24", "dp4a", "dp2a"};
    static const char *const bits[] = {"popc", "clz", "brev", "bfind", "fns"};
    bool wide = ptx_type_bytes(t) == 8;
    if (PTX_IS_ANY(in, mul))
        return ptx_has(in, "wide") || ptx_has(in, "hi") ? COST_mul_wide : wide ? COST_mul64 : COST_mul;
    if (ptx_is(in, "div") || ptx_is(in, "rem"))
        return wide ? COST_divide64 : COST_divide;
    return PTX_IS_ANY(in, bits) ? COST_bits : wide ? COST_alu64 : COST_alu;
}

static cost_class class_of_cvt(const ptx_instruction *in)
{
    ptx_type dtype = ptx_first_type(in), stype = ptx_last_type(in);
    bool to_float = ptx_type_kind(dtype) == 'f', from_float = ptx_type_kind(stype) == 'f';
    if (!to_float && !from_float) /* the upper half becomes zero, or is ignored */
        return ptx_type_bytes(dtype) == 8 ? (ptx_type_kind(stype) == 's' ? COST_alu : COST_free)
               : ptx_type_bytes(stype) >= 4 && ptx_type_bytes(dtype) == 4 ? COST_free
                                                                          : COST_alu;
    if (ptx_type_bytes(dtype) == 8 || ptx_type_bytes(stype) == 8)
        return COST_convert64;
    return from_float && !to_float ? COST_convert_back : COST_convert;
}

/* Whether loads and stores are instructions of the GPU; their cost depends on the space. */
static cost_class class_of_memory(const ptx_instruction *in)
{
    if (ptx_has(in, "param") || ptx_has(in, "param::entry") || ptx_has(in, "param::func"))
        return COST_free;
    return in->opcode[0] == 's' ? COST_store : COST_l1;
}

cost_class cost_class_of(const ptx_instruction *in)
{
    static const struct {
        const char *opcode;
        cost_class class;
    } plain[] = {
        {"cvta", COST_free},   {"setp", COST_select},      {"set", COST_select},      {"selp", COST_select},
        {"slct", COST_select}, {"testp", COST_select},     {"shfl", COST_shuffle},    {"vote", COST_vote},
        {"match", COST_match}, {"redux", COST_redux},      {"activemask", COST_vote}, {"elect", COST_vote},
        {"atom", COST_atom},   {"red", COST_atom},         {"bar", COST_barrier},     {"barrier", COST_barrier},
        {"bra", COST_branch},  {"brx", COST_branch},       {"call", COST_call},       {"ret", COST_branch},
        {"exit", COST_branch}, {"nanosleep", COST_branch},
    };
    if (ptx_is(in, "ld") || ptx_is(in, "ldu") || ptx_is(in, "st"))
        return class_of_memory(in);
    if (ptx_is(in, "mov"))
        return in->operands == 2 && in->operand[1].kind == PTX_OP_SPECIAL ? COST_special : COST_free;
    if (ptx_is(in, "cvt"))
        return class_of_cvt(in);
    if (ptx_is(in, "membar") || ptx_is(in, "fence"))
        return ptx_has(in, "cta") ? COST_fence_block : COST_fence;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(in->opcode, plain[i].opcode) == 0)
            return plain[i].class;
    ptx_type t = ptx_last_type(in);
    if (t == PTX_NO_TYPE || t == PTX_pred)
        return COST_alu;
    return ptx_type_kind(t) == 'f' ? class_of_float(in, t) : class_of_integer(in, t);
}

bool cost_is_fused(const ptx_instruction *before, const ptx_instruction *next)
{
    static const char *const logic[] = {"and", "or", "xor", "not"}, *const sums[] = {"add", "sub"};
    ptx_type b = ptx_last_type(next);
    bool floats = ptx_type_kind(b) == 'f', sum = PTX_IS_ANY(next, sums);
    if (PTX_IS_ANY(next, logic)) /* LOP3, or a setp with its boolean operation */
        return PTX_IS_ANY(before, logic) || (b == PTX_pred && ptx_is(before, "setp"));
    if (!sum)
        return false;
    if (floats) /* simt/contract finds these */
        return false;
    if (ptx_is(before, "mul")) /* IMAD */
        return ptx_has(before, "wide") ? ptx_type_bytes(b) == 8 : ptx_has(before, "lo") && ptx_type_bytes(b) == 4;
    return ptx_is(before, "shl") || PTX_IS_ANY(before, sums); /* LEA, IADD3 */
}
