#include "simt/registers/loop_unroll.h"

#include <stdlib.h>

#include "ptx/graph/roles.h"
#include "ptx/words.h"
#include "simt/registers/steps.h"

#define MAX_UNROLLED_STEPS 150 /* of a loop that ptxas unrolls */

/* Each iteration writes registers of its own and reads those of the iteration before; the last one writes those that
 * are live after the loop. */
bool registers_unroll(const register_steps *s, uint32_t times, register_steps *out)
{
    const uint32_t registers = (uint32_t)s->name.count;
    uint32_t *current = calloc((size_t)registers + 1, sizeof *current);
    uint8_t *is_out = calloc((size_t)registers + 1, 1);
    bool ok = current && is_out;
    registers_steps_clear(out);
    out->live_through = s->live_through;
    for (uint32_t r = 0; r < registers && ok; r++)
        current[r] = r;
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
            const uint32_t *reg = step_registers(s, &x);
            x.first = (uint32_t)out->operand.count;
            x.call_registers = 0;
            for (uint32_t k = 0; k < x.reads + x.writes && ok; k++) {
                uint32_t r = reg[k];
                if (k >= x.reads)
                    current[r] = t == times - 1 && is_out[r] ? r : r + (t + 1) * registers;
                ok = vec_push(&out->operand, current[r]);
            }
            ok = ok && vec_push(&out->steps, x);
        }
    free(current);
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
        if (in && ptx_is(in, "mov") && in->operand[1].kind == PTX_OP_REG)
            reg = in->operand[1].reg;
        else
            return in && (ptx_is(in, "add") || ptx_is(in, "sub")) && in->operands == 3 &&
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
    if (!loop || s->steps.count >= MAX_UNROLLED_STEPS || !ptx_is(end, "bra") || end->guard < 0)
        return false;
    bool loads = false;
    for (size_t i = 0; i < s->steps.count; i++) {
        if (s->steps.at[i].memory == STEP_FENCE || s->steps.at[i].call_registers > 2)
            return false;
        loads = loads || s->steps.at[i].memory == STEP_LOAD;
    }
    if (!loads) /* then iterations depend on each other */
        return false;
    const ptx_instruction *test = last_write(g, number, (uint32_t)end->guard);
    for (uint32_t k = 1; test && ptx_is(test, "setp") && k < test->operands; k++)
        if (test->operand[k].kind == PTX_OP_REG && counts_by_constant(g, number, test->operand[k].reg))
            return true;
    return false;
}
