/* Do blocks exchange data? For each 4-byte word of global memory it is kept
 * which block wrote it and which read it. Two blocks that access a word are a
 * conflict, unless both read or both reduce it by the same commutative
 * operation; then the launch runs again with its blocks in turn. Until a
 * conflict is found no block has seen data of another, so whether there is one
 * does not depend on the order of the blocks or on the cores. On several cores
 * both sides mark the word before they look at the marks of others, so at least
 * one of them finds the conflict. */
#include "simt/memory/conflicts.h"

#include <stdlib.h>
#include <string.h>

#define MANY_BLOCKS UINT32_MAX
#define REDUCED 0x80000000u /* flag of a mark: the word was reduced, by the operation in the low bits */

/* Who accessed a word. */
typedef struct touch {
    _Atomic uint32_t writer; /* mark of the block that wrote it, or REDUCED; 0: none */
    _Atomic uint32_t reader; /* mark of the block that read it, or MANY_BLOCKS; 0: none */
} touch;

static const touch only_read = {0, MANY_BLOCKS};

static void set_conflict(core *c)
{
    atomic_store(&c->machine->has_conflict, true);
    atomic_store(&c->machine->stopping, true);
}

static inline uint32_t mark_of_word(const _Atomic uint32_t *x)
{
    return atomic_load_explicit(x, memory_order_relaxed);
}

static inline void set_mark(_Atomic uint32_t *x, uint32_t mark)
{
    atomic_store_explicit(x, mark, memory_order_relaxed);
}

/* Sets the mark from *seen to `mark`; if it has changed meanwhile, *seen becomes what it is now. */
static inline bool change_mark(const core *c, _Atomic uint32_t *x, uint32_t *seen, uint32_t mark)
{
    if (!c->machine->single_core)
        return atomic_compare_exchange_weak(x, seen, mark);
    set_mark(x, mark);
    return true;
}

static void note_read(core *c, uint32_t me, touch *t)
{
    uint32_t seen = mark_of_word(&t->reader);
    while (seen != me && seen != MANY_BLOCKS) {
        if (change_mark(c, &t->reader, &seen, seen ? MANY_BLOCKS : me))
            break;
    }
    uint32_t writer = atomic_load(&t->writer);
    if (writer && writer != me)
        set_conflict(c);
}

static void note_write(core *c, uint32_t me, uint32_t mark, touch *t)
{
    uint32_t writer = mark_of_word(&t->writer);
    while (writer != mark) {
        if (writer && writer != me) {
            set_conflict(c);
            return;
        }
        if (mark != me && writer == me)
            return; /* the block wrote the word before it reduces it: it stays its own */
        if (change_mark(c, &t->writer, &writer, mark))
            break;
    }
    uint32_t seen = atomic_load(&t->reader);
    if (seen && (seen != me || mark != me))
        set_conflict(c);
}

static uint32_t block_mark(const block *b)
{
    return (uint32_t)(b->number % (REDUCED - 2)) + 1;
}

void conflicts_note(core *c, const block *b, region *r, uint64_t offset, uint32_t bytes, int kind)
{
    uint32_t me = block_mark(b);
    for (uint64_t word = offset / 4; word <= (offset + bytes - 1) / 4; word++) {
        if (kind == CONFLICT_READ)
            note_read(c, me, &r->touch[word]);
        else
            note_write(c, me, kind == CONFLICT_WRITE ? me : REDUCED | (uint32_t)(kind - CONFLICT_REDUCE),
                       &r->touch[word]);
    }
}

/* On one core, where no other can change the marks at the same time. */
static void read_alone(core *c, uint32_t me, touch *all, const u64 *address, uint64_t base)
{
    uint32_t conflict = 0;
    uint64_t expected, other = 0, x;
    memcpy(&expected, &only_read, sizeof expected);
    for (int i = 0; i < LANES; i++) {
        memcpy(&x, &all[(address[i] - base) / 4], sizeof x);
        other |= x ^ expected;
    }
    if (!other)
        return;
    for (int i = 0; i < LANES; i++) {
        touch *t = &all[(address[i] - base) / 4];
        uint32_t writer = mark_of_word(&t->writer), seen = mark_of_word(&t->reader);
        conflict |= writer != 0 && writer != me;
        if (seen != me && seen != MANY_BLOCKS)
            set_mark(&t->reader, seen ? MANY_BLOCKS : me);
    }
    if (conflict)
        set_conflict(c);
}

static void write_alone(core *c, uint32_t me, touch *all, const u64 *address, uint64_t base)
{
    uint32_t conflict = 0;
    for (int i = 0; i < LANES; i++) {
        touch *t = &all[(address[i] - base) / 4];
        uint32_t writer = mark_of_word(&t->writer), seen = mark_of_word(&t->reader);
        conflict |= (writer != 0 && writer != me) || (seen != 0 && seen != me);
        set_mark(&t->writer, me);
    }
    if (conflict)
        set_conflict(c);
}

void conflicts_note_warp(core *c, const block *b, region *r, const u64 *address, uint64_t base, bool write)
{
    uint32_t me = block_mark(b);
    if (c->machine->single_core) {
        (write ? write_alone : read_alone)(c, me, r->touch, address, base);
        return;
    }
    for (int i = 0; i < LANES; i++) {
        touch *t = &r->touch[(address[i] - base) / 4];
        uint32_t seen = atomic_load_explicit(&t->reader, memory_order_acquire);
        uint32_t writer = atomic_load_explicit(&t->writer, memory_order_acquire);
        if (write)
            note_write(c, me, me, t);
        /* A block that marked the word as read has looked for writers since, so a word that is marked needs only this
         * check. */
        else if ((seen != me && seen != MANY_BLOCKS) || (writer && writer != me))
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
