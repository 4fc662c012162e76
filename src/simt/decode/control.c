/* Branches, calls and ends. */
#include <string.h>

#include "simt/decode/decode.h"
#include "simt/warp/calls.h"

/* Targets are items until the whole function is decoded. */
bool decode_bra(decoder *d, op *o)
{
    take(d, "uni"); /* a promise that all active threads agree; not needed */
    if (!all_taken(d) || !operands(d, 1, 1))
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
    if (!all_taken(d) || !operands(d, 2, 2))
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
    o->more = targets;
    return source(d, &d->in->operand[0], 'w', &o->a) && emit(d, o);
}

/* One value that goes along: a .param variable of this frame, or a register or number that needs a place first. */
static bool decode_value(decoder *d, const ptx_operand *x, const ptx_var *to, uint32_t to_at, call_value *out)
{
    if (x->kind != PTX_OP_VAR)
        return decode_fail(d, "call with arguments that are no .param variables is not supported");
    const variable *v = find_variable(d->program, x->var);
    if (!v || !v->in_frame)
        return decode_fail(d, "call with an argument that is no .param variable of this function is not supported");
    if (to && x->var->bytes != to->bytes)
        return decode_fail(d, "call passes %llu bytes as %.60s, which has %llu", (unsigned long long)x->var->bytes,
                           to->name, (unsigned long long)to->bytes);
    *out = (call_value){(uint32_t)v->at, to_at, (uint32_t)x->var->bytes};
    return true;
}

static bool decode_values(decoder *d, const ptx_operand *list, const function_code *to, bool results, uint32_t count,
                          const call_value **out)
{
    uint32_t wanted = to ? (results ? to->source->returns : to->source->params) : count;
    if (count != wanted)
        return decode_fail(d, "call of %.100s with %u %s, not %u", to->source->name, count,
                           results ? "results" : "arguments", wanted);
    call_value *values = arena_alloc_array(&d->program->memory, count ? count : 1, sizeof *values);
    if (!values)
        return decode_fail_memory(d);
    for (uint32_t i = 0; i < count; i++) {
        const ptx_var *var = to ? (results ? &to->source->ret[i] : &to->source->param[i]) : NULL;
        uint32_t at = to ? (results ? to->ret_at[i] : to->param_at[i]) : 0;
        if (!decode_value(d, &list->item[i], var, at, &values[i]))
            return false;
    }
    *out = values;
    return true;
}

/* call{.uni} (results), function, (arguments){, prototype}: which operand is which. */
static void split(const ptx_instruction *in, const ptx_operand **results, const ptx_operand **to,
                  const ptx_operand **arguments)
{
    uint32_t i = 0;
    *results = *arguments = NULL;
    if (i < in->operands && in->operand[i].kind == PTX_OP_LIST)
        *results = &in->operand[i++];
    *to = i < in->operands ? &in->operand[i++] : NULL;
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

/* Functions without a body. CUDA's runtime has some for kernels, as cudaMalloc or __cudaCDP2Malloc; two of them launch.
 */
static bool decode_external(decoder *d, const char *name)
{
    if (strstr(name, "GetParameterBuffer") || strstr(name, "LaunchDevice"))
        return decode_fail(d, "call of %.100s: kernels that start kernels are not supported", name);
    if (strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0)
        return decode_fail(d, "call of %.100s: the CUDA runtime for kernels is not supported", name);
    return decode_fail(d, "call of %.100s, which has no body, is not supported", name);
}

bool decode_call(decoder *d, op *o)
{
    const ptx_operand *results, *to, *arguments;
    take(d, "uni");
    if (!all_taken(d))
        return false;
    split(d->in, &results, &to, &arguments);
    call *k = arena_alloc(&d->program->memory, sizeof *k);
    if (!k)
        return decode_fail_memory(d);
    o->kind = OP_CALL;
    o->call = k;
    k->function = CALL_INDIRECT;
    k->values = arguments ? arguments->items : 0;
    k->results = results ? results->items : 0;
    const function_code *code = NULL;
    if (to && to->kind == PTX_OP_FUNCTION) {
        k->function = find_callee(d->program, to->function->name);
        if (k->function >= 0)
            code = &d->program->function[k->function];
        else if (!calls_built_in(to->function->name, k))
            return decode_external(d, to->function->name);
    } else if (!to || to->kind != PTX_OP_REG) {
        return decode_fail(d, "call of something that is no function");
    } else if (!source(d, to, 'x', &o->a)) {
        return false;
    }
    if (code && code->source->is_entry)
        return decode_fail(d, "call of the kernel %.100s", code->source->name);
    return decode_values(d, arguments, code, false, k->values, &k->value) &&
           decode_values(d, results, code, true, k->results, &k->result) && emit(d, o);
}

bool decode_end(decoder *d, op *o)
{
    take(d, "uni");
    bool is_return = strcmp(d->in->opcode, "ret") == 0 && !d->fn->is_entry;
    o->what = strcmp(d->in->opcode, "brkpt") == 0;
    o->kind = o->what || strcmp(d->in->opcode, "trap") == 0 ? OP_TRAP : is_return ? OP_RETURN : OP_EXIT;
    return all_taken(d) && operands(d, 0, 0) && emit(d, o);
}

bool decode_nanosleep(decoder *d, op *o)
{
    ptx_type t = take_type(d);
    if (t != PTX_u32)
        return decode_fail(d, "nanosleep with such a type is not supported");
    o->kind = OP_SLEEP;
    return all_taken(d) && operands(d, 1, 1) && source(d, &d->in->operand[0], 'w', &o->a) && emit(d, o);
}
