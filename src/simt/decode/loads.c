/* Loads and stores: what an address is made of, and the hints that have no
 * effect here, since memory is always coherent. */
#include <string.h>

#include "simt/decode/decode.h"
#include "simt/isa/special.h"
#include "simt/memory/memory.h"

bool place_variable(program *p, const ptx_var *v, uint64_t at, bool in_frame, gcast_error *err)
{
    variable x = {v, at, in_frame};
    if (!vec_push(&p->variables, x) ||
        !index_add(&p->variable_index, index_hash(&v, sizeof v), (uint32_t)(p->variables.count - 1))) {
        gcast_error_set_memory(err);
        return false;
    }
    return true;
}

const variable *find_variable(const program *p, const ptx_var *v)
{
    for (index_probe i = index_start(&p->variable_index, index_hash(&v, sizeof v)); index_next(&p->variable_index, &i);)
        if (p->variables.at[i.value].source == v)
            return &p->variables.at[i.value];
    return NULL;
}

static bool function_address(decoder *d, const ptx_operand *x, slot *out)
{
    for (uint32_t i = 0; i < d->program->functions; i++)
        if (d->program->function[i].source == x->function ||
            strcmp(d->program->function[i].source->name, x->function->name) == 0)
            return constant_row(d, FUNCTION_BASE + (uint64_t)i * FUNCTION_STEP, true, out);
    return decode_fail(d, "function %.100s has no body", x->function->name);
}

bool variable_address(decoder *d, const ptx_operand *x, bool wide, slot *out)
{
    if (x->kind == PTX_OP_FUNCTION)
        return wide ? function_address(d, x, out) : decode_fail(d, "the address of a function has 64 bits");
    const variable *v = find_variable(d->program, x->var);
    if (!v)
        return decode_fail(d, "variable %.100s is not supported here", x->var->name);
    if (!v->in_frame)
        return constant_row(d, v->at + (uint64_t)x->offset, wide, out);
    op o = new_op(d, OP_SPECIAL, GCAST_SIMT_move);
    o.what = (uint8_t)(SPECIAL_frame_address | (wide ? 0 : SPECIAL_OTHER_WIDTH));
    o.hidden = true;
    o.imm = (int64_t)(v->at + (uint64_t)x->offset);
    if (!scratch(d, wide ? 'x' : 'w', &o.d))
        return false;
    *out = o.d;
    return emit(d, &o);
}

bool decode_address(decoder *d, const ptx_operand *x, ptx_space space, op *o)
{
    if (x->kind != PTX_OP_ADDRESS || x->items > 1)
        return decode_fail(d, "%.40s wants an address here", d->in->opcode);
    bool in_function = !d->fn->is_entry;
    o->imm = x->offset;
    o->address = 0;
    o->uniform = true;
    const ptx_operand *base = x->items ? &x->item[0] : NULL;
    if (base && base->kind == PTX_OP_VAR) {
        const variable *v = find_variable(d->program, base->var);
        if (!v)
            return decode_fail(d, "variable %.100s is not supported here", base->var->name);
        ptx_space own = base->var->space;
        if (space == PTX_SPACE_NONE)
            space = own;
        if (space != own)
            return decode_fail(d, "%.100s is not in the space that %.40s names", base->var->name, d->in->opcode);
        o->imm += (int64_t)v->at + base->offset;
        o->uniform = !v->in_frame;
        o->in_frame = v->in_frame;
        o->space = (uint8_t)(v->in_frame ? PTX_SPACE_local : space);
        return true;
    }
    o->space = (uint8_t)(space == PTX_SPACE_param && in_function ? PTX_SPACE_local : space);
    o->in_frame = false;
    if (!base)
        return true;
    if (base->kind == PTX_OP_INT) {
        o->imm += (int64_t)base->bits;
        return true;
    }
    int width;
    o->uniform = false;
    if (base->kind != PTX_OP_REG)
        return decode_fail(d, "such an address is not supported");
    if (!any_width(d, base, false, 4, &o->a, &width))
        return false;
    o->address = (uint8_t)width;
    return true;
}

/* What memory models, caches and prefetchers are told. Accesses here are all in order and coherent. */
static const char *const hints[] = {
    "weak",
    "relaxed",
    "acquire",
    "release",
    "volatile",
    "mmio",
    "cta",
    "cluster",
    "gpu",
    "sys",
    "ca",
    "cg",
    "cs",
    "lu",
    "cv",
    "wb",
    "wt",
    "nc",
    "L1::evict_normal",
    "L1::evict_unchanged",
    "L1::evict_first",
    "L1::evict_last",
    "L1::no_allocate",
    "L2::evict_normal",
    "L2::evict_first",
    "L2::evict_last",
    "L2::64B",
    "L2::128B",
    "L2::256B",
    "unified",
};

static ptx_space take_space(decoder *d)
{
    static const char *const names[] = {"global", "shared",       "shared::cta", "local",
                                        "param",  "param::entry", "param::func", "const"};
    static const ptx_space spaces[] = {PTX_SPACE_global, PTX_SPACE_shared, PTX_SPACE_shared, PTX_SPACE_local,
                                       PTX_SPACE_param,  PTX_SPACE_param,  PTX_SPACE_param,  PTX_SPACE_const};
    int k = take_of(d, names, 8);
    return k < 0 ? PTX_SPACE_NONE : spaces[k];
}

static gcast_simt_mix mix_of(const op *o, ptx_space named)
{
    switch ((ptx_space)o->space) {
    case PTX_SPACE_shared:
        return GCAST_SIMT_shared_memory;
    case PTX_SPACE_local:
        return named == PTX_SPACE_param ? GCAST_SIMT_parameter : GCAST_SIMT_local_memory;
    case PTX_SPACE_param:
    case PTX_SPACE_const:
        return GCAST_SIMT_parameter;
    default:
        return GCAST_SIMT_global_memory;
    }
}

/* The type, the size of the vector, and the registers; o->e is 2, 4 or 8: the width of a register. */
static bool decode_values(decoder *d, op *o, const ptx_operand *x, bool load, ptx_type t, int vector)
{
    uint32_t bytes = (uint32_t)ptx_type_bytes(t);
    o->bytes = (uint8_t)bytes;
    o->count = (uint8_t)vector;
    if (bytes == 0 || bytes > 8 || bytes * (uint32_t)vector > 32)
        return decode_fail(d, "%.40s of such a type is not supported", d->in->opcode);
    slot *more = arena_alloc_array(&d->program->memory, (size_t)vector, sizeof *more);
    if (!more)
        return decode_fail_memory(d);
    bool whole = x->kind == PTX_OP_REG && x->component == 0 && d->fn->reg[x->reg].width > 1; /* .reg .v2 .b32 x */
    int have = whole ? d->fn->reg[x->reg].width : x->kind == PTX_OP_VECTOR ? (int)x->items : 1;
    if (have != vector)
        return decode_fail(d, "%.40s wants a vector of %d", d->in->opcode, vector);
    int width = 0;
    for (int i = 0; i < vector; i++) {
        ptx_operand part = *x;
        part.component = (uint8_t)(i + 1);
        const ptx_operand *item = whole ? &part : x->kind == PTX_OP_VECTOR ? &x->item[i] : x;
        int w;
        if (item->kind == PTX_OP_F64 && bytes == 4) {
            w = 4;
            if (!typed_source(d, item, PTX_f32, &more[i]))
                return false;
        } else if (!any_width(d, item, load, bytes, &more[i], &w)) {
            return false;
        }
        if (item->kind != PTX_OP_SINK && width && w != width)
            return decode_fail(d, "%.40s with registers of different sizes is not supported", d->in->opcode);
        if (item->kind != PTX_OP_SINK)
            width = w;
    }
    o->more = more;
    o->e = width ? (uint32_t)width : bytes == 8 ? 8 : 4;
    return true;
}

static int take_vector(decoder *d)
{
    return take(d, "v2") ? 2 : take(d, "v4") ? 4 : take(d, "v8") ? 8 : 1;
}

/* A parameter of the kernel, or a constant, at a known address: what it holds is known now. */
static bool known_value(decoder *d, op *o, ptx_type t)
{
    const program *p = d->program;
    if (o->space != PTX_SPACE_param || !o->uniform || o->count != 1)
        return false;
    uint64_t at = (uint64_t)o->imm, value = 0;
    if (at > p->param_bytes || o->bytes > p->param_bytes - at || at % o->bytes)
        return false; /* the load will say what is wrong with it */
    memcpy(&value, p->params + at, o->bytes);
    if (ptx_type_kind(t) == 's') {
        int shift = 64 - 8 * o->bytes;
        value = (uint64_t)((int64_t)(value << shift) >> shift);
    }
    bool wide = o->e == 8;
    if (o->e == 2)
        value &= 0xffff;
    o->kind = OP_LANES;
    o->d = o->more[0];
    o->run.lanes = wide ? lanes_copy_64 : lanes_copy_32;
    return constant_row(d, wide ? value : (uint32_t)value, wide, &o->a);
}

/* What nearly all accesses are has functions of its own. */
static void choose_common(op *o, memory_function *shared, memory_function *global)
{
    if (o->bytes != 4 || o->count != 1 || o->e != 4)
        return;
    if (o->space == PTX_SPACE_shared && o->address == 4)
        o->run.memory = shared;
    else if (o->space == PTX_SPACE_global && o->address == 8)
        o->run.memory = global;
}

bool decode_ld(decoder *d, op *o)
{
    take_hints(d, hints, sizeof hints / sizeof *hints);
    ptx_space space = take_space(d);
    int vector = take_vector(d);
    bool policy = take(d, "L2::cache_hint");
    ptx_type t = take_type(d);
    const ptx_operand *x = d->in->operand;
    if (!all_taken(d) || !operands(d, policy ? 3 : 2, policy ? 3 : 2) || !decode_address(d, &x[1], space, o) ||
        !decode_values(d, o, &x[0], true, t, vector))
        return false;
    o->kind = OP_MEMORY;
    o->mix = (uint8_t)mix_of(o, space);
    o->target = ptx_type_kind(t) == 's'; /* extend with the sign */
    o->run.memory = memory_load;
    if (known_value(d, o, t))
        return emit(d, o);
    if (d->status != GCAST_OK)
        return false;
    choose_common(o, memory_load_shared_32, memory_load_global_32);
    return emit(d, o);
}

bool decode_st(decoder *d, op *o)
{
    take_hints(d, hints, sizeof hints / sizeof *hints);
    ptx_space space = take_space(d);
    int vector = take_vector(d);
    bool policy = take(d, "L2::cache_hint");
    ptx_type t = take_type(d);
    const ptx_operand *x = d->in->operand;
    if (!all_taken(d) || !operands(d, policy ? 3 : 2, policy ? 3 : 2) || !decode_address(d, &x[0], space, o) ||
        !decode_values(d, o, &x[1], false, t, vector))
        return false;
    if (o->space == PTX_SPACE_const || o->space == PTX_SPACE_param)
        return decode_fail(d, "st to this space is not supported");
    o->kind = OP_MEMORY;
    o->mix = (uint8_t)mix_of(o, space);
    o->run.memory = memory_store;
    choose_common(o, memory_store_shared_32, memory_store_global_32);
    return emit(d, o);
}

/* prefetch, prefetchu, discard, applypriority, createpolicy and such have no effect that a program sees. */
bool decode_prefetch(decoder *d, op *o)
{
    d->taken = UINT64_MAX;
    o->kind = OP_NOTHING;
    return emit(d, o);
}
