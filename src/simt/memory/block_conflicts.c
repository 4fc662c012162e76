/* Do blocks exchange data? Each 4-byte word of global memory has marks of the blocks that wrote and read it. Two blocks
 * that access a word are a conflict, unless both read, or both reduce it by the same commutative operation; then the
 * launch runs again with its blocks in turn. Until a conflict is found, no block has read data of another block, so
 * whether there is a conflict does not depend on the order of blocks or on the number of cores. On several cores both
 * sides mark the word before they look at the marks of others, so at least one of them finds the conflict, and it does
 * not access the word: no two cores access the same bytes at the same time, except by atomics. */
#include "simt/memory/block_conflicts.h"

#include <stdlib.h>
#include <string.h>

#define MANY_BLOCKS UINT32_MAX
#define REDUCED 0x80000000u /* flag of a mark: the word was reduced; the low bits are the operation */

/* Marks of a word. */
typedef struct word_marks {
    _Atomic uint32_t writer; /* mark of the block that wrote it, or REDUCED; 0: none */
    _Atomic uint32_t reader; /* mark of the block that read it, or MANY_BLOCKS; 0: none */
} word_marks;

static const word_marks only_read = {0, MANY_BLOCKS};

/* Stops all cores; always false. */
static bool set_conflict(core *c)
{
    atomic_store(&c->machine->has_conflict, true);
    atomic_store(&c->machine->stopping, true);
    return false;
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

static inline bool note_read(core *c, uint32_t own_mark, word_marks *t)
{
    uint32_t reader = mark_of_word(&t->reader);
    while (reader != own_mark && reader != MANY_BLOCKS) {
        if (change_mark(c, &t->reader, &reader, reader ? MANY_BLOCKS : own_mark))
            break;
    }
    uint32_t writer = atomic_load(&t->writer);
    return !writer || writer == own_mark || set_conflict(c);
}

static inline bool note_write(core *c, uint32_t own_mark, uint32_t mark, word_marks *t)
{
    uint32_t writer = mark_of_word(&t->writer);
    while (writer != mark) {
        if (writer && writer != own_mark)
            return set_conflict(c);
        if (mark != own_mark && writer == own_mark)
            return true; /* the block wrote the word before, which keeps the block's mark */
        if (change_mark(c, &t->writer, &writer, mark))
            break;
    }
    uint32_t reader = atomic_load(&t->reader);
    return !reader || (reader == own_mark && mark == own_mark) || set_conflict(c);
}

static uint32_t block_mark(const block *b)
{
    return (uint32_t)(b->number % (REDUCED - 2)) + 1;
}

bool conflicts_note(core *c, const block *b, region *r, uint64_t offset, uint32_t bytes, int kind)
{
    uint32_t own_mark = block_mark(b);
    uint32_t mark = kind <= CONFLICT_WRITE ? own_mark : REDUCED | (uint32_t)(kind - CONFLICT_REDUCE);
    for (uint64_t word = offset / 4; word <= (offset + bytes - 1) / 4; word++) {
        word_marks *t = &r->word_marks[word];
        if (!(kind == CONFLICT_READ ? note_read(c, own_mark, t) : note_write(c, own_mark, mark, t)))
            return false;
    }
    return true;
}

/* On one core, no other core changes the marks at the same time. */
static bool read_single_core(core *c, uint32_t own_mark, word_marks *marks, const u64 *address, uint64_t base)
{
    uint32_t conflict = 0;
    uint64_t expected, differing = 0, x;
    memcpy(&expected, &only_read, sizeof expected);
    for (int i = 0; i < LANES; i++) {
        memcpy(&x, &marks[(address[i] - base) / 4], sizeof x);
        differing |= x ^ expected;
    }
    if (!differing)
        return true;
    for (int i = 0; i < LANES; i++) {
        word_marks *t = &marks[(address[i] - base) / 4];
        uint32_t writer = mark_of_word(&t->writer), reader = mark_of_word(&t->reader);
        conflict |= writer != 0 && writer != own_mark;
        if (reader != own_mark && reader != MANY_BLOCKS)
            set_mark(&t->reader, reader ? MANY_BLOCKS : own_mark);
    }
    return !conflict || set_conflict(c);
}

static bool write_single_core(core *c, uint32_t own_mark, word_marks *marks, const u64 *address, uint64_t base)
{
    uint32_t conflict = 0;
    for (int i = 0; i < LANES; i++) {
        word_marks *t = &marks[(address[i] - base) / 4];
        uint32_t writer = mark_of_word(&t->writer), reader = mark_of_word(&t->reader);
        conflict |= (writer != 0 && writer != own_mark) || (reader != 0 && reader != own_mark);
        set_mark(&t->writer, own_mark);
    }
    return !conflict || set_conflict(c);
}

bool conflicts_note_warp(core *c, const block *b, region *r, const u64 *address, uint64_t base, bool write)
{
    uint32_t own_mark = block_mark(b);
    if (c->machine->single_core)
        return (write ? write_single_core : read_single_core)(c, own_mark, r->word_marks, address, base);
    word_marks *marks = r->word_marks;
    if (write) {
        for (int i = 0; i < LANES; i++)
            if (!note_write(c, own_mark, own_mark, &marks[(address[i] - base) / 4]))
                return false;
        return true;
    }
    for (int i = 0; i < LANES; i++) {
        word_marks *t = &marks[(address[i] - base) / 4];
        uint32_t reader = atomic_load_explicit(&t->reader, memory_order_acquire);
        uint32_t writer = atomic_load_explicit(&t->writer, memory_order_acquire);
        /* The block that marked the word as read has looked for writers since, so this check is enough. */
        bool is_marked = (reader == own_mark || reader == MANY_BLOCKS) && (!writer || writer == own_mark);
        if (!is_marked && !note_read(c, own_mark, t))
            return false;
    }
    return true;
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
