/* A program for the cost model: the class of each op, and the registers that it
 * reads and writes. */
#include "simt/cost/prepare.h"

#include <string.h>

#include "ptx/words.h"
#include "simt/cost/classes.h"
#include "simt/cost/state.h"
#include "simt/program/flow.h"

#define MAX_PREDICATED 7 /* instructions of a short branch that compilers usually replace by predicates */
#define FUSE_DISTANCE 4  /* instructions within which ptxas finds a pair to fuse */

typedef struct preparer {
    program *program;  /* that is prepared */
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
    *o = (cost_op){
        .class = (uint8_t)cost_class_of(in), .bypasses_l1 = flow_is_strong(in), .first = (uint32_t)p->reg.count};
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

/* Fuses an op with one of the few before it, without a label or branch between. Each op is fused once at most. */
static void fuse(preparer *p, cost_op *const recent[FUSE_DISTANCE], const ptx_instruction *const in[FUSE_DISTANCE],
                 cost_op *o, const ptx_instruction *next)
{
    for (int i = 0; i < FUSE_DISTANCE && recent[i]; i++) {
        const cost_op *b = recent[i];
        if (b->class == COST_free || b->results != 1 || !reads(p, o, p->reg.at[b->first + b->sources]))
            continue;
        if (cost_is_fused(in[i], next))
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
        if (o->absorbed && p->out->op[i].class != COST_sfu) /* the reciprocal of a quotient remains */
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

/* Marks branches over a few instructions without another branch, barrier or call: ptxas uses predicates instead. */
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
