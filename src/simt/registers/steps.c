/* The instructions of a block as steps of a schedule, also of several rounds of
 * a loop. */
#include <stdlib.h>
#include <string.h>

#include "simt/contract/contract.h"
#include "simt/registers/registers.h"

#define MOST_UNROLLED 150 /* steps of a loop that ptxas unrolls */
#define MOST_GUARDED 7    /* instructions that ptxas guards instead of jumping over them */

/* Words that the functions need which ptxas calls for some instructions, besides what is live and the operands: found
 * by compiling kernels with more and more live values around each (CUDA 13.0, sm_90). */
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
        if (t == functions[i].type && contract_is(in, functions[i].opcode))
            return by_constant && ptx_type_bytes(t) == 4 && ptx_type_kind(t) != 'f' ? 1 : functions[i].words;
    return 0;
}

static uint8_t kind_of(const ptx_instruction *in)
{
    static const char *const functions[] = {"sin", "cos", "ex2", "lg2", "rsqrt", "rcp", "sqrt", "tanh"};
    static const char *const exchanges[] = {"shfl", "vote", "match", "redux"};
    ptx_type t = ptx_last_type(in);
    if (contract_is(in, "ld") || contract_is(in, "ldu") || contract_is(in, "atom"))
        return ptx_has(in, "shared") && !contract_is(in, "atom") ? STEP_NEAR : STEP_FAR;
    if (contract_is(in, "st") || contract_is(in, "red"))
        return STEP_STORE;
    for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++)
        if (contract_is(in, exchanges[i]))
            return STEP_NEAR;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (contract_is(in, functions[i]))
            return STEP_FUNCTION;
    if (contract_is(in, "mov") && in->operands > 1 && in->operand[1].kind == PTX_OP_SPECIAL)
        return STEP_SPECIAL;
    if (contract_is(in, "cvt") && (ptx_type_kind(t) == 'f' || ptx_type_kind(ptx_first_type(in)) == 'f'))
        return STEP_FUNCTION;
    return t == PTX_f64 ? STEP_DOUBLE : STEP_PLAIN;
}

/* Atomics keep no order among themselves. */
static uint8_t memory_of(const ptx_instruction *in, bool is_entry)
{
    static const char *const fences[] = {"bar", "barrier", "membar", "fence", "call", "cp", "mbarrier", "nanosleep"};
    for (size_t i = 0; i < sizeof fences / sizeof *fences; i++)
        if (contract_is(in, fences[i]))
            return STEP_FENCE;
    if (contract_is(in, "ld") || contract_is(in, "ldu"))
        return ptx_has(in, "param") && is_entry ? STEP_REGISTERS : ptx_has_effect(in) ? STEP_FENCE : STEP_LOAD;
    return contract_is(in, "st") || contract_is(in, "red") ? STEP_WRITE : STEP_REGISTERS;
}

static uint8_t space_of(const ptx_instruction *in)
{
    return ptx_has(in, "nc") || ptx_has(in, "const") ? PTX_SPACE_const
           : ptx_has(in, "shared")                   ? PTX_SPACE_shared
           : ptx_has(in, "local")                    ? PTX_SPACE_local
                                                     : PTX_SPACE_global;
}

typedef struct adder {
    register_steps *s;
    register_view *v;
    uint32_t count;
    bool failed;
} adder;

static void add_operand(void *data, uint32_t reg, bool part)
{
    (void)part;
    adder *a = data;
    register_view *v = a->v;
    if (!v->words[reg]) /* predicates are apart */
        return;
    if (v->seen[reg] != v->turn) {
        v->seen[reg] = v->turn;
        v->local[reg] = (uint32_t)a->s->name.count;
        a->failed = !vec_push(&a->s->name, reg) || !vec_push(&a->s->words, v->words[reg]) || a->failed;
    }
    a->failed = !vec_push(&a->s->operand, v->local[reg]) || a->failed;
    a->count++;
}

/* `kept`: what is live where a jump over the block leads to, of a block that is guarded; else NULL. */
static bool add_block(const ptx_live *live, register_view *v, uint32_t number, const uint64_t *kept, register_steps *s)
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
                  .extra = extra_of(in),
                  .guarded = in->guard >= 0,
                  .call = contract_is(in, "call")};
        if (live->dead[i] || ptx_is_jump(in))
            continue;
        roles.reads(v, i, add_operand, &a);
        x.reads = a.count;
        roles.writes(v, i, add_operand, &a);
        x.writes = a.count - x.reads;
        for (uint32_t k = x.first + x.reads; k < s->operand.count && kept && !a.failed; k++)
            x.guarded = x.guarded || ptx_live_has(live, kept, s->name.at[s->operand.at[k]]);
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
            if (v->seen[reg] == v->turn && v->words[reg])
                ok = vec_push(&s->out, v->local[reg]);
            else
                s->through += v->words[reg];
        }
    return ok;
}

/* A jump over a few plain instructions becomes guards: the block where it leads to, or PTX_NONE. */
static uint32_t after_guards(const ptx_graph *g, const ptx_live *live, uint32_t number)
{
    const ptx_graph_block *b = &g->block[number], *inner = b + 1;
    uint32_t steps = 0, to;
    if (b->edges != 2 || number + 2 >= g->blocks || inner->edges != 1 || inner->from != 1)
        return PTX_NONE;
    to = g->edge[inner->edge];
    if (to != number + 2 || g->block[to].from != 2 || (g->edge[b->edge] != to && g->edge[b->edge + 1] != to))
        return PTX_NONE;
    for (uint32_t i = inner->first; i < inner->first + inner->count; i++) {
        uint8_t memory = memory_of(g->in[i], g->fn->is_entry);
        if (memory == STEP_FENCE || extra_of(g->in[i]) > 2)
            return PTX_NONE;
        steps += !live->dead[i] && !ptx_is_jump(g->in[i]);
    }
    return steps <= MOST_GUARDED ? to : PTX_NONE;
}

static void clear(register_steps *s)
{
    s->steps.count = s->operand.count = s->out.count = s->name.count = s->words.count = 0;
    s->through = 0;
}

bool registers_steps(const ptx_live *live, register_view *v, uint32_t *block_number, register_steps *s)
{
    uint32_t number = *block_number;
    bool ok = true;
    clear(s);
    v->turn++;
    for (uint32_t next; ok; number = next) {
        ok = add_block(live, v, number, NULL, s);
        next = after_guards(v->graph, live, number);
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

/* Each round writes registers of its own; what it takes from the one before are that one's, and what the last leaves
 * behind are the loop's. */
bool registers_unroll(const register_steps *s, uint32_t times, register_steps *out)
{
    const uint32_t registers = (uint32_t)s->name.count;
    uint32_t *now = calloc((size_t)registers + 1, sizeof *now);
    uint8_t *is_out = calloc((size_t)registers + 1, 1);
    bool ok = now && is_out;
    clear(out);
    out->through = s->through;
    for (uint32_t r = 0; r < registers && ok; r++)
        now[r] = r;
    for (size_t i = 0; i < s->out.count && ok; i++) {
        is_out[s->out.at[i]] = 1;
        ok = vec_push(&out->out, s->out.at[i]);
    }
    for (uint32_t t = 0; t <= times && ok; t++)
        for (uint32_t r = 0; r < registers && ok; r++)
            ok = vec_push(&out->name, s->name.at[r]) && vec_push(&out->words, s->words.at[r]);
    for (uint32_t t = 0; t < times && ok; t++)
        for (size_t i = 0; i < s->steps.count && ok; i++) {
            step x = s->steps.at[i];
            const uint32_t *reg = s->operand.at + x.first;
            x.first = (uint32_t)out->operand.count;
            x.extra = 0;
            for (uint32_t k = 0; k < x.reads + x.writes && ok; k++) {
                uint32_t r = reg[k];
                if (k >= x.reads)
                    now[r] = t == times - 1 && is_out[r] ? r : r + (t + 1) * registers;
                ok = vec_push(&out->operand, now[r]);
            }
            ok = ok && vec_push(&out->steps, x);
        }
    free(now);
    free(is_out);
    return ok;
}

/* The instruction of a block that last writes a register; NULL: none. */
static const ptx_instruction *last_write(const ptx_graph *g, uint32_t number, uint32_t reg)
{
    const ptx_graph_block *b = &g->block[number];
    for (uint32_t i = b->first + b->count; i-- > b->first;) {
        const ptx_instruction *in = g->in[i];
        if (in->operands && in->operand[0].kind == PTX_OP_REG && in->operand[0].reg == reg && !ptx_is_jump(in))
            return in;
    }
    return NULL;
}

static bool counts_by_constant(const ptx_graph *g, uint32_t number, uint32_t reg)
{
    for (int moves = 0; moves < 4; moves++) {
        const ptx_instruction *in = last_write(g, number, reg);
        if (in && contract_is(in, "mov") && in->operand[1].kind == PTX_OP_REG)
            reg = in->operand[1].reg;
        else
            return in && (contract_is(in, "add") || contract_is(in, "sub")) && in->operands == 3 &&
                   in->operand[2].kind == PTX_OP_INT;
    }
    return false;
}

bool registers_unrolls(const ptx_graph *g, uint32_t number, const register_steps *s)
{
    const ptx_graph_block *b = &g->block[number];
    const ptx_instruction *end = g->in[b->first + b->count - 1];
    bool loop = false;
    for (uint32_t k = 0; k < b->edges; k++)
        loop = loop || g->edge[b->edge + k] == number;
    if (!loop || s->steps.count >= MOST_UNROLLED || !contract_is(end, "bra") || end->guard < 0)
        return false;
    bool loads = false;
    for (size_t i = 0; i < s->steps.count; i++) {
        if (s->steps.at[i].memory == STEP_FENCE || s->steps.at[i].extra > 2)
            return false;
        loads = loads || s->steps.at[i].memory == STEP_LOAD;
    }
    if (!loads) /* then rounds follow each other */
        return false;
    const ptx_instruction *test = last_write(g, number, (uint32_t)end->guard);
    for (uint32_t k = 1; test && contract_is(test, "setp") && k < test->operands; k++)
        if (test->operand[k].kind == PTX_OP_REG && counts_by_constant(g, number, test->operand[k].reg))
            return true;
    return false;
}
