/* Races on shared memory: two threads of a block touch a byte, at least one of
 * them writes, and no barrier is between them. Each 4-byte word remembers its
 * last writer and reader and the barrier epoch and warp instruction they came
 * in. Lanes of one warp are in order where one instruction follows another of
 * the same converged group; bar.warp.sync and other warp-wide exchanges start
 * a new order for the warp. */
#include "simt/races.h"

#include "simt/memory.h"

#define MOST_RACES 1000

typedef struct touch {
    uint64_t epoch; /* of the block's barriers, + 1; 0: never */
    uint64_t step;  /* of the warp: its exchanges and barriers */
    uint32_t thread, line;
    uint8_t bytes; /* mask within the word */
    bool atomic;
} touch;

typedef struct cell {
    touch write, read;
} cell;

struct race_shadow {
    uint32_t cells;
    cell cell[];
};

bool races_prepare(block *b, uint32_t shared_bytes)
{
    uint32_t cells = shared_bytes / 4 + 1;
    b->shadow = calloc(1, sizeof *b->shadow + cells * sizeof(cell));
    if (b->shadow)
        b->shadow->cells = cells;
    return b->shadow != NULL;
}

void races_clear(block *b)
{
    for (uint32_t i = 0; b->shadow && i < b->shadow->cells; i++)
        b->shadow->cell[i] = (cell){0};
}

static void found(core *c, const block *b, const touch *first, const touch *second, bool write_a, bool write_b,
                  uint64_t address)
{
    if (first->line > second->line) { /* the same two lines in the other order are the same race */
        found(c, b, second, first, write_b, write_a, address);
        return;
    }
    for (size_t i = 0; i < c->races.count; i++) {
        gcast_simt_race *r = &c->races.at[i];
        if (r->ptx_line_a == first->line && r->ptx_line_b == second->line && r->write_a == write_a &&
            r->write_b == write_b) {
            r->times++;
            return;
        }
    }
    gcast_simt_race r = {
        .block = (uint32_t)b->number,
        .thread_a = first->thread,
        .thread_b = second->thread,
        .ptx_line_a = first->line,
        .ptx_line_b = second->line,
        .write_a = write_a,
        .write_b = write_b,
        .address = address,
        .times = 1,
    };
    if (c->races.count < MOST_RACES && !vec_push(&c->races, r))
        c->status = gcast_fail_memory(c->err);
}

/* Could the earlier touch have come after this one? */
static bool unordered(const touch *before, const touch *now)
{
    if (before->epoch != now->epoch || before->thread == now->thread || !(before->bytes & now->bytes) ||
        (before->atomic && now->atomic))
        return false;
    bool same_warp = before->thread / LANES == now->thread / LANES;
    return !same_warp || before->step == now->step;
}

static void touch_word(core *c, const block *b, cell *x, const touch *now, bool write, uint64_t address)
{
    if (unordered(&x->write, now) && !(write && x->write.line == now->line && x->write.atomic))
        found(c, b, &x->write, now, true, write, address);
    if (write && unordered(&x->read, now))
        found(c, b, &x->read, now, false, true, address);
    if (write) {
        x->write = *now;
        return;
    }
    /* Of several readers the one is kept that a later write is more likely to race with: another warp's. */
    bool fresh = x->read.epoch != now->epoch;
    if (fresh || x->read.thread / LANES == now->thread / LANES)
        x->read = *now;
}

void races_access(core *c, const warp *w, const op *o, uint32_t m, bool write)
{
    const block *b = w->block;
    uint64_t address[LANES];
    bool atomic = o->mix == GCAST_SIMT_atomic;
    uint32_t bytes = atomic ? o->bytes : (uint32_t)o->bytes * o->count;
    /* Before Volta lanes run in lockstep: one instruction comes after the other. */
    uint64_t step = c->machine->options->model == GCAST_SIMT_STACK ? w->instructions : w->step;
    memory_addresses(w, o, m, address);
    EACH_SET(i, m)
    {
        uint64_t at = address[i];
        if (o->space == PTX_SPACE_NONE && at >> 32 == SHARED_WINDOW >> 32)
            at &= UINT32_MAX;
        else if (o->space != PTX_SPACE_shared)
            continue;
        if (at + bytes > (uint64_t)(b->shadow->cells - 1) * 4 + 4)
            continue;
        for (uint32_t done = 0; done < bytes;) {
            uint32_t from = (uint32_t)(at + done) % 4, n = 4 - from < bytes - done ? 4 - from : bytes - done;
            touch now = {
                b->epoch + 1, step, w->number * LANES + i, (uint32_t)o->line, (uint8_t)(((1u << n) - 1) << from),
                atomic};
            touch_word(c, b, &b->shadow->cell[(at + done) / 4], &now, write, at + done);
            done += n;
        }
    }
}
