/* Finds the bytes at addresses, in the regions of global memory and the windows of the other spaces. Every access is
 * checked for bounds and alignment. */
#include "simt/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>

#include "simt/machine/machine.h"
#include "simt/memory/block_conflicts.h"
#include "simt/program/program.h"

static const char *space_name(ptx_space s)
{
    return s == PTX_SPACE_shared ? "shared memory" : s == PTX_SPACE_local ? "local memory" : "the parameters";
}

/* Describes a bad global address by the nearest region; regions are sorted by address. */
static void describe(const program *p, uint64_t address, char *out, size_t size)
{
    const region *before = NULL, *after = NULL;
    for (uint32_t i = 0; p->region && i < p->regions && !after; i++)
        if (p->region[i].base <= address)
            before = &p->region[i];
        else
            after = &p->region[i];
    uint64_t end = before ? before->base + before->bytes : 0, below = address >= end ? address - end : 0;
    uint64_t above = after ? after->base - address : UINT64_MAX;
    if (before && address < end)
        snprintf(out, size, "across the end of %.100s", before->name);
    else if (address < NULL_PAGE_BYTES)
        snprintf(out, size, "near null");
    else if (before && below <= above && below < MEMORY_BASE)
        snprintf(out, size, "%" PRIu64 " bytes after the end of %.100s", below, before->name);
    else if (above < MIN_REGION_DISTANCE)
        snprintf(out, size, "%" PRIu64 " bytes before the start of %.100s", above, after->name);
    else
        snprintf(out, size, "where nothing is");
}

static char *fail_bounds(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, uint32_t bytes, bool write,
                         const char *location)
{
    machine_fail(c, w, o, (int)lane, "%s %u bytes at 0x%" PRIx64 ", %s", write ? "writes" : "reads", bytes, address,
                 location);
    return NULL;
}

static char *window_pointer(core *c, warp *w, const op *o, uint32_t lane, uint64_t at, uint32_t bytes, bool write,
                            ptx_space space)
{
    const program *p = c->machine->program;
    uint64_t size = space == PTX_SPACE_shared  ? p->shared_bytes
                    : space == PTX_SPACE_local ? w->local_stride
                                               : p->param_bytes;
    char *base = space == PTX_SPACE_shared  ? w->block->shared
                 : space == PTX_SPACE_local ? w->local + (size_t)lane * w->local_stride
                                            : p->params;
    if (size >= bytes && at <= size - bytes && !(write && space == PTX_SPACE_param))
        return base + at;
    char location[160];
    if (write && space == PTX_SPACE_param)
        snprintf(location, sizeof location, "among the kernel's parameters, which cannot be written");
    else if (at >= size)
        snprintf(location, sizeof location, "%" PRIu64 " bytes after the end of %s", at - size, space_name(space));
    else
        snprintf(location, sizeof location, "across the end of %s", space_name(space));
    return fail_bounds(c, w, o, lane, at, bytes, write, location);
}

static char *global_pointer(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, uint32_t bytes, bool write)
{
    const program *p = c->machine->program;
    region *r = memory_region(p, address);
    uint64_t at = r ? address - r->base : 0;
    char location[160];
    if (!r || bytes > r->bytes || at > r->bytes - bytes) {
        describe(p, address, location, sizeof location);
        return fail_bounds(c, w, o, lane, address, bytes, write, location);
    }
    if (write && r->constant) {
        snprintf(location, sizeof location, "in %.100s, which is constant", r->name);
        return fail_bounds(c, w, o, lane, address, bytes, write, location);
    }
    int kind = o->conflict_kind ? o->conflict_kind : write ? CONFLICT_WRITE : CONFLICT_READ;
    if (r->word_marks && !conflicts_note(c, w->block, r, at, bytes, kind))
        return NULL;
    return r->data + at;
}

char *memory_pointer(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, uint32_t bytes, bool write)
{
    ptx_space space = (ptx_space)o->space;
    if (bytes & (bytes - 1) ? address % 4 : address & (bytes - 1)) {
        machine_fail(c, w, o, (int)lane, "%s %u bytes at 0x%" PRIx64 ", which is misaligned",
                     write ? "writes" : "reads", bytes, address);
        return NULL;
    }
    if (space == PTX_SPACE_NONE) {
        if (address >= SHARED_WINDOW && address < PARAM_WINDOW + WINDOW_BYTES) {
            static const ptx_space windows[] = {PTX_SPACE_shared, PTX_SPACE_local, PTX_SPACE_param};
            space = windows[(address >> 32) - 1];
            address &= UINT32_MAX;
        } else {
            space = PTX_SPACE_global;
        }
    }
    if (space == PTX_SPACE_global || space == PTX_SPACE_const)
        return global_pointer(c, w, o, lane, address, bytes, write);
    return window_pointer(c, w, o, lane, address, bytes, write, space);
}

const char *memory_peek(const core *c, const warp *w, uint32_t lane, uint64_t generic, uint64_t *left)
{
    const program *p = c->machine->program;
    const region *r = memory_region(p, generic);
    uint64_t at = generic & UINT32_MAX;
    if (r && generic - r->base < r->bytes) {
        *left = r->bytes - (generic - r->base);
        return r->data + (generic - r->base);
    }
    if (generic >> 32 == LOCAL_WINDOW >> 32 && at < w->local_stride) {
        *left = w->local_stride - at;
        return w->local + (size_t)lane * w->local_stride + at;
    }
    if (generic >> 32 == SHARED_WINDOW >> 32 && at < p->shared_bytes) {
        *left = p->shared_bytes - at;
        return w->block->shared + at;
    }
    return NULL;
}

void memory_addresses(const warp *w, const op *o, uint32_t m, uint64_t address[LANES])
{
    const rows *r = &w->frame->rows;
    if (o->address_bytes == 8) {
        const u64 *a = row(r, o->a);
        EACH_LANE address[i] = a[i] + (uint64_t)o->imm;
    } else if (o->address_bytes == 4) {
        const u32 *a = row(r, o->a);
        EACH_LANE address[i] = (uint32_t)(a[i] + (uint32_t)o->imm);
    } else {
        EACH_SET(i, m) address[i] = (uint64_t)o->imm + (o->in_frame ? w->frame->local_offset[i] : 0);
    }
}

bool memory_pointers(core *c, warp *w, const op *o, uint32_t m, bool write, char *at[LANES])
{
    uint64_t address[LANES];
    uint32_t bytes = (uint32_t)o->bytes * o->count;
    memory_addresses(w, o, m, address);
    EACH_SET(i, m)
    {
        at[i] = memory_pointer(c, w, o, i, address[i], bytes, write);
        if (!at[i])
            return false;
    }
    return true;
}
