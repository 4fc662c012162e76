/* malloc and free of kernels: pieces of 16 bytes times a power of two, with a list of free pieces for each size. The
 * lists are outside of the memory that kernels can write. Addresses depend on the order of the calls, so blocks that
 * allocate run in turn. */
#include "simt/memory/device_heap.h"

#include <stdlib.h>

#define UNIT 16u
#define UNITS (HEAP_BYTES / UNIT)
#define SIZES 20 /* sizes of pieces: 16 bytes to 8 MiB */

struct heap {
    uint32_t used;        /* units from the start that were ever allocated */
    uint32_t list[SIZES]; /* by size: 1 + the first unit of the first free piece; 0: none */
    uint32_t next[UNITS]; /* by first unit of a free piece: 1 + the first unit of the next one */
    uint8_t live[UNITS];  /* by first unit of an allocated piece: 1 + its size */
};

bool heap_make(machine *m)
{
    m->heap = m->program->heap ? calloc(1, sizeof *m->heap) : NULL;
    return m->heap || !m->program->heap;
}

void heap_drop(machine *m)
{
    free(m->heap);
    m->heap = NULL;
}

static uint64_t heap_base(const machine *m)
{
    return m->program->region[m->program->heap - 1].base;
}

/* The memory that a block gets depends on the other blocks: unless blocks run in turn, all must run again. */
static bool require_turns(core *c)
{
    if (!c->machine->tracks_conflicts)
        return true;
    atomic_store(&c->machine->has_conflict, true);
    atomic_store(&c->machine->stopping, true);
    return false;
}

uint64_t heap_allocate(core *c, uint64_t bytes)
{
    struct heap *h = c->machine->heap;
    uint32_t size = 0;
    if (!require_turns(c))
        return 0;
    while (size < SIZES && (uint64_t)UNIT << size < bytes)
        size++;
    if (size == SIZES)
        return 0;
    uint32_t at = h->list[size];
    if (at) {
        h->list[size] = h->next[--at];
    } else if (h->used + (1u << size) <= UNITS) {
        at = h->used;
        h->used += 1u << size;
    } else {
        return 0;
    }
    h->live[at] = (uint8_t)(size + 1);
    return heap_base(c->machine) + (uint64_t)at * UNIT;
}

bool heap_release(core *c, uint64_t address)
{
    struct heap *h = c->machine->heap;
    uint64_t offset = address - heap_base(c->machine);
    if (address == 0 || !require_turns(c))
        return true;
    if (offset >= HEAP_BYTES || offset % UNIT || !h->live[offset / UNIT])
        return false;
    uint32_t at = (uint32_t)(offset / UNIT), size = h->live[at] - 1u;
    h->live[at] = 0;
    h->next[at] = h->list[size];
    h->list[size] = at + 1;
    return true;
}
