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
typedef struct word_marks {
    _Atomic uint32_t writer; /* mark of the block that wrote it, or REDUCED; 0: none */
    _Atomic uint32_t reader; /* mark of the block that read it, or MANY_BLOCKS; 0: none */
} word_marks;

static const word_marks only_read = {0, MANY_BLOCKS};

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

/* Sets the mark from *expected to `mark`; if it has changed meanwhile, *expected becomes the new one. */
static inline bool change_mark(const core *c, _Atomic uint32_t *x, uint32_t *expected, uint32_t mark)
{
    if (!c->machine->single_core)
        return atomic_compare_exchange_weak(x, expected, mark);
    set_mark(x, mark);
    return true;
}

static void note_read(core *c, uint32_t own_mark, word_marks *t)
{
    uint32_t reader = mark_of_word(&t->reader);
    while (reader != own_mark && reader != MANY_BLOCKS) {
        if (change_mark(c, &t->reader, &reader, reader ? MANY_BLOCKS : own_mark))
            break;
    }
    uint32_t writer = atomic_load(&t->writer);
    if (writer && writer != own_mark)
        set_conflict(c);
}

static void note_write(core *c, uint32_t own_mark, uint32_t mark, word_marks *t)
{
    uint32_t writer = mark_of_word(&t->writer);
    while (writer != mark) {
        if (writer && writer != own_mark) {
            set_conflict(c);
            return;
        }
        if (mark != own_mark && writer == own_mark)
            return; /* the block has written the word, so the word keeps its mark */
        if (change_mark(c, &t->writer, &writer, mark))
            break;
    }
    uint32_t reader = atomic_load(&t->reader);
    if (reader && (reader != own_mark || mark != own_mark))
        set_conflict(c);
}

static uint32_t block_mark(const block *b)
{
    return (uint32_t)(b->number % (REDUCED - 2)) + 1;
}

void conflicts_note(core *c, const block *b, region *r, uint64_t offset, uint32_t bytes, int kind)
{
    uint32_t own_mark = block_mark(b);
    for (uint64_t word = offset / 4; word <= (offset + bytes - 1) / 4; word++) {
        if (kind == CONFLICT_READ)
            note_read(c, own_mark, &r->word_marks[word]);
        else
            note_write(c, own_mark, kind == CONFLICT_WRITE ? own_mark : REDUCED | (uint32_t)(kind - CONFLICT_REDUCE),
                       &r->word_marks[word]);
    }
}

/* On one core, where no other can change the marks at the same time. */
static void read_single_core(core *c, uint32_t own_mark, word_marks *marks, const u64 *address, uint64_t base)
{
    uint32_t conflict = 0;
    uint64_t expected, differing = 0, x;
    memcpy(&expected, &only_read, sizeof expected);
    for (int i = 0; i < LANES; i++) {
        memcpy(&x, &marks[(address[i] - base) / 4], sizeof x);
        differing |= x ^ expected;
    }
    if (!differing)
        return;
    for (int i = 0; i < LANES; i++) {
        word_marks *t = &marks[(address[i] - base) / 4];
        uint32_t writer = mark_of_word(&t->writer), reader = mark_of_word(&t->reader);
        conflict |= writer != 0 && writer != own_mark;
        if (reader != own_mark && reader != MANY_BLOCKS)
            set_mark(&t->reader, reader ? MANY_BLOCKS : own_mark);
    }
    if (conflict)
        set_conflict(c);
}

static void write_single_core(core *c, uint32_t own_mark, word_marks *marks, const u64 *address, uint64_t base)
{
    uint32_t conflict = 0;
    for (int i = 0; i < LANES; i++) {
        word_marks *t = &marks[(address[i] - base) / 4];
        uint32_t writer = mark_of_word(&t->writer), reader = mark_of_word(&t->reader);
        conflict |= (writer != 0 && writer != own_mark) || (reader != 0 && reader != own_mark);
        set_mark(&t->writer, own_mark);
    }
    if (conflict)
        set_conflict(c);
}

void conflicts_note_warp(core *c, const block *b, region *r, const u64 *address, uint64_t base, bool write)
{
    uint32_t own_mark = block_mark(b);
    if (c->machine->single_core) {
        (write ? write_single_core : read_single_core)(c, own_mark, r->word_marks, address, base);
        return;
    }
    for (int i = 0; i < LANES; i++) {
        word_marks *t = &r->word_marks[(address[i] - base) / 4];
        uint32_t reader = atomic_load_explicit(&t->reader, memory_order_acquire);
        uint32_t writer = atomic_load_explicit(&t->writer, memory_order_acquire);
        if (write)
            note_write(c, own_mark, own_mark, t);
        /* A block that marked the word as read has looked for writers since, so a word that is marked needs only this
         * check. */
        else if ((reader != own_mark && reader != MANY_BLOCKS) || (writer && writer != own_mark))
            note_read(c, own_mark, t);
    }
}

gcast_status conflicts_prepare(machine *m, gcast_error *err)
{
    program *p = m->program;
    for (uint32_t i = 0; i < p->regions; i++) {
        region *r = &p->region[i];
        if (r->constant)
            continue;
        r->word_marks = calloc((size_t)(r->bytes / 4 + 1), sizeof *r->word_marks);
        if (!r->word_marks)
            return gcast_error_set_memory(err);
    }
    return GCAST_OK;
}

void conflicts_free(machine *m)
{
    for (uint32_t i = 0; i < m->program->regions; i++) {
        free(m->program->region[i].word_marks);
        m->program->region[i].word_marks = NULL;
    }
}
