/* Loads and stores of warps. The common ones, 32 bits a lane from shared or
 * global memory, check all lanes at once and fall back to one at a time. */
#include <string.h>

#include "simt/memory/memory.h"
#include "simt/races/races.h"
#include "simt/report/access_counts.h"

static uint64_t read_value(const char *at, uint32_t bytes, bool is_signed)
{
    uint64_t x = 0;
    memcpy(&x, at, bytes);
    int shift = 64 - 8 * (int)bytes;
    return is_signed ? (uint64_t)((int64_t)(x << shift) >> shift) : x;
}

static void put(const rows *r, slot s, uint32_t lane, uint32_t width, uint64_t x)
{
    if (width == 8)
        ((u64 *)row(r, s))[lane] = x;
    else
        ((u32 *)row(r, s))[lane] = width == 2 ? (uint16_t)x : (uint32_t)x;
}

/* What watches memory wants to know of an access, before it is done; `at`: of a store. */
static void observe(core *c, warp *w, const op *o, uint32_t m, char *const *at)
{
    if (c->machine->options->profile)
        counts_access(c, w, o, m);
    if (w->block->races && at)
        races_store(c, w, o, m, at);
    else if (w->block->races)
        races_load(c, w, o, m);
}

static inline bool is_watched(const core *c, const warp *w)
{
    return c->machine->options->profile || w->block->races;
}

bool memory_load(core *c, warp *w, const op *o, uint32_t m)
{
    char *at[LANES];
    const rows *r = &w->frame->rows;
    if (!memory_reach(c, w, o, m, false, at))
        return false;
    if (is_watched(c, w))
        observe(c, w, o, m, NULL);
    for (uint32_t k = 0; k < o->count; k++)
        EACH_SET(i, m) put(r, o->more[k], i, o->e, read_value(at[i] + (size_t)k * o->bytes, o->bytes, o->target));
    return true;
}

/* Local stores that change nothing do not keep a loop from being seen to spin. */
static void changed(core *c, warp *w, const op *o)
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
    if (!memory_reach(c, w, o, m, true, at))
        return false;
    if (is_watched(c, w))
        observe(c, w, o, m, at);
    bool change = false;
    for (uint32_t k = 0; k < o->count; k++)
        EACH_SET(i, m)
        {
            uint64_t x = o->e == 8 ? ((const u64 *)row(r, o->more[k]))[i] : ((const u32 *)row(r, o->more[k]))[i];
            char *to = at[i] + (size_t)k * o->bytes;
            change |= memcmp(to, &x, o->bytes) != 0;
            memcpy(to, &x, o->bytes);
        }
    if (change)
        changed(c, w, o);
    return true;
}

/* The region where all lanes of a full warp have `bytes` aligned to them; NULL: not so, or one at a time is asked. */
static region *one_region(core *c, const warp *w, const op *o, const u64 *a, uint64_t *base, bool write)
{
    const program *p = c->machine->program;
    uint64_t worst = 0, low = 0;
    region *in = memory_region(p, a[0] + (uint64_t)o->imm);
    if (!in || is_watched(c, w))
        return NULL;
    if (in->bytes < o->bytes || (write && in->constant))
        return NULL;
    *base = in->base - (uint64_t)o->imm;
    for (int i = 0; i < LANES; i++) {
        uint64_t at = a[i] - *base;
        worst = at > worst ? at : worst;
        low |= at;
    }
    return worst > in->bytes - o->bytes || low & (o->bytes - 1u) ? NULL : in;
}

/* The same in shared memory, with 32-bit addresses; offsets in `at`. */
static char *all_shared(core *c, const warp *w, const op *o, uint32_t at[LANES])
{
    uint32_t size = c->machine->program->shared_bytes, worst = 0, low = 0, offset = (uint32_t)o->imm;
    const u32 *a = row(&w->frame->rows, o->a);
    if (is_watched(c, w) || size < o->bytes)
        return NULL;
    EACH_LANE
    {
        uint32_t x = a[i] + offset;
        at[i] = x;
        worst = x > worst ? x : worst;
        low |= x;
    }
    return worst > size - o->bytes || low & (o->bytes - 1u) ? NULL : w->block->shared;
}

bool memory_load_shared_32(core *c, warp *w, const op *o, uint32_t m)
{
    uint32_t at[LANES];
    const char *base = m == ALL_LANES ? all_shared(c, w, o, at) : NULL;
    if (!base)
        return memory_load(c, w, o, m);
    u32 *d = row(&w->frame->rows, o->more[0]);
    for (int i = 0; i < LANES; i++)
        d[i] = *(const u32 *)(base + at[i]);
    return true;
}

bool memory_store_shared_32(core *c, warp *w, const op *o, uint32_t m)
{
    uint32_t at[LANES];
    char *base = m == ALL_LANES ? all_shared(c, w, o, at) : NULL;
    if (!base)
        return memory_store(c, w, o, m);
    const u32 *x = row(&w->frame->rows, o->more[0]);
    for (int i = 0; i < LANES; i++)
        *(u32 *)(base + at[i]) = x[i];
    w->block->shared_version++;
    return true;
}

bool memory_load_global_32(core *c, warp *w, const op *o, uint32_t m)
{
    uint64_t base;
    const u64 *a = row(&w->frame->rows, o->a);
    region *in = m == ALL_LANES ? one_region(c, w, o, a, &base, false) : NULL;
    if (!in)
        return memory_load(c, w, o, m);
    if (in->touch)
        memory_note_warp(c, w->block, in, a, base, false);
    const char *data = in->data;
    u32 *d = row(&w->frame->rows, o->more[0]);
    for (int i = 0; i < LANES; i++)
        d[i] = *(const u32 *)(data + (a[i] - base));
    return true;
}

bool memory_store_global_32(core *c, warp *w, const op *o, uint32_t m)
{
    uint64_t base;
    const u64 *a = row(&w->frame->rows, o->a);
    region *in = m == ALL_LANES ? one_region(c, w, o, a, &base, true) : NULL;
    if (!in)
        return memory_store(c, w, o, m);
    if (in->touch)
        memory_note_warp(c, w->block, in, a, base, true);
    char *data = in->data;
    const u32 *x = row(&w->frame->rows, o->more[0]);
    for (int i = 0; i < LANES; i++)
        *(u32 *)(data + (a[i] - base)) = x[i];
    memory_changed(c, w);
    return true;
}
