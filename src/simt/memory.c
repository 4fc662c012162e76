/* Where addresses lead: regions of global memory by page, and the windows of
 * the other spaces. Every access is checked for bounds and alignment. */
#include "simt/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

gcast_status memory_map(program *p, region *r, uint32_t count, gcast_error *err)
{
    uint64_t page = 0;
    for (uint32_t i = 0; i < count; i++) {
        r[i].base = MEMORY_BASE + page * MEMORY_PAGE;
        page += r[i].bytes / MEMORY_PAGE + 2; /* at least one page stays unmapped */
        if (page > UINT32_MAX)
            return gcast_fail(err, GCAST_INPUT, NULL, "the buffers are larger than the memory of any GPU");
    }
    p->pages = (uint32_t)page;
    p->page = arena_alloc_array(&p->memory, page ? page : 1, sizeof *p->page);
    if (!p->page)
        return gcast_fail_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t first = (r[i].base - MEMORY_BASE) / MEMORY_PAGE;
        for (uint64_t k = 0; k <= r[i].bytes / MEMORY_PAGE; k++)
            p->page[first + k] = i + 1;
    }
    p->region = r;
    p->regions = count;
    return GCAST_OK;
}

static const char *space_name(ptx_space s)
{
    return s == PTX_SPACE_shared ? "shared memory" : s == PTX_SPACE_local ? "local memory" : "the parameters";
}

/* Where a bad global address is, seen from the region before it. */
static void describe(const program *p, uint64_t address, char *out, size_t size)
{
    const region *before = NULL;
    for (uint32_t i = 0; i < p->regions; i++)
        if (p->region[i].base <= address)
            before = &p->region[i];
    uint64_t page = (address - MEMORY_BASE) / MEMORY_PAGE;
    if (address < MEMORY_PAGE)
        snprintf(out, size, "near null");
    else if (before && page < p->pages)
        snprintf(out, size, "%" PRIu64 " bytes after the end of %.100s",
                 address - before->base - (address < before->base + before->bytes ? 0 : before->bytes), before->name);
    else
        snprintf(out, size, "where nothing is");
    if (before && address < before->base + before->bytes)
        snprintf(out, size, "across the end of %.100s", before->name);
}

static char *fail_bounds(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, uint32_t bytes, bool write,
                         const char *where)
{
    machine_fail(c, w, o, (int)lane, "%s %u bytes at 0x%" PRIx64 ", %s", write ? "writes" : "reads", bytes, address,
                 where);
    return NULL;
}

static char *in_window(core *c, warp *w, const op *o, uint32_t lane, uint64_t at, uint32_t bytes, bool write,
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
    char where[160];
    if (write && space == PTX_SPACE_param)
        snprintf(where, sizeof where, "among the kernel's parameters, which cannot be written");
    else if (at >= size)
        snprintf(where, sizeof where, "%" PRIu64 " bytes after the end of %s", at - size, space_name(space));
    else
        snprintf(where, sizeof where, "across the end of %s", space_name(space));
    return fail_bounds(c, w, o, lane, at, bytes, write, where);
}

static region *find_region(const program *p, uint64_t address)
{
    uint64_t page = (address - MEMORY_BASE) / MEMORY_PAGE;
    uint32_t i = address >= MEMORY_BASE && page < p->pages ? p->page[page] : 0;
    return i ? &p->region[i - 1] : NULL;
}

static char *in_global(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, uint32_t bytes, bool write)
{
    const program *p = c->machine->program;
    region *r = find_region(p, address);
    uint64_t at = r ? address - r->base : 0;
    char where[160];
    if (!r || bytes > r->bytes || at > r->bytes - bytes) {
        describe(p, address, where, sizeof where);
        return fail_bounds(c, w, o, lane, address, bytes, write, where);
    }
    if (write && r->constant) {
        snprintf(where, sizeof where, "in %.100s, which is constant", r->name);
        return fail_bounds(c, w, o, lane, address, bytes, write, where);
    }
    if (c->machine->shadowed && r->writer)
        memory_note(c, w->block, r, at, bytes, o->note ? o->note : write ? NOTE_WRITE : NOTE_READ);
    return r->data + at;
}

char *memory_at(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, uint32_t bytes, bool write)
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
        return in_global(c, w, o, lane, address, bytes, write);
    return in_window(c, w, o, lane, address, bytes, write, space);
}

const char *memory_peek(const core *c, const warp *w, uint32_t lane, uint64_t generic, uint64_t *left)
{
    const program *p = c->machine->program;
    const region *r = find_region(p, generic);
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
    if (o->address == 8) {
        const u64 *a = row(r, o->a);
        EACH_LANE address[i] = a[i] + (uint64_t)o->imm;
    } else if (o->address == 4) {
        const u32 *a = row(r, o->a);
        EACH_LANE address[i] = (uint32_t)(a[i] + (uint32_t)o->imm);
    } else {
        EACH_SET(i, m) address[i] = (uint64_t)o->imm + (o->in_frame ? w->frame->local[i] : 0);
    }
}

bool memory_reach(core *c, warp *w, const op *o, uint32_t m, bool write, char *at[LANES])
{
    uint64_t address[LANES];
    uint32_t bytes = (uint32_t)o->bytes * o->count;
    memory_addresses(w, o, m, address);
    EACH_SET(i, m)
    {
        at[i] = memory_at(c, w, o, i, address[i], bytes, write);
        if (!at[i])
            return false;
    }
    return true;
}
