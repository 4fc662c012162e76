/* malloc and free of kernels: pieces of 16 bytes times powers of two, and lists
 * of those that were freed. What is where is kept outside of the memory that
 * kernels can write. Addresses depend on the order of the calls, so blocks that
 * allocate run in turn. */
#include "simt/memory/device_heap.h"

#include <stdlib.h>

#define UNIT 16u
#define UNITS (HEAP_BYTES / UNIT)
#define SIZES 20 /* 16 bytes to 8 MiB */

struct heap {
    uint32_t used;        /* units from the start that were ever given away */
    uint32_t list[SIZES]; /* of freed pieces: first unit + 1 */
    uint32_t next[UNITS]; /* by first unit of a freed piece: the next one + 1 */
    uint8_t live[UNITS];  /* by first unit of an allocated piece: its size + 1 */
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

/* What one block gets depends on what others took: then all blocks run again in turn. */
static bool in_turn(core *c)
{
    if (!c->machine->tracked)
        return true;
    atomic_store(&c->machine->conflict, true);
    atomic_store(&c->machine->stop, true);
    return false;
}

uint64_t heap_allocate(core *c, uint64_t bytes)
{
    struct heap *h = c->machine->heap;
    uint32_t size = 0;
    if (!in_turn(c))
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
    if (address == 0 || !in_turn(c))
        return true;
    if (offset >= HEAP_BYTES || offset % UNIT || !h->live[offset / UNIT])
        return false;
    uint32_t at = (uint32_t)(offset / UNIT), size = h->live[at] - 1u;
    h->live[at] = 0;
    h->next[at] = h->list[size];
    h->list[size] = at + 1;
    return true;
}
