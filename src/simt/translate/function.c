/* A function becomes ops: its variables get places in the frame, its operands
 * rows, and its labels places in the code. */
#include "simt/translate/function.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/minmax.h"
#include "ptx/type.h"
#include "simt/contract/contract.h"
#include "simt/decode/emit.h"
#include "simt/decode/operands.h"
#include "simt/decode/rows.h"
#include "simt/program/value_types.h"
#include "simt/program/variables.h"
#include "simt/translate/group_order.h"
#include "simt/translate/instructions.h"
#include "simt/translate/reconvergence.h"

/* Gives a .local or .param variable its place in the frame of local memory. */
static bool place_in_frame(decoder *d, const ptx_var *v, uint32_t *at)
{
    uint64_t start = (uint64_t)round_up(d->local_bytes, variable_alignment(v));
    if (v->bytes > MAX_LOCAL_BYTES || start + v->bytes > MAX_LOCAL_BYTES)
        return decode_fail(d, "function %.100s needs more than %d KiB of local memory", d->fn->name,
                           MAX_LOCAL_BYTES >> 10);
    d->local_bytes = (uint32_t)(start + v->bytes);
    *at = (uint32_t)start;
    if (place_variable(d->program, v, start, true, d->err))
        return true;
    d->status = GCAST_RESOURCE;
    return false;
}

static bool place_parameters(decoder *d, const ptx_var *v, uint32_t count, const uint32_t **out)
{
    uint32_t *at = arena_alloc_array(&d->program->memory, count ? count : 1, sizeof *at);
    if (!at)
        return decode_fail_memory(d);
    for (uint32_t i = 0; i < count; i++) {
        if (v[i].space == PTX_SPACE_reg)
            return decode_fail(d, "function %.100s with a .reg parameter is not supported", d->fn->name);
        if (!place_in_frame(d, &v[i], &at[i]))
            return false;
    }
    *out = at;
    return true;
}

static gcast_status place_variables(decoder *d)
{
    const ptx_function *fn = d->fn;
    uint32_t offset;
    if (!fn->is_entry && (!place_parameters(d, fn->param, fn->params, &d->code->param_at) ||
                          !place_parameters(d, fn->ret, fn->returns, &d->code->ret_at)))
        return d->status;
    for (uint32_t i = 0; i < fn->items; i++) {
        const ptx_var *v = fn->item[i].kind == PTX_ITEM_VAR ? fn->item[i].var : NULL;
        if (v && (v->space == PTX_SPACE_local || v->space == PTX_SPACE_param) && !place_in_frame(d, v, &offset))
            return d->status;
    }
    return GCAST_OK;
}

gcast_status decode_places(decoder *d, function_code *f)
{
    d->fn = f->source;
    d->code = f;
    d->in = NULL;
    d->local_bytes = 0;
    gcast_status status = place_variables(d);
    f->local_bytes = (uint32_t)round_up(d->local_bytes, 16);
    return status;
}

static bool decode_guard(decoder *d)
{
    d->guard_flip = 0;
    if (d->in->guard < 0)
        return constant_row(d, UINT32_MAX, false, &d->guard);
    ptx_operand p = {.kind = PTX_OP_REG, .reg = (uint32_t)d->in->guard, .at = d->in->at};
    d->guard_flip = d->in->guard_negated ? UINT32_MAX : 0;
    return source(d, &p, 'p', &d->guard);
}

static bool decode_instruction(decoder *d, const ptx_instruction *in)
{
    d->in = in;
    d->taken = 0;
    if (in->mods > 60)
        return decode_fail(d, "%.40s with so many modifiers is not supported", in->opcode);
    const instruction_form *f = find_instruction(in->opcode);
    if (!f)
        return decode_unknown(d);
    if (!decode_guard(d))
        return false;
    op o = new_op(d, OP_LANES, f->mix);
    if (f->decode(d, &o))
        return true;
    return d->status == GCAST_OK ? decode_fail(d, "%.40s of such a kind is not supported", in->opcode) : false;
}

/* Replaces targets that are items by ops. pc[i] is the first op at or after item i. */
static void resolve_targets(decoder *d, const uint32_t *pc)
{
    for (uint32_t i = d->code->first; i < d->ops.count; i++) {
        op *o = &d->ops.at[i];
        if (o->kind == OP_BRANCH) {
            o->target = pc[o->target];
            d->ops.at[o->target].is_target = true;
        }
        if (o->kind == OP_TABLE_BRANCH)
            for (int64_t k = 0; k < o->imm; k++) {
                o->list[k] = pc[o->list[k]];
                d->ops.at[o->list[k]].is_target = true;
            }
    }
}

/* Control that reaches the end of the body returns. */
static bool add_end(decoder *d)
{
    const ptx_function *fn = d->fn;
    d->item = fn->items;
    ptx_instruction end = {.at = fn->items ? fn->item[fn->items - 1].at : fn->at, .guard = -1, .opcode = "ret"};
    return decode_instruction(d, &end);
}

static gcast_status decode_items(decoder *d, uint32_t *pc)
{
    const ptx_function *fn = d->fn;
    for (uint32_t i = 0; i < fn->items; i++) {
        pc[i] = (uint32_t)d->ops.count;
        d->item = i;
        if (fn->item[i].kind == PTX_ITEM_INSTRUCTION && !decode_instruction(d, fn->item[i].instruction))
            return d->status;
        for (uint32_t k = pc[i]; k < d->ops.count; k++)
            d->ops.at[k].source = fn->item[i].instruction;
        if (d->contract[i].absorbed && d->program->contract == GCAST_SIMT_CONTRACT_PTXAS)
            d->ops.at[d->ops.count - 1].absorbed = true;
    }
    if (!add_end(d))
        return d->status;
    resolve_targets(d, pc);
    d->code->count = (uint32_t)d->ops.count - d->code->first;
    gcast_status s = find_reconvergence(d->ops.at, d->code->first, d->code->count, d->err);
    return s == GCAST_OK ? find_order(d->ops.at, d->code->first, d->code->count, d->err) : s;
}

static gcast_status find_contractions(decoder *d)
{
    d->contract = calloc((size_t)d->fn->items + 1, sizeof *d->contract);
    return d->contract ? contract_function(d->fn, d->contract, d->err) : gcast_error_set_memory(d->err);
}

gcast_status decode_function(decoder *d, function_code *f)
{
    const ptx_function *fn = f->source;
    program *p = d->program;
    d->fn = fn;
    d->code = f;
    d->frame_bytes = 0;
    d->carry = 0;
    f->first = (uint32_t)d->ops.count;
    uint32_t *pc = calloc((size_t)fn->items + 1, sizeof *pc);
    d->reg = calloc((size_t)fn->registers + 1, sizeof *d->reg);
    gcast_status status = pc && d->reg ? find_contractions(d) : gcast_error_set_memory(d->err);
    if (status == GCAST_OK)
        status = decode_items(d, pc);
    if (status == GCAST_OK) {
        f->row_bytes = d->frame_bytes + LANES * 8; /* a row may be read wider than it is */
        f->constants = arena_copy(&p->memory, d->constant_bytes.at, d->constant_bytes.count);
        for (uint32_t i = 0; i < fn->registers; i++)
            f->registers += !d->reg[i] ? 0 : ptx_type_bytes(fn->reg[i].type) == 8 ? 2 : fn->reg[i].type != PTX_pred;
        if (!f->constants && d->constant_bytes.count)
            status = gcast_error_set_memory(d->err);
    }
    free(pc);
    free(d->reg);
    free(d->contract);
    d->reg = NULL;
    d->contract = NULL;
    d->constants.count = d->constant_bytes.count = 0;
    index_free(&d->constant_index);
    return status;
}
