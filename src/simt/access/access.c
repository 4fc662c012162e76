/* Loads and stores of warps. The most frequent ones, 32 bits per lane in shared
 * or global memory, check all lanes at once, and fall back to lane by lane. */
#include "simt/access/access.h"

#include <string.h>

#include "base/minmax.h"
#include "simt/machine/machine.h"
#include "simt/memory/access_counts.h"
#include "simt/memory/conflicts.h"
#include "simt/memory/memory.h"
#include "simt/program/address_space.h"
#include "simt/races/detect.h"

static uint64_t read_value(const char *at, uint32_t bytes, bool is_signed)
{
    uint64_t x = 0;
    memcpy(&x, at, bytes);
    int shift = 64 - 8 * (int)bytes;
    return is_signed ? (uint64_t)((int64_t)(x << shift) >> shift) : x;
}

/* Tells the profile and the race checker about an access before it happens; pointer: where a store writes. */
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

bool memory_load(core *c, warp *w, const op *o, uint32_t m)
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

bool memory_store(core *c, warp *w, const op *o, uint32_t m)
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

/* The region that holds the aligned accesses of all lanes; NULL: there is none, or observers need each lane. */
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

/* Shared memory, if it holds the aligned accesses of all lanes by 32-bit addresses, with their offsets; else NULL. */
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

bool memory_load_shared_32(core *c, warp *w, const op *o, uint32_t m)
{
    uint32_t at[LANES];
    const char *base = m == ALL_LANES ? common_shared(c, w, o, at) : NULL;
    if (!base)
        return memory_load(c, w, o, m);
    u32 *d = row(&w->frame->rows, o->list[0]);
    for (int i = 0; i < LANES; i++)
        d[i] = *(const u32 *)(base + at[i]);
    return true;
}

bool memory_store_shared_32(core *c, warp *w, const op *o, uint32_t m)
{
    uint32_t at[LANES];
    char *base = m == ALL_LANES ? common_shared(c, w, o, at) : NULL;
    if (!base)
        return memory_store(c, w, o, m);
    const u32 *x = row(&w->frame->rows, o->list[0]);
    for (int i = 0; i < LANES; i++)
        *(u32 *)(base + at[i]) = x[i];
    w->block->shared_version++;
    return true;
}

bool memory_load_global_32(core *c, warp *w, const op *o, uint32_t m)
{
    uint64_t base;
    const u64 *a = row(&w->frame->rows, o->a);
    region *in = m == ALL_LANES ? common_region(c, w, o, a, &base, false) : NULL;
    if (!in)
        return memory_load(c, w, o, m);
    if (in->word_marks && !conflicts_note_warp(c, w->block, in, a, base, false))
        return false;
    const char *data = in->data;
    u32 *d = row(&w->frame->rows, o->list[0]);
    for (int i = 0; i < LANES; i++)
        d[i] = *(const u32 *)(data + (a[i] - base));
    return true;
}

bool memory_store_global_32(core *c, warp *w, const op *o, uint32_t m)
{
    uint64_t base;
    const u64 *a = row(&w->frame->rows, o->a);
    region *in = m == ALL_LANES ? common_region(c, w, o, a, &base, true) : NULL;
    if (!in)
        return memory_store(c, w, o, m);
    if (in->word_marks && !conflicts_note_warp(c, w->block, in, a, base, true))
        return false;
    char *data = in->data;
    const u32 *x = row(&w->frame->rows, o->list[0]);
    for (int i = 0; i < LANES; i++)
        *(u32 *)(data + (a[i] - base)) = x[i];
    memory_changed(c, w);
    return true;
}
