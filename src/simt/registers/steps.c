/* The instructions of a block as steps of a schedule. */
#include "simt/registers/steps.h"

#include "ptx/type.h"
#include "ptx/words.h"
#include "simt/registers/needs.h"

#define MAX_GUARDED 7 /* instructions that ptxas guards instead of branching over them */

/* 32-bit registers that a function needs which ptxas calls for an instruction, besides what is live and the operands:
 * measured by compiling kernels with more and more live values around each instruction (CUDA 13.0, sm_90). */
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
    register_steps *s; /* where operands go */
    register_view *v;  /* what registers stand for */
    uint32_t count;    /* operands added so far */
    bool failed;       /* memory ran out */
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

/* live_after: for a block that becomes guarded, what is live where the branch over it leads to; else NULL. */
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

/* Does ptxas guard the block after this one instead of branching over it? Then the block that the branch leads to; else
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
