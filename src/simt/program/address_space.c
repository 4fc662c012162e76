#include "simt/program/address_space.h"

#define MAX_SECTIONS (1u << 24)

/* The low 32 bits of the addresses differ, too, as on a GPU: there regions follow each other at a distance of a MiB or
 * more. */
gcast_status memory_map(program *p, region *r, uint32_t count, gcast_error *err)
{
    uint64_t section = 1, low = 0;
    for (uint32_t i = 0; i < count; i++) {
        r[i].base = (section << MEMORY_SECTION) + (low & UINT32_MAX);
        low += (r[i].bytes / NULL_PAGE_BYTES + 2) * NULL_PAGE_BYTES;
        section = ((r[i].base + r[i].bytes + MIN_REGION_DISTANCE) >> MEMORY_SECTION) + 1;
        if (r[i].bytes > (uint64_t)1 << 48 || section > MAX_SECTIONS)
            return gcast_error_set(err, GCAST_INPUT, NULL, "the buffers are larger than the memory of any GPU");
    }
    p->sections = (uint32_t)section;
    p->section = arena_alloc_array(&p->memory, section, sizeof *p->section);
    if (!p->section)
        return gcast_error_set_memory(err);
    for (uint32_t i = 0; i < count; i++)
        for (uint64_t k = r[i].base >> MEMORY_SECTION; k <= (r[i].base + r[i].bytes) >> MEMORY_SECTION; k++)
            p->section[k] = i + 1;
    p->region = r;
    p->regions = count;
    return GCAST_OK;
}
