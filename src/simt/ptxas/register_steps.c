/* Finds the PTX registers that need a register of the GPU, and makes the steps of blocks. */
#include "simt/ptxas/register_steps.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/instruction.h"
#include "ptx/ptx.h"
#include "simt/ptxas/contract.h"

typedef struct view_builder {
    register_view *v; /* the result */
    uint32_t *writes; /* by register: number of writes */
    bool all_free;    /* all operands that were visited are REGISTER_FREE */
} view_builder;

static void count_write(void *data, uint32_t reg, bool part)
{
    uint32_t *writes = data;
    writes[reg] += part ? 2 : 1;
}

static void ask_free(void *data, uint32_t reg, bool part)
{
    (void)part;
    view_builder *builder = data;
    builder->all_free = builder->all_free && builder->v->stands_for[reg] == REGISTER_FREE;
}

/* Special registers that are the same for a whole block are read again where they are needed. */
static bool differs_by_thread(const char *special)
{
    return strncmp(special, "%tid", 4) == 0 || strncmp(special, "%lane", 5) == 0;
}

/* register_view.stands_for of a register that only `in` writes. */
static uint32_t original_of(view_builder *builder, const ptx_instruction *in, uint32_t reg)
{
    static const char *const uniform[] = {"add", "sub", "mul", "mad", "shl", "shr", "cvt", "and", "or",
                                          "xor", "not", "neg", "min", "max", "abs", "bfe", "lop3"};
    const ptx_operand *x = in->operands > 1 ? &in->operand[1] : NULL;
    const bool copies = ptx_is(in, "mov") || ptx_is(in, "cvta");
    if (!x || in->operand[0].kind != PTX_OP_REG)
        return reg;
    if (copies && x->kind == PTX_OP_REG && !x->component)
        return builder->v->stands_for[x->reg];
    if (copies && x->kind == PTX_OP_SPECIAL)
        return differs_by_thread(x->name) ? reg : REGISTER_FREE;
    if (copies)
        return x->kind == PTX_OP_VECTOR || x->kind == PTX_OP_REG ? reg : REGISTER_FREE;
    if (contract_is_constant_load(in, builder->v->graph->fn->is_entry))
        return REGISTER_FREE;
    if (!PTX_IS_ANY(in, uniform) || ptx_has(in, "cc"))
        return reg;
    builder->all_free = true;
    ptx_each_read(in, ask_free, builder);
    return builder->all_free ? REGISTER_FREE : reg;
}

bool registers_view_make(register_view *v, const ptx_graph *g)
{
    const ptx_function *fn = g->fn;
    size_t registers = (size_t)fn->registers + 1;
    *v = (register_view){.graph = g};
    v->stands_for = malloc(registers * sizeof *v->stands_for);
    v->words = calloc(registers, sizeof *v->words);
    v->local = calloc(registers, sizeof *v->local);
    v->numbered_turn = calloc(registers, sizeof *v->numbered_turn);
    view_builder builder = {.v = v, .writes = calloc(registers, sizeof *builder.writes)};
    bool ok = v->stands_for && v->words && v->local && v->numbered_turn && builder.writes;
    for (uint32_t r = 0; ok && r < fn->registers; r++) {
        int bytes = ptx_type_bytes(fn->reg[r].type) * (fn->reg[r].width > 1 ? fn->reg[r].width : 1);
        v->stands_for[r] = r;
        v->words[r] = (uint8_t)((bytes + 3) / 4);
    }
    for (uint32_t i = 0; ok && i < g->count; i++)
        ptx_each_write(g->in[i], count_write, builder.writes);
    for (uint32_t i = 0; ok && i < g->count; i++) {
        const ptx_instruction *in = g->in[i];
        uint32_t reg = in->operands && in->operand[0].kind == PTX_OP_REG ? in->operand[0].reg : REGISTER_FREE;
        if (reg != REGISTER_FREE && in->guard < 0 && builder.writes[reg] == 1 && v->words[reg] && !ptx_has_effect(in))
            v->stands_for[reg] = original_of(&builder, in, reg);
    }
    free(builder.writes);
    if (!ok)
        registers_view_free(v);
    return ok;
}

void registers_view_free(register_view *v)
{
    free(v->stands_for);
    free(v->words);
    free(v->local);
    free(v->numbered_turn);
    *v = (register_view){0};
}

/* Copies and free values need no instruction. */
static bool needs_nothing(const register_view *v, const ptx_instruction *in)
{
    const ptx_operand *d = in->operands ? &in->operand[0] : NULL;
    return d && d->kind == PTX_OP_REG && !ptx_has_effect(in) && v->stands_for[d->reg] != d->reg;
}

typedef struct resolver {
    const register_view *v;
    ptx_visit *visit; /* called for the register that one stands for */
    void *data;       /* first argument of `visit` */
} resolver;

static void resolve(void *data, uint32_t reg, bool part)
{
    const resolver *r = data;
    uint32_t original = r->v->stands_for[reg];
    if (original != REGISTER_FREE)
        r->visit(r->data, original, part);
}

static void reads(const void *data, uint32_t instruction, ptx_visit *visit, void *visit_data)
{
    const register_view *v = data;
    resolver r = {v, visit, visit_data};
    if (!needs_nothing(v, v->graph->in[instruction]))
        ptx_each_read(v->graph->in[instruction], resolve, &r);
}

static void writes(const void *data, uint32_t instruction, ptx_visit *visit, void *visit_data)
{
    const register_view *v = data;
    if (!needs_nothing(v, v->graph->in[instruction]))
        ptx_each_write(v->graph->in[instruction], visit, visit_data);
}

static bool effect(const void *data, uint32_t instruction)
{
    const register_view *v = data;
    return ptx_has_effect(v->graph->in[instruction]);
}

ptx_roles registers_roles(const register_view *v)
{
    return (ptx_roles){reads, writes, effect, v};
}

#define MAX_GUARDED 7 /* instructions that ptxas guards instead of branching over them */

/* For some instructions ptxas calls a function. Returns the 32-bit registers that this needs besides live values and
 * operands, measured by compiling kernels with more and more live values around each instruction (CUDA 13.0, sm_90). */
static uint8_t extra_of(const ptx_instruction *in)
{
    static const struct {
        const char *opcode;
        ptx_type type;
        uint8_t words;
    } functions[] = {
        {"div", PTX_f32, 6}, {"rcp", PTX_f32, 3}, {"sqrt", PTX_f32, 3}, {"div", PTX_f64, 12},  {"sqrt", PTX_f64, 10},
        {"rcp", PTX_f64, 6}, {"div", PTX_u64, 5}, {"rem", PTX_u64, 5},  {"div", PTX_s64, 8},   {"rem", PTX_s64, 8},
        {"div", PTX_u32, 3}, {"rem", PTX_u32, 3}, {"div", PTX_s32, 3},  {"rem", PTX_s32, 3},   {"div", PTX_u16, 2},
        {"rem", PTX_u16, 2}, {"div", PTX_s16, 2}, {"rem", PTX_s16, 2},  {"rsqrt", PTX_f64, 3},
    };
    ptx_type t = ptx_last_type(in);
    bool by_constant = in->operands && in->operand[in->operands - 1].kind != PTX_OP_REG;
    if (ptx_has(in, "approx") && t == PTX_f32)
        return 0;
    if (ptx_has(in, "full") || (ptx_has(in, "approx") && ptx_has(in, "ftz")))
        return 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (t == functions[i].type && ptx_is(in, functions[i].opcode))
            return by_constant && ptx_type_bytes(t) == 4 && ptx_type_kind(t) != 'f' ? 1 : functions[i].words;
    return 0;
}

static uint8_t kind_of(const ptx_instruction *in)
{
    static const char *const functions[] = {"sin", "cos", "ex2", "lg2", "rsqrt", "rcp", "sqrt", "tanh"};
    static const char *const exchanges[] = {"shfl", "vote", "match", "redux"};
    ptx_type t = ptx_last_type(in);
    if (ptx_is(in, "ld") || ptx_is(in, "ldu") || ptx_is(in, "atom"))
        return ptx_has(in, "shared") && !ptx_is(in, "atom") ? STEP_NEAR : STEP_FAR;
    if (ptx_is(in, "st") || ptx_is(in, "red"))
        return STEP_STORE;
    if (PTX_IS_ANY(in, exchanges))
        return STEP_NEAR;
    if (PTX_IS_ANY(in, functions))
        return STEP_FUNCTION;
    if (ptx_is(in, "mov") && in->operands > 1 && in->operand[1].kind == PTX_OP_SPECIAL)
        return STEP_SPECIAL;
    if (ptx_is(in, "cvt") && (ptx_type_kind(t) == 'f' || ptx_type_kind(ptx_first_type(in)) == 'f'))
        return STEP_FUNCTION;
    return t == PTX_f64 ? STEP_DOUBLE : STEP_PLAIN;
}

/* Atomics are not ordered among themselves. */
static uint8_t memory_of(const ptx_instruction *in, bool is_entry)
{
    static const char *const fences[] = {"bar", "barrier", "membar", "fence", "call", "cp", "mbarrier", "nanosleep"};
    if (PTX_IS_ANY(in, fences))
        return STEP_FENCE;
    if (ptx_is(in, "ld") || ptx_is(in, "ldu"))
        return ptx_has(in, "param") && is_entry ? STEP_REGISTERS : ptx_has_effect(in) ? STEP_FENCE : STEP_LOAD;
    return ptx_is(in, "st") || ptx_is(in, "red") ? STEP_WRITE : STEP_REGISTERS;
}

static uint8_t space_of(const ptx_instruction *in)
{
    return ptx_has(in, "nc") || ptx_has(in, "const") ? PTX_SPACE_const
           : ptx_has(in, "shared")                   ? PTX_SPACE_shared
           : ptx_has(in, "local")                    ? PTX_SPACE_local
                                                     : PTX_SPACE_global;
}

typedef struct adder {
    register_steps *s; /* gets the operands */
    register_view *v;
    uint32_t count; /* operands added so far */
    bool failed;    /* memory ran out */
} adder;

static void add_operand(void *data, uint32_t reg, bool part)
{
    (void)part;
    adder *a = data;
    register_view *v = a->v;
    if (!v->words[reg]) /* predicates are separate registers */
        return;
    if (v->numbered_turn[reg] != v->turn) {
        v->numbered_turn[reg] = v->turn;
        v->local[reg] = (uint32_t)a->s->name.count;
        a->failed = !vec_push(&a->s->name, reg) || !vec_push(&a->s->words, v->words[reg]) || a->failed;
    }
    a->failed = !vec_push(&a->s->operand, v->local[reg]) || a->failed;
    a->count++;
}

/* Adds the instructions of a block. live_after: for a block that becomes guarded, the registers that are live at the
 * target of the branch over it; otherwise NULL. */
static bool add_block(const ptx_live *live, register_view *v, uint32_t number, const uint64_t *live_after,
                      register_steps *s)
{
    const ptx_graph_block *b = &v->graph->block[number];
    ptx_roles roles = registers_roles(v);
    bool ok = true;
    for (uint32_t i = b->first; i < b->first + b->count && ok; i++) {
        const ptx_instruction *in = v->graph->in[i];
        adder a = {.s = s, .v = v};
        step x = {.first = (uint32_t)s->operand.count,
                  .kind = kind_of(in),
                  .memory = memory_of(in, v->graph->fn->is_entry),
                  .space = space_of(in),
                  .call_registers = extra_of(in),
                  .guarded = in->guard >= 0,
                  .call = ptx_is(in, "call")};
        if (live->dead[i] || ptx_is_jump(in))
            continue;
        roles.reads(v, i, add_operand, &a);
        x.reads = a.count;
        roles.writes(v, i, add_operand, &a);
        x.writes = a.count - x.reads;
        for (uint32_t k = x.first + x.reads; k < s->operand.count && live_after && !a.failed; k++)
            x.guarded = x.guarded || ptx_live_has(live, live_after, s->name.at[s->operand.at[k]]);
        ok = !a.failed && vec_push(&s->steps, x);
    }
    return ok;
}

static bool add_out(const ptx_live *live, const register_view *v, uint32_t number, register_steps *s)
{
    const uint64_t *out = live->out + (size_t)number * live->stride;
    bool ok = true;
    for (uint32_t w = 0; w < live->words; w++)
        for (uint64_t bits = out[w]; bits && ok; bits &= bits - 1) {
            uint32_t reg = live->reg[w * 64 + (uint32_t)__builtin_ctzll(bits)];
            if (v->numbered_turn[reg] == v->turn && v->words[reg])
                ok = vec_push(&s->out, v->local[reg]);
            else
                s->live_through += v->words[reg];
        }
    return ok;
}

/* If ptxas guards the block after this one instead of branching over it: the target of that branch; otherwise
 * PTX_NONE. */
static uint32_t guarded_target(const ptx_graph *g, const ptx_live *live, uint32_t number)
{
    const ptx_graph_block *b = &g->block[number], *inner = b + 1;
    uint32_t steps = 0, target;
    if (b->edges != 2 || number + 2 >= g->blocks || inner->edges != 1 || inner->predecessors != 1)
        return PTX_NONE;
    target = g->edge[inner->edge];
    if (target != number + 2 || g->block[target].predecessors != 2 ||
        (g->edge[b->edge] != target && g->edge[b->edge + 1] != target))
        return PTX_NONE;
    for (uint32_t i = inner->first; i < inner->first + inner->count; i++) {
        uint8_t memory = memory_of(g->in[i], g->fn->is_entry);
        if (memory == STEP_FENCE || extra_of(g->in[i]) > 2)
            return PTX_NONE;
        steps += !live->dead[i] && !ptx_is_jump(g->in[i]);
    }
    return steps <= MAX_GUARDED ? target : PTX_NONE;
}

void registers_steps_clear(register_steps *s)
{
    s->steps.count = s->operand.count = s->out.count = s->name.count = s->words.count = 0;
    s->live_through = 0;
}

bool registers_steps(const ptx_live *live, register_view *v, uint32_t *block_number, register_steps *s)
{
    uint32_t number = *block_number;
    bool ok = true;
    registers_steps_clear(s);
    v->turn++;
    for (uint32_t next; ok; number = next) {
        ok = add_block(live, v, number, NULL, s);
        next = guarded_target(v->graph, live, number);
        if (next == PTX_NONE)
            break;
        ok = ok && add_block(live, v, number + 1, live->in + (size_t)next * live->stride, s);
    }
    *block_number = number;
    return ok && add_out(live, v, number, s);
}

void registers_steps_free(register_steps *s)
{
    vec_free(&s->steps);
    vec_free(&s->operand);
    vec_free(&s->out);
    vec_free(&s->name);
    vec_free(&s->words);
}
