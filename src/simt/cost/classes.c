/* Which class of the cost model a PTX instruction is in, and which pairs ptxas makes one instruction of. */
#include <string.h>

#include "simt/cost/cost.h"

static bool has(const ptx_instruction *in, const char *word)
{
    for (uint32_t i = 0; i < in->mods; i++)
        if (strcmp(in->mod[i], word) == 0)
            return true;
    return false;
}

static ptx_type type_of(const ptx_instruction *in, bool last)
{
    ptx_type t = PTX_NO_TYPE;
    for (uint32_t i = 0; i < in->mods; i++)
        if (ptx_type_of(in->mod[i]) != PTX_NO_TYPE && (last || t == PTX_NO_TYPE))
            t = ptx_type_of(in->mod[i]);
    return t;
}

static bool among(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static cost_class class_of_float(const ptx_instruction *in, ptx_type t)
{
    static const char *const sfu[] = {"ex2", "lg2", "sin", "cos", "rsqrt", "tanh", NULL};
    static const char *const simple[] = {"abs", "neg", "min", "max", "copysign", NULL};
    bool wide = t == PTX_f64, approx = has(in, "approx") || has(in, "full");
    if (among(in->opcode, sfu))
        return COST_sfu;
    if (strcmp(in->opcode, "div") == 0 || strcmp(in->opcode, "rcp") == 0)
        return approx ? COST_sfu : wide ? COST_fdiv64 : COST_fdiv;
    if (strcmp(in->opcode, "sqrt") == 0)
        return approx ? COST_sfu : wide ? COST_fsqrt64 : COST_fsqrt;
    if (among(in->opcode, simple))
        return wide ? COST_alu64 : COST_alu;
    return wide ? COST_fma64 : ptx_type_bytes(t) == 2 || t == PTX_f16x2 || t == PTX_bf16x2 ? COST_half : COST_fma;
}

static cost_class class_of_integer(const ptx_instruction *in, ptx_type t)
{
    static const char *const mul[] = {"mul", "mad", "madc", "mul24", "mad24", "dp4a", "dp2a", NULL};
    static const char *const bits[] = {"popc", "clz", "brev", "bfind", "fns", NULL};
    bool wide = ptx_type_bytes(t) == 8;
    if (among(in->opcode, mul))
        return has(in, "wide") || has(in, "hi") ? COST_mul_wide : wide ? COST_mul64 : COST_mul;
    if (strcmp(in->opcode, "div") == 0 || strcmp(in->opcode, "rem") == 0)
        return wide ? COST_divide64 : COST_divide;
    return among(in->opcode, bits) ? COST_bits : wide ? COST_alu64 : COST_alu;
}

static cost_class class_of_cvt(const ptx_instruction *in)
{
    ptx_type to = type_of(in, false), from = type_of(in, true);
    bool to_float = ptx_type_kind(to) == 'f', from_float = ptx_type_kind(from) == 'f';
    if (!to_float && !from_float) /* the upper half is a zero, or is left out */
        return ptx_type_bytes(to) == 8 ? (ptx_type_kind(from) == 's' ? COST_alu : COST_free)
               : ptx_type_bytes(from) >= 4 && ptx_type_bytes(to) == 4 ? COST_free
                                                                      : COST_alu;
    if (ptx_type_bytes(to) == 8 || ptx_type_bytes(from) == 8)
        return COST_convert64;
    return from_float && !to_float ? COST_convert_back : COST_convert;
}

/* Of loads and stores only whether they are instructions of the GPU; the space decides the rest. */
static cost_class class_of_memory(const ptx_instruction *in)
{
    if (has(in, "param") || has(in, "param::entry") || has(in, "param::func"))
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
    if (strcmp(in->opcode, "ld") == 0 || strcmp(in->opcode, "ldu") == 0 || strcmp(in->opcode, "st") == 0)
        return class_of_memory(in);
    if (strcmp(in->opcode, "mov") == 0)
        return in->operands == 2 && in->operand[1].kind == PTX_OP_SPECIAL ? COST_special : COST_free;
    if (strcmp(in->opcode, "cvt") == 0)
        return class_of_cvt(in);
    if (strcmp(in->opcode, "membar") == 0 || strcmp(in->opcode, "fence") == 0)
        return has(in, "cta") ? COST_fence_block : COST_fence;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(in->opcode, plain[i].opcode) == 0)
            return plain[i].class;
    ptx_type t = type_of(in, true);
    if (t == PTX_NO_TYPE || t == PTX_pred)
        return COST_alu;
    return ptx_type_kind(t) == 'f' ? class_of_float(in, t) : class_of_integer(in, t);
}

bool cost_is_fused(const ptx_instruction *before, const ptx_instruction *next)
{
    static const char *const logic[] = {"and", "or", "xor", "not", NULL}, *const sums[] = {"add", "sub", NULL};
    ptx_type b = type_of(next, true);
    bool floats = ptx_type_kind(b) == 'f', sum = among(next->opcode, sums);
    if (among(next->opcode, logic)) /* LOP3, or a setp with its boolean operation */
        return among(before->opcode, logic) || (b == PTX_pred && strcmp(before->opcode, "setp") == 0);
    if (!sum)
        return false;
    if (floats) /* contract.c knows */
        return false;
    if (strcmp(before->opcode, "mul") == 0) /* IMAD */
        return has(before, "wide") ? ptx_type_bytes(b) == 8 : has(before, "lo") && ptx_type_bytes(b) == 4;
    return strcmp(before->opcode, "shl") == 0 || among(before->opcode, sums); /* LEA, IADD3 */
}
