/* A block: its warps take turns until all are done, or none can go on. */
#include "simt/run/block.h"

#include <string.h>

#include "simt/cost/cost.h"
#include "simt/memory/memory.h"
#include "simt/races/races.h"
#include "simt/warp/calls.h"
#include "simt/warp/warp.h"

#define WARP_TURN 4096        /* instructions */
#define SHORT_TURN 100        /* the most, where turns are drawn */
#define BLOCK_TURN (1u << 20) /* before other blocks on this core get theirs */

static bool start_warp(core *c, block *b, uint32_t n)
{
    warp *w = &b->warp[n];
    uint32_t threads = c->machine->block_threads - n * LANES;
    w->block = b;
    w->number = n;
    w->threads = threads >= LANES ? ALL_LANES : (1u << threads) - 1;
    w->exited = 0;
    w->pc = c->machine->program->function[0].first;
    w->frame = calls_first(c, w);
    w->instructions = w->turn_start = w->backs = w->watch_until = w->barrier_since = w->waited = 0;
    w->watched_version = UINT64_MAX;
    w->clock = 0;
    w->clock_read = w->at_barrier = false;
    w->state = WARP_PAUSED;
    if (!w->frame)
        return false;
    threads_start(w);
    return c->machine->options->model != GCAST_SIMT_STACK || stack_start(c, w);
}

bool block_start(core *c, block *b, uint64_t number)
{
    const machine *m = c->machine;
    const uint32_t *grid = m->launch->grid;
    uint32_t shared = m->program->shared_bytes;
    if (!b->warp) {
        b->warp = calloc(m->block_warps, sizeof *b->warp);
        b->shared = aligned_alloc(64, ((size_t)shared + 127) / 64 * 64);
        if (!b->warp || !b->shared) {
            c->status = gcast_error_set_memory(c->err);
            return false;
        }
    }
    b->warps = m->block_warps;
    b->number = number;
    b->at[0] = (uint32_t)(number % grid[0]);
    b->at[1] = (uint32_t)(number / grid[0] % grid[1]);
    b->at[2] = (uint32_t)(number / grid[0] / grid[1]);
    b->live_threads = m->block_threads;
    b->random = m->options->interleave + number;
    b->instructions = b->slept = b->shared_version = b->global_version = 0;
    memset(b->barrier, 0, sizeof b->barrier);
    memset(b->shared, 0, shared);
    if (m->races && !races_block_start(c, b)) {
        c->status = gcast_error_set_memory(c->err);
        return false;
    }
    text_open(&b->out, NULL, NULL);
    for (uint32_t n = 0; n < b->warps; n++)
        if (!start_warp(c, b, n))
            return false;
    return !m->options->cost || cost_block_start(c, b);
}

void block_free(const machine *m, block *b)
{
    races_block_end(m, b);
    for (uint32_t n = 0; b->warp && n < b->warps; n++)
        calls_warp_free(&b->warp[n]);
    free(b->warp);
    free(b->shared);
    cost_block_free(b);
    free(b->out.data);
    *b = (block){0};
}

static void count_warp(core *c, const warp *w)
{
    c->warps++;
    if (w->instructions > c->most_warp_instructions)
        c->most_warp_instructions = w->instructions;
}

static uint32_t draw(block *b, uint32_t below)
{
    b->random = b->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(b->random >> 33) % below;
}

/* One turn of a warp; what it did is in w->state. */
static bool run_warp(core *c, warp *w)
{
    const machine *m = c->machine;
    uint64_t left = m->max_instructions - w->instructions;
    uint64_t turn = m->options->interleave ? 1 + draw(w->block, SHORT_TURN) : WARP_TURN;
    w->state = (uint8_t)warp_run(c, w, left < turn ? left + 1 : turn);
    if (w->state == WARP_FAILED)
        return false;
    if (w->instructions > m->max_instructions)
        return machine_fail(
            c, w, w->state == WARP_PAUSED ? &m->program->op[w->pc] : NULL, -1,
            "warp %u of block (%u,%u,%u) has run more than %llu instructions, the most that were allowed", w->number,
            w->block->at[0], w->block->at[1], w->block->at[2], (unsigned long long)m->max_instructions);
    if (w->state == WARP_DONE)
        count_warp(c, w);
    return true;
}

block_state block_run(core *c, block *b)
{
    uint64_t start = b->instructions;
    for (;;) {
        bool progress = false;
        uint32_t done = 0;
        uint64_t version = spin_version(c, &b->warp[0]);
        if (b->cost)
            cost_turn(b);
        uint32_t first = c->machine->options->interleave ? draw(b, b->warps) : 0;
        for (uint32_t n = 0; n < b->warps; n++) {
            warp *w = &b->warp[(first + n) % b->warps];
            if (w->state == WARP_DONE) {
                done++;
                continue;
            }
            if (b->cost && w->state == WARP_PAUSED && w->clock >= b->cost->horizon) {
                progress = true;
                continue;
            }
            if (b->cost && w->state == WARP_SPINS && w->clock < b->cost->latest)
                w->clock = b->cost->latest; /* what it waits for comes no earlier */
            uint64_t before = w->instructions;
            if (!run_warp(c, w))
                return BLOCK_FAILED;
            done += w->state == WARP_DONE;
            progress |= w->state == WARP_PAUSED || w->state == WARP_DONE ||
                        (w->state == WARP_BLOCKED && w->instructions != before);
            if (atomic_load_explicit(&c->machine->stop, memory_order_relaxed))
                return BLOCK_FAILED;
        }
        if (done == b->warps) {
            if (b->cost)
                cost_block_end(c, b);
            races_block_end(c->machine, b);
            return BLOCK_DONE;
        }
        progress |= version != spin_version(c, &b->warp[0]); /* who spins may see something new */
        if (!progress)
            return BLOCK_STUCK;
        if (b->instructions - start > BLOCK_TURN)
            return BLOCK_PAUSED;
    }
}
