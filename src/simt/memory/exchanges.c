/* Do blocks exchange data? Each 4-byte word of global memory remembers which
 * block wrote it and which read it. A block that meets another there, other
 * than in reading or in reductions that commute, is a conflict: then the launch
 * is run again with its blocks in turn. Up to then no block has seen anything of
 * another, so there is a conflict in one order of blocks if there is one in any:
 * it is a fact about the launch, whatever the cores. On several cores both sides
 * mark before they look, so at least one of them sees the other. */
#include <string.h>

#include "simt/memory/memory.h"

#define MANY UINT32_MAX
#define REDUCED 0x80000000u /* with the operation */

typedef struct touch {
    _Atomic uint32_t writer, reader;
} touch;

static const touch only_read = {0, MANY};

static void meet(core *c)
{
    atomic_store(&c->machine->conflict, true);
    atomic_store(&c->machine->stop, true);
}

static inline uint32_t peek(const _Atomic uint32_t *x)
{
    return atomic_load_explicit(x, memory_order_relaxed);
}

static inline void mark(_Atomic uint32_t *x, uint32_t by)
{
    atomic_store_explicit(x, by, memory_order_relaxed);
}

/* Makes x `by` if it still is *seen; else *seen is what it is. */
static inline bool mark_if(const core *c, _Atomic uint32_t *x, uint32_t *seen, uint32_t by)
{
    if (!c->machine->alone)
        return atomic_compare_exchange_weak(x, seen, by);
    mark(x, by);
    return true;
}

static void note_read(core *c, uint32_t me, touch *t)
{
    uint32_t seen = peek(&t->reader);
    while (seen != me && seen != MANY) {
        if (mark_if(c, &t->reader, &seen, seen ? MANY : me))
            break;
    }
    uint32_t by = atomic_load(&t->writer);
    if (by && by != me)
        meet(c);
}

static void note_write(core *c, uint32_t me, uint32_t as, touch *t)
{
    uint32_t by = peek(&t->writer);
    while (by != as) {
        if (by && !(by == me)) {
            meet(c);
            return;
        }
        if (as != me && by == me)
            return; /* its own word, reduced after it was written: still its own */
        if (mark_if(c, &t->writer, &by, as))
            break;
    }
    uint32_t seen = atomic_load(&t->reader);
    if (seen && (seen != me || as != me))
        meet(c);
}

static uint32_t mark_of(const block *b)
{
    return (uint32_t)(b->number % (REDUCED - 2)) + 1;
}

void memory_note(core *c, const block *b, region *r, uint64_t offset, uint32_t bytes, int how)
{
    uint32_t me = mark_of(b);
    for (uint64_t word = offset / 4; word <= (offset + bytes - 1) / 4; word++) {
        if (how == NOTE_READ)
            note_read(c, me, &r->touch[word]);
        else
            note_write(c, me, how == NOTE_WRITE ? me : REDUCED | (uint32_t)(how - NOTE_REDUCE), &r->touch[word]);
    }
}

/* Nobody else looks at the marks meanwhile. */
static void read_alone(core *c, uint32_t me, touch *all, const u64 *a, uint64_t base)
{
    uint32_t met = 0;
    uint64_t usual, other = 0, x;
    memcpy(&usual, &only_read, sizeof usual);
    for (int i = 0; i < LANES; i++) {
        memcpy(&x, &all[(a[i] - base) / 4], sizeof x);
        other |= x ^ usual;
    }
    if (!other)
        return;
    for (int i = 0; i < LANES; i++) {
        touch *t = &all[(a[i] - base) / 4];
        uint32_t by = peek(&t->writer), seen = peek(&t->reader);
        met |= by != 0 && by != me;
        if (seen != me && seen != MANY)
            mark(&t->reader, seen ? MANY : me);
    }
    if (met)
        meet(c);
}

static void write_alone(core *c, uint32_t me, touch *all, const u64 *a, uint64_t base)
{
    uint32_t met = 0;
    for (int i = 0; i < LANES; i++) {
        touch *t = &all[(a[i] - base) / 4];
        uint32_t by = peek(&t->writer), seen = peek(&t->reader);
        met |= (by != 0 && by != me) || (seen != 0 && seen != me);
        mark(&t->writer, me);
    }
    if (met)
        meet(c);
}

void memory_note_warp(core *c, const block *b, region *r, const u64 *a, uint64_t base, bool write)
{
    uint32_t me = mark_of(b);
    if (c->machine->alone) {
        (write ? write_alone : read_alone)(c, me, r->touch, a, base);
        return;
    }
    for (int i = 0; i < LANES; i++) {
        touch *t = &r->touch[(a[i] - base) / 4];
        uint32_t seen = atomic_load_explicit(&t->reader, memory_order_acquire);
        uint32_t by = atomic_load_explicit(&t->writer, memory_order_acquire);
        if (write)
            note_write(c, me, me, t);
        /* Who marked it as read has looked for writers since, so what is marked needs no more than this look. */
        else if ((seen != me && seen != MANY) || (by && by != me))
            note_read(c, me, t);
    }
}

gcast_status conflicts_prepare(machine *m, gcast_error *err)
{
    program *p = m->program;
    for (uint32_t i = 0; i < p->regions; i++) {
        region *r = &p->region[i];
        if (r->constant)
            continue;
        r->touch = calloc((size_t)(r->bytes / 4 + 1), sizeof *r->touch);
        if (!r->touch)
            return gcast_error_set_memory(err);
    }
    return GCAST_OK;
}

void conflicts_free(machine *m)
{
    for (uint32_t i = 0; i < m->program->regions; i++) {
        free(m->program->region[i].touch);
        m->program->region[i].touch = NULL;
    }
}
