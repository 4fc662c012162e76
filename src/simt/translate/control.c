/* Branches, calls and ends. */
#include "simt/translate/control.h"

#include <string.h>

#include "ptx/words.h"
#include "simt/decode/emit.h"
#include "simt/decode/modifiers.h"
#include "simt/decode/operands.h"
#include "simt/program/variables.h"

/* Targets are numbers of items until the function is decoded. */
bool decode_bra(decoder *d, op *o)
{
    take(d, "uni"); /* promises that all active threads take the same branch; not used here */
    if (!all_taken(d) || !has_operands(d, 1, 1))
        return false;
    if (d->in->operand[0].kind != PTX_OP_LABEL)
        return decode_fail(d, "bra wants a label");
    o->kind = OP_BRANCH;
    o->target = d->in->operand[0].target;
    return emit(d, o);
}

bool decode_brx(decoder *d, op *o)
{
    if (!take(d, "idx"))
        return decode_fail(d, "brx without .idx is not supported");
    take(d, "uni");
    if (!all_taken(d) || !has_operands(d, 2, 2))
        return false;
    const ptx_operand *table = &d->in->operand[1];
    if (table->kind != PTX_OP_TABLE || d->fn->item[table->target].kind != PTX_ITEM_TARGETS)
        return decode_fail(d, "brx.idx wants a list of .branchtargets");
    const ptx_operand *list = &d->fn->item[table->target].list;
    if (list->items == 0)
        return decode_fail(d, "brx.idx with an empty list of targets");
    uint32_t *targets = arena_alloc_array(&d->program->memory, list->items, sizeof *targets);
    if (!targets)
        return decode_fail_memory(d);
    for (uint32_t i = 0; i < list->items; i++) {
        if (list->item[i].kind != PTX_OP_LABEL)
            return decode_fail(d, "brx.idx to something that is no label");
        targets[i] = list->item[i].target;
    }
    o->kind = OP_TABLE_BRANCH;
    o->imm = list->items;
    o->list = targets;
    return source(d, &d->in->operand[0], 'w', &o->a) && emit(d, o);
}

/* An argument or result: a .param variable of this frame. */
static bool decode_value(decoder *d, const ptx_operand *x, const ptx_var *param, uint32_t offset, call_value *out)
{
    if (x->kind != PTX_OP_VAR)
        return decode_fail(d, "call with arguments that are no .param variables is not supported");
    const variable *v = find_variable(d->program, x->var);
    if (!v || !v->in_frame)
        return decode_fail(d, "call with an argument that is no .param variable of this function is not supported");
    if (param && x->var->bytes != param->bytes)
        return decode_fail(d, "call passes %llu bytes as %.60s, which has %llu", (unsigned long long)x->var->bytes,
                           param->name, (unsigned long long)param->bytes);
    *out = (call_value){(uint32_t)v->address, offset, (uint32_t)x->var->bytes};
    return true;
}

static bool decode_values(decoder *d, const ptx_operand *list, const function_code *callee, bool results,
                          const call_value **out)
{
    uint32_t count = list ? list->items : 0;
    uint32_t wanted = callee ? (results ? callee->source->returns : callee->source->params) : count;
    if (count != wanted)
        return decode_fail(d, "call of %.100s with %u %s, not %u", callee->source->name, count,
                           results ? "results" : "arguments", wanted);
    call_value *values = arena_alloc_array(&d->program->memory, count ? count : 1, sizeof *values);
    if (!values)
        return decode_fail_memory(d);
    for (uint32_t i = 0; i < count; i++) {
        const ptx_var *var = callee ? (results ? &callee->source->ret[i] : &callee->source->param[i]) : NULL;
        uint32_t at = callee ? (results ? callee->ret_at[i] : callee->param_at[i]) : 0;
        if (!decode_value(d, &list->item[i], var, at, &values[i]))
            return false;
    }
    *out = values;
    return true;
}

/* The operands of call{.uni} (results), function, (arguments){, prototype}. */
static void split_operands(const ptx_instruction *in, const ptx_operand **results, const ptx_operand **callee,
                           const ptx_operand **arguments)
{
    uint32_t i = 0;
    *results = *arguments = NULL;
    if (i < in->operands && in->operand[i].kind == PTX_OP_LIST)
        *results = &in->operand[i++];
    *callee = i < in->operands ? &in->operand[i++] : NULL;
    if (i < in->operands && in->operand[i].kind == PTX_OP_LIST)
        *arguments = &in->operand[i];
}

static int32_t find_callee(const program *p, const char *name)
{
    for (uint32_t i = 0; i < p->functions; i++)
        if (strcmp(p->function[i].source->name, name) == 0)
            return (int32_t)i;
    return -1;
}

/* Fails for a function without a body. The CUDA runtime has some for kernels, such as cudaMalloc or __cudaCDP2Malloc;
 * two of them launch kernels. */
static bool fail_external(decoder *d, const char *name)
{
    if (strstr(name, "GetParameterBuffer") || strstr(name, "LaunchDevice"))
        return decode_fail(d, "call of %.100s: kernels that start kernels are not supported", name);
    if (strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0)
        return decode_fail(d, "call of %.100s: the CUDA runtime for kernels is not supported", name);
    return decode_fail(d, "call of %.100s, which has no body, is not supported", name);
}

/* Is it a function that the machine provides? Then k->function says which. */
static bool is_built_in(const char *name, call *k)
{
    if (strcmp(name, "vprintf") == 0 && k->values == 2)
        k->function = CALL_PRINT;
    else if (strcmp(name, "__assertfail") == 0 && k->values >= 3)
        k->function = CALL_ASSERT;
    else if (strcmp(name, "malloc") == 0 && k->values == 1 && k->results == 1)
        k->function = CALL_MALLOC;
    else if (strcmp(name, "free") == 0 && k->values == 1)
        k->function = CALL_FREE;
    else
        return false;
    return true;
}

bool decode_call(decoder *d, op *o)
{
    const ptx_operand *results, *callee, *arguments;
    take(d, "uni");
    if (!all_taken(d))
        return false;
    split_operands(d->in, &results, &callee, &arguments);
    call *k = arena_alloc(&d->program->memory, sizeof *k);
    if (!k)
        return decode_fail_memory(d);
    o->kind = OP_CALL;
    o->call = k;
    k->function = CALL_INDIRECT;
    k->values = arguments ? arguments->items : 0;
    k->results = results ? results->items : 0;
    const function_code *code = NULL;
    if (callee && callee->kind == PTX_OP_FUNCTION) {
        k->function = find_callee(d->program, callee->function->name);
        if (k->function >= 0)
            code = &d->program->function[k->function];
        else if (!is_built_in(callee->function->name, k))
            return fail_external(d, callee->function->name);
    } else if (!callee || callee->kind != PTX_OP_REG) {
        return decode_fail(d, "call of something that is no function");
    } else if (!source(d, callee, 'x', &o->a)) {
        return false;
    }
    if (code && code->source->is_entry)
        return decode_fail(d, "call of the kernel %.100s", code->source->name);
    return decode_values(d, arguments, code, false, &k->value) && decode_values(d, results, code, true, &k->result) &&
           emit(d, o);
}

bool decode_end(decoder *d, op *o)
{
    take(d, "uni");
    bool is_return = ptx_is(d->in, "ret") && !d->fn->is_entry;
    o->variant = ptx_is(d->in, "brkpt");
    o->kind = o->variant || ptx_is(d->in, "trap") ? OP_TRAP : is_return ? OP_RETURN : OP_EXIT;
    return all_taken(d) && has_operands(d, 0, 0) && emit(d, o);
}

bool decode_nanosleep(decoder *d, op *o)
{
    ptx_type t = take_type(d);
    if (t != PTX_u32)
        return decode_fail(d, "nanosleep with such a type is not supported");
    o->kind = OP_SLEEP;
    return all_taken(d) && has_operands(d, 1, 1) && source(d, &d->in->operand[0], 'w', &o->a) && emit(d, o);
}
