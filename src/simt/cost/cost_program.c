/* Prepares a program for the cost model: the class of each op, the registers that it reads and writes, and pairs that
 * ptxas fuses into one instruction. */
#include "simt/cost/cost_program.h"

#include <string.h>

#include "ptx/instruction.h"
#include "ptx/ptx.h"
#include "simt/cost/cost_model.h"
#include "simt/program/op.h"

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

/* The class only says whether a load or store is an instruction of the GPU; its cost depends on the space. */
static cost_class class_of_memory(const ptx_instruction *in)
{
    if (ptx_has(in, "param") || ptx_has(in, "param::entry") || ptx_has(in, "param::func"))
        return COST_free;
    return in->opcode[0] == 's' ? COST_store : COST_l1;
}

static cost_class class_of(const ptx_instruction *in)
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

/* Does ptxas fuse `before` with `next`, which uses its result? */
static bool is_fused(const ptx_instruction *before, const ptx_instruction *next)
{
    static const char *const logic[] = {"and", "or", "xor", "not"}, *const sums[] = {"add", "sub"};
    ptx_type b = ptx_last_type(next);
    bool floats = ptx_type_kind(b) == 'f', sum = PTX_IS_ANY(next, sums);
    if (PTX_IS_ANY(next, logic)) /* LOP3, or a setp with its boolean operation */
        return PTX_IS_ANY(before, logic) || (b == PTX_pred && ptx_is(before, "setp"));
    if (!sum || floats) /* ptxas/contract.c finds sums of floats */
        return false;
    if (ptx_is(before, "mul")) /* IMAD */
        return ptx_has(before, "wide") ? ptx_type_bytes(b) == 8 : ptx_has(before, "lo") && ptx_type_bytes(b) == 4;
    return ptx_is(before, "shl") || PTX_IS_ANY(before, sums); /* LEA, IADD3 */
}

#define MAX_PREDICATED 7 /* instructions of a short branch that compilers usually replace by predicates */
#define FUSE_DISTANCE 4  /* instructions within which ptxas finds a pair to fuse */

typedef struct preparer {
    program *program;
    cost_program *out; /* the result */
    VEC(uint32_t) reg; /* registers of all ops so far */
    uint32_t base;     /* number of the function's first register */
    bool failed;       /* memory ran out */
} preparer;

static uint32_t add_registers(preparer *p, const ptx_operand *x)
{
    uint32_t n = 0;
    if (x->kind == PTX_OP_REG) {
        p->failed = !vec_push(&p->reg, p->base + x->reg) || p->failed;
        n++;
    }
    for (uint32_t i = 0; i < x->items; i++)
        n += add_registers(p, &x->item[i]);
    return n;
}

static bool has_result(const ptx_instruction *in)
{
    static const char *const without[] = {"st",  "red",     "bra",    "brx",   "call",      "ret",      "exit",
                                          "bar", "barrier", "membar", "fence", "nanosleep", "prefetch", "trap"};
    if (ptx_is(in, "bar") && in->operands > 2)
        return true; /* bar.red */
    if (PTX_IS_ANY(in, without))
        return false;
    return in->operands > 0;
}

static void fill_op(preparer *p, cost_op *o, const ptx_instruction *in)
{
    bool result = has_result(in);
    *o = (cost_op){.class = (uint8_t)class_of(in), .bypasses_l1 = flow_is_strong(in), .first = (uint32_t)p->reg.count};
    uint32_t sources = 0;
    if (in->guard >= 0) {
        p->failed = !vec_push(&p->reg, p->base + (uint32_t)in->guard) || p->failed;
        sources++;
    }
    for (uint32_t i = result; i < in->operands; i++)
        sources += add_registers(p, &in->operand[i]);
    o->sources = (uint8_t)sources;
    o->results = (uint8_t)(result ? add_registers(p, &in->operand[0]) : 0);
}

static bool reads(const preparer *p, const cost_op *o, uint32_t reg)
{
    for (uint32_t i = 0; i < o->sources; i++)
        if (p->reg.at[o->first + i] == reg)
            return true;
    return false;
}

/* Fuses an op with one of the FUSE_DISTANCE ops before it, without a label or branch between. An op is fused once at
 * most. */
static void fuse(preparer *p, cost_op *const recent[FUSE_DISTANCE], const ptx_instruction *const in[FUSE_DISTANCE],
                 cost_op *o, const ptx_instruction *next)
{
    for (int i = 0; i < FUSE_DISTANCE && recent[i]; i++) {
        const cost_op *b = recent[i];
        if (b->class == COST_free || b->results != 1 || !reads(p, o, p->reg.at[b->first + b->sources]))
            continue;
        if (is_fused(in[i], next))
            o->class = COST_free;
        return;
    }
}

static void prepare_function(preparer *p, const function_code *f)
{
    cost_op *recent[FUSE_DISTANCE] = {0};
    const ptx_instruction *in[FUSE_DISTANCE] = {0};
    const ptx_instruction *last = NULL;
    for (uint32_t i = f->first; i < f->first + f->count; i++) {
        const op *o = &p->program->op[i];
        const ptx_instruction *x = o->source;
        if (o->hidden || !x)
            continue;
        fill_op(p, &p->out->op[i], x);
        if (p->failed)
            return;
        if (o->absorbed && p->out->op[i].class != COST_sfu) /* of a quotient the reciprocal remains */
            p->out->op[i].class = COST_free;
        if (o->is_target || (last && (last->opcode[0] == 'b' || ptx_is(last, "call"))))
            memset(recent, 0, sizeof recent);
        else
            fuse(p, recent, in, &p->out->op[i], x);
        memmove(recent + 1, recent, sizeof recent - sizeof *recent);
        memmove(in + 1, in, sizeof in - sizeof *in);
        recent[0] = &p->out->op[i];
        in[0] = last = x;
    }
}

/* Marks branches over a few instructions without another branch, barrier or call, for which ptxas uses predicates. */
static void mark_predicated(preparer *p, const function_code *f)
{
    const op *ops = p->program->op;
    for (uint32_t i = f->first; i < f->first + f->count; i++) {
        uint32_t target = ops[i].target, n = 0;
        if (ops[i].kind != OP_BRANCH || target <= i || target >= f->first + f->count)
            continue;
        for (uint32_t k = i + 1; k < target && n <= MAX_PREDICATED; k++)
            n += ops[k].kind == OP_LANES || ops[k].kind == OP_MEMORY ? !ops[k].hidden : MAX_PREDICATED + 1;
        if (n > MAX_PREDICATED)
            continue;
        p->out->op[i].class = COST_free;
        for (uint32_t k = i + 1; k <= target; k++)
            p->out->op[k].predicated = true;
    }
}

gcast_status cost_prepare(program *p, cost_program *out, gcast_error *err)
{
    preparer x = {.program = p, .out = out};
    *out = (cost_program){.op = arena_alloc_array(&p->memory, (size_t)p->ops + 1, sizeof *out->op)};
    x.failed = !out->op || !vec_reserve(&x.reg, 1);
    for (uint32_t i = 0; i < p->functions && !x.failed; i++) {
        prepare_function(&x, &p->function[i]);
        if (!x.failed)
            mark_predicated(&x, &p->function[i]);
        x.base += p->function[i].source->registers;
    }
    out->registers = x.base;
    x.failed = x.failed || !vec_push(&x.reg, 0); /* so that the list is not empty */
    if (!x.failed)
        out->reg = arena_copy(&p->memory, x.reg.at, x.reg.count * sizeof *out->reg);
    vec_free(&x.reg);
    return x.failed || !out->reg ? gcast_error_set_memory(err) : GCAST_OK;
}
