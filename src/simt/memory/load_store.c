/* Loads, stores and cp.async of warps. The most frequent accesses, 32 bits per lane in shared or global memory, check
 * all lanes at once, and otherwise access lane by lane. */
#include <string.h>

#include "base/integers.h"
#include "ptx/ptx.h"
#include "simt/isa/decoder.h"
#include "simt/isa/operands.h"
#include "simt/machine/machine.h"
#include "simt/memory/access_counts.h"
#include "simt/memory/block_conflicts.h"
#include "simt/memory/memory.h"
#include "simt/program/op.h"
#include "simt/program/program.h"
#include "simt/races/detect.h"

static uint64_t read_value(const char *at, uint32_t bytes, bool is_signed)
{
    uint64_t x = 0;
    memcpy(&x, at, bytes);
    int shift = 64 - 8 * (int)bytes;
    return is_signed ? (uint64_t)((int64_t)(x << shift) >> shift) : x;
}

/* Tells the profile and the race checker about an access before it happens; pointer: the bytes that a store writes. */
static void observe(core *c, warp *w, const op *o, uint32_t m, char *const *pointer)
{
    if (c->machine->options->profile)
        counts_access(c, w, o, m);
    if (w->block->races && pointer)
        races_store(c, w, o, m, pointer);
    else if (w->block->races)
        races_load(c, w, o, m);
}

static inline bool is_observed(const core *c, const warp *w)
{
    return c->machine->options->profile || w->block->races;
}

static bool load(core *c, warp *w, const op *o, uint32_t m)
{
    char *at[LANES];
    const rows *r = &w->frame->rows;
    if (!memory_pointers(c, w, o, m, false, at))
        return false;
    if (is_observed(c, w))
        observe(c, w, o, m, NULL);
    for (uint32_t k = 0; k < o->count; k++)
        EACH_SET(i, m)
        {
            uint64_t x = read_value(at[i] + (size_t)k * o->bytes, o->bytes, o->target);
            lane_write_bytes(r, o->list[k], i, o->e, x);
        }
    return true;
}

/* Stores that change nothing do not count, so that a loop with them is still seen to spin. */
static void count_change(core *c, warp *w, const op *o)
{
    if (o->space == PTX_SPACE_shared)
        w->block->shared_version++;
    else
        memory_changed(c, w);
}

static bool store(core *c, warp *w, const op *o, uint32_t m)
{
    char *at[LANES];
    const rows *r = &w->frame->rows;
    if (!memory_pointers(c, w, o, m, true, at))
        return false;
    if (is_observed(c, w))
        observe(c, w, o, m, at);
    bool changed = false;
    for (uint32_t k = 0; k < o->count; k++)
        EACH_SET(i, m)
        {
            uint64_t x = lane_read(r, o->list[k], i, o->e == 8);
            char *element = at[i] + (size_t)k * o->bytes;
            changed |= memcmp(element, &x, o->bytes) != 0;
            memcpy(element, &x, o->bytes);
        }
    if (changed)
        count_change(c, w, o);
    return true;
}

/* The region that holds the aligned accesses of all lanes; NULL: there is none, or an observer needs each lane. */
static region *common_region(core *c, const warp *w, const op *o, const u64 *a, uint64_t *base, bool write)
{
    const program *p = c->machine->program;
    uint64_t max_offset = 0, low_bits = 0;
    region *in = memory_region(p, a[0] + (uint64_t)o->imm);
    if (!in || is_observed(c, w))
        return NULL;
    if (in->bytes < o->bytes || (write && in->constant))
        return NULL;
    *base = in->base - (uint64_t)o->imm;
    for (int i = 0; i < LANES; i++) {
        uint64_t at = a[i] - *base;
        max_offset = max_u64(max_offset, at);
        low_bits |= at;
    }
    return max_offset > in->bytes - o->bytes || low_bits & (o->bytes - 1u) ? NULL : in;
}

/* Shared memory, if it holds the aligned accesses of all lanes by 32-bit addresses; at[] are the offsets. Else NULL. */
static char *common_shared(core *c, const warp *w, const op *o, uint32_t at[LANES])
{
    uint32_t size = c->machine->program->shared_bytes, max_offset = 0, low_bits = 0, offset = (uint32_t)o->imm;
    const u32 *a = row(&w->frame->rows, o->a);
    if (is_observed(c, w) || size < o->bytes)
        return NULL;
    EACH_LANE
    {
        uint32_t x = a[i] + offset;
        at[i] = x;
        max_offset = max_u32(max_offset, x);
        low_bits |= x;
    }
    return max_offset > size - o->bytes || low_bits & (o->bytes - 1u) ? NULL : w->block->shared;
}

/* These access 32 bits per lane, with 32-bit addresses of shared memory or 64-bit addresses of global memory. */
static bool load_shared_32(core *c, warp *w, const op *o, uint32_t m)
{
    uint32_t at[LANES];
    const char *base = m == ALL_LANES ? common_shared(c, w, o, at) : NULL;
    if (!base)
        return load(c, w, o, m);
    u32 *d = row(&w->frame->rows, o->list[0]);
    for (int i = 0; i < LANES; i++)
        d[i] = *(const u32 *)(base + at[i]);
    return true;
}

static bool store_shared_32(core *c, warp *w, const op *o, uint32_t m)
{
    uint32_t at[LANES];
    char *base = m == ALL_LANES ? common_shared(c, w, o, at) : NULL;
    if (!base)
        return store(c, w, o, m);
    const u32 *x = row(&w->frame->rows, o->list[0]);
    for (int i = 0; i < LANES; i++)
        *(u32 *)(base + at[i]) = x[i];
    w->block->shared_version++;
    return true;
}

static bool load_global_32(core *c, warp *w, const op *o, uint32_t m)
{
    uint64_t base;
    const u64 *a = row(&w->frame->rows, o->a);
    region *in = m == ALL_LANES ? common_region(c, w, o, a, &base, false) : NULL;
    if (!in)
        return load(c, w, o, m);
    if (in->word_marks && !conflicts_note_warp(c, w->block, in, a, base, false))
        return false;
    const char *data = in->data;
    u32 *d = row(&w->frame->rows, o->list[0]);
    for (int i = 0; i < LANES; i++)
        d[i] = *(const u32 *)(data + (a[i] - base));
    return true;
}

static bool store_global_32(core *c, warp *w, const op *o, uint32_t m)
{
    uint64_t base;
    const u64 *a = row(&w->frame->rows, o->a);
    region *in = m == ALL_LANES ? common_region(c, w, o, a, &base, true) : NULL;
    if (!in)
        return store(c, w, o, m);
    if (in->word_marks && !conflicts_note_warp(c, w->block, in, a, base, true))
        return false;
    char *data = in->data;
    const u32 *x = row(&w->frame->rows, o->list[0]);
    for (int i = 0; i < LANES; i++)
        *(u32 *)(data + (a[i] - base)) = x[i];
    memory_changed(c, w);
    return true;
}

/* cp.async copies from global to shared memory asynchronously. Here it copies at once, which PTX allows, by a hidden
 * load and a store, so waits for copies do nothing. */

/* Tells the race checker about the bytes that each lane reads. */
static void observe_parts(core *c, warp *w, const op *o, uint32_t m, const u32 *sizes)
{
    while (w->block->races && m) {
        uint32_t bytes = sizes[__builtin_ctz(m)], same = 0;
        EACH_SET(i, m)
        same |= (uint32_t)(sizes[i] == bytes) << i;
        races_load_bytes(c, w, o, same, bytes);
        m &= ~same;
    }
}

/* Loads the number of bytes in row o->c, and fills up with zeros. */
static bool load_part(core *c, warp *w, const op *o, uint32_t m)
{
    const rows *r = &w->frame->rows;
    const u32 *sizes = row(r, o->c);
    uint32_t copy_bytes = (uint32_t)o->bytes * o->count, reading = 0;
    uint64_t address[LANES];
    memory_addresses(w, o, m, address);
    EACH_SET(i, m)
    {
        uint32_t values[4] = {0}, size = sizes[i];
        if (size > copy_bytes)
            return machine_fail(c, w, o, (int)i, "copies %u of %u bytes", size, copy_bytes);
        if (address[i] % copy_bytes)
            return machine_fail(c, w, o, (int)i, "reads %u bytes at 0x%llx, which is misaligned", copy_bytes,
                                (unsigned long long)address[i]);
        for (uint32_t k = 0; k < size; k++) {
            const char *at = memory_pointer(c, w, o, i, address[i] + k, 1, false);
            if (!at)
                return false;
            memcpy((char *)values + k, at, 1);
        }
        reading |= (uint32_t)(size != 0) << i;
        for (uint32_t k = 0; k < o->count; k++)
            ((u32 *)row(r, o->list[k]))[i] = values[k];
    }
    if (c->machine->options->profile && reading)
        counts_access(c, w, o, reading);
    observe_parts(c, w, o, reading, sizes);
    return true;
}

/* Decodes the fourth operand: the number of bytes to read, or a predicate, which is true to read none. */
static bool decode_size(decoder *d, op *read, const ptx_operand *x, uint32_t copy_bytes)
{
    read->run.memory = load_part;
    if (x->kind != PTX_OP_REG || d->fn->reg[x->reg].type != PTX_pred)
        return source(d, x, 'w', &read->c);
    op select = new_op(d, OP_LANES, GCAST_SIMT_compare);
    select.hidden = true;
    select.run.lanes = lanes_select_32;
    if (!scratch(d, 'w', &select.d) || !constant_row(d, 0, false, &select.a) ||
        !constant_row(d, copy_bytes, false, &select.b) || !source(d, x, 'p', &select.c) || !emit(d, &select))
        return false;
    read->c = select.d;
    return true;
}

static bool decode_copy(decoder *d, op *o)
{
    static const char *const hints[] = {"ca",     "cg",      "shared",   "shared::cta",
                                        "global", "L2::64B", "L2::128B", "L2::256B"};
    const ptx_operand *x = d->in->operand;
    uint64_t copy_bytes;
    take_hints(d, hints, sizeof hints / sizeof *hints);
    uint32_t min_operands = take(d, "L2::cache_hint") ? 4 : 3;
    if (!all_taken(d) || !has_operands(d, min_operands, min_operands + 1) || !immediate(d, &x[2], &copy_bytes))
        return false;
    if (copy_bytes != 4 && copy_bytes != 8 && copy_bytes != 16)
        return decode_fail(d, "cp.async copies 4, 8 or 16 bytes");
    op read = new_op(d, OP_MEMORY, GCAST_SIMT_global_memory);
    read.hidden = true;
    read.run.memory = load;
    if (!decode_address(d, &x[1], PTX_SPACE_global, &read) || !decode_address(d, &x[0], PTX_SPACE_shared, o) ||
        (d->in->operands > min_operands && !decode_size(d, &read, &x[3], (uint32_t)copy_bytes)))
        return false;
    slot *words = arena_alloc_array(&d->program->memory, 4, sizeof *words);
    if (!words)
        return decode_fail_memory(d);
    for (uint64_t k = 0; k < copy_bytes / 4; k++)
        if (!scratch(d, 'w', &words[k]))
            return false;
    read.bytes = o->bytes = 4;
    read.count = o->count = (uint8_t)(copy_bytes / 4);
    read.e = o->e = 4;
    read.list = o->list = words;
    o->kind = OP_MEMORY;
    o->run.memory = store;
    return emit(d, &read) && emit(d, o);
}

bool decode_cp(decoder *d, op *o)
{
    if (!take(d, "async") || (d->in->mods > 1 && strncmp(d->in->mod[1], "bulk", 4) == 0))
        return decode_unknown(d);
    if (take(d, "mbarrier"))
        return decode_copy_arrive(d, o);
    uint32_t groups = take(d, "wait_group");
    if (!groups && !take(d, "commit_group") && !take(d, "wait_all"))
        return decode_copy(d, o);
    o->kind = OP_NOTHING;
    o->mix = GCAST_SIMT_barrier;
    return all_taken(d) && has_operands(d, groups, groups) && emit(d, o);
}

/* Modifiers for memory models, caches and prefetchers. Accesses here are always in order and coherent. */
static const char *const load_store_hints[] = {
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

/* Decodes the registers of a load or store, and sets o->e to their width: 2, 4 or 8 bytes. */
static bool decode_registers(decoder *d, op *o, const ptx_operand *x, bool is_load, ptx_type t, int vector)
{
    uint32_t bytes = (uint32_t)ptx_type_bytes(t);
    o->bytes = (uint8_t)bytes;
    o->count = (uint8_t)vector;
    if (bytes == 0 || bytes > 8 || bytes * (uint32_t)vector > 32)
        return decode_fail(d, "%.40s of such a type is not supported", d->in->opcode);
    slot *rows_of = arena_alloc_array(&d->program->memory, (size_t)vector, sizeof *rows_of);
    if (!rows_of)
        return decode_fail_memory(d);
    bool is_vector_register =
        x->kind == PTX_OP_REG && x->component == 0 && d->fn->reg[x->reg].width > 1; /* .reg .v2 .b32 x */
    int elements = is_vector_register ? d->fn->reg[x->reg].width : x->kind == PTX_OP_VECTOR ? (int)x->items : 1;
    if (elements != vector)
        return decode_fail(d, "%.40s wants a vector of %d", d->in->opcode, vector);
    int width = 0;
    for (int i = 0; i < vector; i++) {
        ptx_operand element = *x;
        element.component = (uint8_t)(i + 1);
        const ptx_operand *item = is_vector_register ? &element : x->kind == PTX_OP_VECTOR ? &x->item[i] : x;
        int w;
        if (item->kind == PTX_OP_F64 && bytes == 4) {
            w = 4;
            if (!typed_source(d, item, PTX_f32, &rows_of[i]))
                return false;
        } else if (!any_width(d, item, is_load, bytes, &rows_of[i], &w)) {
            return false;
        }
        if (item->kind != PTX_OP_SINK && width && w != width)
            return decode_fail(d, "%.40s with registers of different sizes is not supported", d->in->opcode);
        if (item->kind != PTX_OP_SINK)
            width = w;
    }
    o->list = rows_of;
    o->e = width ? (uint32_t)width : bytes == 8 ? 8 : 4;
    return true;
}

static int take_vector(decoder *d)
{
    return take(d, "v2") ? 2 : take(d, "v4") ? 4 : take(d, "v8") ? 8 : 1;
}

/* Makes a load of a kernel parameter at a fixed address a copy of a constant; false: it is another load, or failed. */
static bool decode_parameter(decoder *d, op *o, ptx_type t)
{
    const program *p = d->program;
    if (o->space != PTX_SPACE_param || !o->is_uniform || o->count != 1)
        return false;
    uint64_t at = (uint64_t)o->imm;
    if (at > p->param_bytes || o->bytes > p->param_bytes - at || at % o->bytes)
        return false; /* the load reports the error */
    uint64_t value = read_value(p->params + at, o->bytes, ptx_type_kind(t) == 's');
    bool wide = o->e == 8;
    if (o->e == 2)
        value &= 0xffff;
    o->kind = OP_LANES;
    o->d = o->list[0];
    o->run.lanes = wide ? lanes_copy_64 : lanes_copy_32;
    return constant_row(d, wide ? value : (uint32_t)value, wide, &o->a);
}

/* The most frequent accesses have functions of their own. */
static void choose_fast(op *o, memory_function *shared, memory_function *global)
{
    if (o->bytes != 4 || o->count != 1 || o->e != 4)
        return;
    if (o->space == PTX_SPACE_shared && o->address_bytes == 4)
        o->run.memory = shared;
    else if (o->space == PTX_SPACE_global && o->address_bytes == 8)
        o->run.memory = global;
}

/* Decodes modifiers, address and registers of a load or store. */
static bool decode_access(decoder *d, op *o, bool is_load, ptx_type *t)
{
    take_hints(d, load_store_hints, sizeof load_store_hints / sizeof *load_store_hints);
    ptx_space space = take_space(d);
    int vector = take_vector(d);
    uint32_t count = take(d, "L2::cache_hint") ? 3 : 2;
    *t = take_type(d);
    const ptx_operand *x = d->in->operand;
    if (!all_taken(d) || !has_operands(d, count, count) || !decode_address(d, &x[is_load ? 1 : 0], space, o) ||
        !decode_registers(d, o, &x[is_load ? 0 : 1], is_load, *t, vector))
        return false;
    o->kind = OP_MEMORY;
    o->mix = (uint8_t)mix_of(o, space);
    return true;
}

bool decode_ld(decoder *d, op *o)
{
    ptx_type t;
    if (!decode_access(d, o, true, &t))
        return false;
    o->target = ptx_type_kind(t) == 's'; /* the value is extended by its sign */
    o->run.memory = load;
    if (decode_parameter(d, o, t))
        return emit(d, o);
    if (d->status != GCAST_OK)
        return false;
    choose_fast(o, load_shared_32, load_global_32);
    return emit(d, o);
}

bool decode_st(decoder *d, op *o)
{
    ptx_type t;
    if (!decode_access(d, o, false, &t))
        return false;
    if (o->space == PTX_SPACE_const || o->space == PTX_SPACE_param)
        return decode_fail(d, "st to this space is not supported");
    o->run.memory = store;
    choose_fast(o, store_shared_32, store_global_32);
    return emit(d, o);
}

/* prefetch, prefetchu, discard, applypriority, createpolicy and others have no effect that a program sees. */
bool decode_prefetch(decoder *d, op *o)
{
    d->taken = UINT64_MAX;
    o->kind = OP_NOTHING;
    return emit(d, o);
}
