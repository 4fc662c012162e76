/* Blocks on several cores: each 4-byte word of global memory remembers which
 * block wrote it and which read it. A block that meets another there, other
 * than in reading or in reductions that commute, is a conflict: then the launch
 * is run again with its blocks in turn. Both sides mark before they look, so at
 * least one of them sees the other. */
#include "simt/memory.h"

#define MANY UINT32_MAX
#define REDUCED 0x80000000u /* with the operation */

static void meet(core *c)
{
    atomic_store(&c->machine->conflict, true);
    atomic_store(&c->machine->stop, true);
}

static void note_read(core *c, uint32_t me, _Atomic uint32_t *writer, _Atomic uint32_t *reader)
{
    uint32_t seen = atomic_load_explicit(reader, memory_order_relaxed);
    while (seen != me && seen != MANY) {
        if (atomic_compare_exchange_weak(reader, &seen, seen ? MANY : me))
            break;
    }
    uint32_t by = atomic_load(writer);
    if (by && by != me)
        meet(c);
}

static void note_write(core *c, uint32_t me, uint32_t mark, _Atomic uint32_t *writer, _Atomic uint32_t *reader)
{
    uint32_t by = atomic_load_explicit(writer, memory_order_relaxed);
    while (by != mark) {
        if (by && !(by == me)) {
            meet(c);
            return;
        }
        if (mark != me && by == me)
            return; /* its own word, reduced after it was written: still its own */
        if (atomic_compare_exchange_weak(writer, &by, mark))
            break;
    }
    uint32_t seen = atomic_load(reader);
    if (seen && (seen != me || mark != me))
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
            note_read(c, me, &r->writer[word], &r->reader[word]);
        else
            note_write(c, me, how == NOTE_WRITE ? me : REDUCED | (uint32_t)(how - NOTE_REDUCE), &r->writer[word],
                       &r->reader[word]);
    }
}

void memory_note_reads(core *c, const block *b, region *r, const u64 *a, uint64_t base)
{
    uint32_t me = mark_of(b);
    for (int i = 0; i < LANES; i++) {
        uint64_t word = (a[i] - base) / 4;
        uint32_t seen = atomic_load_explicit(&r->reader[word], memory_order_acquire);
        uint32_t by = atomic_load_explicit(&r->writer[word], memory_order_acquire);
        /* Who marked it as read has looked for writers since, so what is marked needs no more than this look. */
        if ((seen != me && seen != MANY) || (by && by != me))
            note_read(c, me, &r->writer[word], &r->reader[word]);
    }
}

gcast_status conflicts_prepare(machine *m, gcast_error *err)
{
    program *p = m->program;
    for (uint32_t i = 0; i < p->regions; i++) {
        region *r = &p->region[i];
        if (r->constant)
            continue;
        size_t words = (size_t)(r->bytes / 4 + 1);
        r->writer = calloc(words, sizeof *r->writer);
        r->reader = calloc(words, sizeof *r->reader);
        if (!r->writer || !r->reader)
            return gcast_fail_memory(err);
    }
    return GCAST_OK;
}

void conflicts_free(machine *m)
{
    for (uint32_t i = 0; i < m->program->regions; i++) {
        region *r = &m->program->region[i];
        free(r->writer);
        free(r->reader);
        r->writer = r->reader = NULL;
    }
}
