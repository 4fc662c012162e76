/* Decodes a function: branches, calls and ends; the table of all instructions; and the loop that gives variables places
 * in the frame, operands rows, and labels places in the code. */
#include "simt/program/function.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "ptx/instruction.h"
#include "ptx/ptx.h"
#include "simt/isa/decoder.h"
#include "simt/isa/operands.h"
#include "simt/machine/barrier.h"
#include "simt/program/program.h"
#include "simt/program/reconvergence.h"
#include "simt/ptxas/contract.h"

/* The target of a branch is the number of an item until the function is decoded. */
static bool decode_bra(decoder *d, op *o)
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

static bool decode_brx(decoder *d, op *o)
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

/* Decodes an argument or result, which is a .param variable of this frame. */
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

/* Is it a function that the machine provides? Then sets k->function. */
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

static bool decode_call(decoder *d, op *o)
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

/* ret, exit, trap and brkpt */
static bool decode_end(decoder *d, op *o)
{
    take(d, "uni");
    bool is_return = ptx_is(d->in, "ret") && !d->fn->is_entry;
    o->variant = ptx_is(d->in, "brkpt");
    o->kind = o->variant || ptx_is(d->in, "trap") ? OP_TRAP : is_return ? OP_RETURN : OP_EXIT;
    return all_taken(d) && has_operands(d, 0, 0) && emit(d, o);
}

static bool decode_nanosleep(decoder *d, op *o)
{
    ptx_type t = take_type(d);
    if (t != PTX_u32)
        return decode_fail(d, "nanosleep with such a type is not supported");
    o->kind = OP_SLEEP;
    return all_taken(d) && has_operands(d, 1, 1) && source(d, &d->in->operand[0], 'w', &o->a) && emit(d, o);
}

/* The table of instructions says how each is decoded, its class in the instruction mix, and its modifiers. */

typedef struct instruction_form {
    const char *name;            /* opcode */
    const char *forms;           /* modifiers, for people */
    gcast_simt_mix mix;          /* class in the instruction mix, unless the decoder sets another */
    instruction_decoder *decode; /* its decoder */
} instruction_form;

#define INTEGERS ".{u,s}{16,32,64}"
#define FLOATS "{.ftz}{.sat}.{f16,f16x2,bf16,bf16x2}, {.rnd}{.ftz}{.sat}.f32, {.rnd}.f64"
#define VIDEO ".{u,s}32.{u,s}32.{u,s}32{.sat,.add}, without masks and selectors"
#define TYPES ".{b,u,s}{8,16,32,64}, .f32, .f64"

/* opcode, class in the instruction mix, decoder, modifiers; in the order of strcmp */
#define INSTRUCTION_TABLE(X)                                                                                           \
    X("abs", integer, arithmetic, ".s{16,32,64}, {.ftz}.f32, .f64, .{f16,f16x2,bf16,bf16x2}")                          \
    X("activemask", exchange, activemask, ".b32")                                                                      \
    X("add", integer, arithmetic, INTEGERS ", .{u,s}16x2, .sat.s32, .cc.{u,s}{32,64}, " FLOATS)                        \
    X("addc", integer, forms, "{.cc}.{u,s}{32,64}")                                                                    \
    X("and", integer, forms, ".pred, .b{16,32,64}")                                                                    \
    X("applypriority", other, prefetch, "no effect")                                                                   \
    X("atom", atomic, atom,                                                                                            \
      "{.global,.shared}.{and,or,xor,cas,exch,add,inc,dec,min,max}.type, {.noftz}.{f16x2,bf16x2}")                     \
    X("bar", barrier, bar, ".{sync,arrive,red.{popc,and,or}}, .warp.sync")                                             \
    X("barrier", barrier, bar, "{.cta}.{sync,arrive,red.{popc,and,or}}{.aligned}")                                     \
    X("bfe", integer, forms, ".{u,s}{32,64}")                                                                          \
    X("bfi", integer, forms, ".b{32,64}")                                                                              \
    X("bfind", integer, forms, "{.shiftamt}.{u,s}{32,64}")                                                             \
    X("bmsk", integer, forms, ".{clamp,wrap}.b32")                                                                     \
    X("bra", branch, bra, "{.uni}")                                                                                    \
    X("brev", integer, forms, ".b{32,64}")                                                                             \
    X("brkpt", branch, end, "an error, as trap")                                                                       \
    X("brx", branch, brx, ".idx{.uni}")                                                                                \
    X("call", branch, call, "{.uni}, also through registers; vprintf, __assertfail, malloc and free are built in")     \
    X("clz", integer, forms, ".b{32,64}")                                                                              \
    X("cnot", integer, forms, ".b{16,32,64}")                                                                          \
    X("copysign", float32, float, ".f32, .f64")                                                                        \
    X("cos", special, float, ".approx{.ftz}.f32")                                                                      \
    X("cp", global_memory, cp,                                                                                         \
      ".async.{ca,cg}.shared.global, .async.{commit_group,wait_group,wait_all}, .async.mbarrier.arrive")               \
    X("createpolicy", other, prefetch, "no effect")                                                                    \
    X("cvt", convert, cvt, "{.rnd}{.ftz}{.sat}{.relu}.dtype.stype of integers, f16, bf16, f32, f64; packed from f32")  \
    X("cvta", convert, cvta, "{.to}.{global,shared,local,param,const}.u64")                                            \
    X("discard", other, prefetch, "no effect")                                                                         \
    X("div", integer, arithmetic, INTEGERS ", .{approx,full}{.ftz}.f32, .rnd{.ftz}.f32, .rnd.f64")                     \
    X("dp2a", integer, forms, ".{lo,hi}.{u,s}32.{u,s}32")                                                              \
    X("dp4a", integer, forms, ".{u,s}32.{u,s}32")                                                                      \
    X("elect", exchange, elect, ".sync")                                                                               \
    X("ex2", special, float, ".approx{.ftz}.f32, .approx.f16, .approx.ftz.bf16")                                       \
    X("exit", branch, end, "")                                                                                         \
    X("fence", barrier, fence, "of any kind; no effect")                                                               \
    X("fma", float32, float, FLOATS)                                                                                   \
    X("fns", integer, forms, ".b32")                                                                                   \
    X("griddepcontrol", other, prefetch, "no effect")                                                                  \
    X("isspacep", other, isspacep, ".{global,shared,local,param}")                                                     \
    X("ld", global_memory, ld, "{.global,.shared,.local,.param,.const}{.v2,.v4}" TYPES "; hints have no effect")       \
    X("ldu", global_memory, ld, "{.global}{.v2,.v4}" TYPES)                                                            \
    X("lg2", special, float, ".approx{.ftz}.f32")                                                                      \
    X("lop3", integer, lop3, ".b32, .{or,and}.b32")                                                                    \
    X("mad", integer, arithmetic, ".{lo,hi,wide}" INTEGERS ", .hi.sat.s32, .{lo,hi}.cc.{u,s}{32,64}, floats as fma")   \
    X("mad24", integer, forms, ".{lo,hi}.{u,s}32, .hi.sat.s32")                                                        \
    X("madc", integer, forms, ".{lo,hi}{.cc}.{u,s}{32,64}")                                                            \
    X("match", exchange, match, ".{any,all}.sync.b{32,64}")                                                            \
    X("max", integer, arithmetic,                                                                                      \
      INTEGERS ", .{u,s}16x2, .relu.s32, .relu.s16x2, {.ftz}{.NaN}{.xorsign.abs} of all floats")                       \
    X("mbarrier", barrier, mbarrier, ".{init,inval,arrive,arrive_drop,test_wait,try_wait,pending_count}.b64")          \
    X("membar", barrier, fence, "of any kind; no effect")                                                              \
    X("min", integer, arithmetic,                                                                                      \
      INTEGERS ", .{u,s}16x2, .relu.s32, .relu.s16x2, {.ftz}{.NaN}{.xorsign.abs} of all floats")                       \
    X("mov", move, mov, ".{b,u,s}{16,32,64}, .f32, .f64, .pred, special registers, addresses, vectors")                \
    X("mul", integer, arithmetic, ".{lo,hi,wide}" INTEGERS ", " FLOATS)                                                \
    X("mul24", integer, forms, ".{lo,hi}.{u,s}32")                                                                     \
    X("nanosleep", other, nanosleep, ".u32")                                                                           \
    X("neg", integer, arithmetic, ".s{16,32,64}, {.ftz}.f32, .f64, .{f16,f16x2,bf16,bf16x2}")                          \
    X("not", integer, forms, ".pred, .b{16,32,64}")                                                                    \
    X("or", integer, forms, ".pred, .b{16,32,64}")                                                                     \
    X("pmevent", other, prefetch, "no effect")                                                                         \
    X("popc", integer, forms, ".b{32,64}")                                                                             \
    X("prefetch", other, prefetch, "no effect")                                                                        \
    X("prefetchu", other, prefetch, "no effect")                                                                       \
    X("prmt", integer, forms, ".b32{.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}")                                                  \
    X("rcp", special, float, ".approx{.ftz}.f32, .approx.ftz.f64, .rnd{.ftz}.f32, .rnd.f64")                           \
    X("red", atomic, red, "as atom, without a result")                                                                 \
    X("redux", exchange, redux, ".sync.{add,min,max}.{u,s}32, .sync.{and,or,xor}.b32")                                 \
    X("rem", integer, forms, INTEGERS)                                                                                 \
    X("ret", branch, end, "{.uni}")                                                                                    \
    X("rsqrt", special, float, ".approx{.ftz}.f32, .approx{.ftz}.f64")                                                 \
    X("sad", integer, forms, INTEGERS)                                                                                 \
    X("selp", compare, selp, ".{b,u,s}{16,32,64}, .f32, .f64")                                                         \
    X("set", compare, set, ".cmp{.bool}{.ftz}.{u32,s32,f32}.stype")                                                    \
    X("setp", compare, setp, ".cmp{.bool}{.ftz}.stype, with one or two results")                                       \
    X("shf", integer, forms, ".{l,r}.{clamp,wrap}.b32")                                                                \
    X("shfl", exchange, shfl, "{.sync}.{up,down,bfly,idx}.b32")                                                        \
    X("shl", integer, forms, ".b{16,32,64}")                                                                           \
    X("shr", integer, forms, ".{b,u,s}{16,32,64}")                                                                     \
    X("sin", special, float, ".approx{.ftz}.f32")                                                                      \
    X("slct", compare, slct, ".type.s32, {.ftz}.type.f32")                                                             \
    X("sqrt", special, float, ".approx{.ftz}.f32, .rnd{.ftz}.f32, .rnd.f64")                                           \
    X("st", global_memory, st, "{.global,.shared,.local,.param}{.v2,.v4}" TYPES "; hints have no effect")              \
    X("sub", integer, arithmetic, INTEGERS ", .sat.s32, .cc.{u,s}{32,64}, " FLOATS)                                    \
    X("subc", integer, forms, "{.cc}.{u,s}{32,64}")                                                                    \
    X("szext", integer, forms, ".{clamp,wrap}.{u,s}32")                                                                \
    X("tanh", special, float, ".approx.{f32,f16,f16x2,bf16,bf16x2}")                                                   \
    X("testp", compare, testp, ".{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64}")                      \
    X("trap", branch, end, "")                                                                                         \
    X("vabsdiff2", integer, video, VIDEO)                                                                              \
    X("vabsdiff4", integer, video, VIDEO)                                                                              \
    X("vadd2", integer, video, VIDEO)                                                                                  \
    X("vadd4", integer, video, VIDEO)                                                                                  \
    X("vmax2", integer, video, VIDEO)                                                                                  \
    X("vmax4", integer, video, VIDEO)                                                                                  \
    X("vmin2", integer, video, VIDEO)                                                                                  \
    X("vmin4", integer, video, VIDEO)                                                                                  \
    X("vote", exchange, vote, "{.sync}.{all,any,uni}.pred, {.sync}.ballot.b32")                                        \
    X("vsub2", integer, video, VIDEO)                                                                                  \
    X("vsub4", integer, video, VIDEO)                                                                                  \
    X("xor", integer, forms, ".pred, .b{16,32,64}")

static const instruction_form instruction_table[] = {
#define X(name, kind, how, forms) {name, forms, GCAST_SIMT_##kind, decode_##how},
    INSTRUCTION_TABLE(X)
#undef X
};

/* The instruction with this opcode; NULL: there is none. */
static const instruction_form *find_instruction(const char *name)
{
    for (size_t i = 0; i < sizeof instruction_table / sizeof *instruction_table; i++)
        if (strcmp(instruction_table[i].name, name) == 0)
            return &instruction_table[i];
    return NULL;
}

bool gcast_simt_instruction(uint32_t index, const char **name, const char **forms)
{
    if (!name || !forms)
        return false;
    if (index >= sizeof instruction_table / sizeof *instruction_table)
        return false;
    *name = instruction_table[index].name;
    *forms = instruction_table[index].forms;
    return true;
}

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

/* Replaces targets, which are items, by ops. pc[i] is the first op at or after item i. */
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
