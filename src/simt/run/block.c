/* A block: its warps take turns until all are done, or none can go on. */
#include "simt/run/block.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "simt/cost/scoreboard.h"
#include "simt/cost/state.h"
#include "simt/machine/fail.h"
#include "simt/races/races.h"
#include "simt/warp/calls.h"
#include "simt/warp/spin.h"
#include "simt/warp/stack.h"
#include "simt/warp/threads.h"
#include "simt/warp/warp.h"

#define WARP_TURN 4096        /* instructions of a warp before the next warp runs */
#define MAX_RANDOM_TURN 100   /* maximum of instructions where turns are drawn at random */
#define BLOCK_TURN (1u << 20) /* instructions of a block before other blocks on this core run */

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
    w->instructions = w->turn_start = w->back_jumps = w->watch_until = w->barrier_arrival = w->barrier_wait = 0;
    w->watched_version = UINT64_MAX;
    w->issue_clock = 0;
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
        b->shared = aligned_alloc(64, (size_t)round_up((int64_t)shared + 64, 64));
        if (!b->warp || !b->shared) {
            c->status = gcast_error_set_memory(c->err);
            return false;
        }
    }
    b->warps = m->block_warps;
    b->number = number;
    b->index[0] = (uint32_t)(number % grid[0]);
    b->index[1] = (uint32_t)(number / grid[0] % grid[1]);
    b->index[2] = (uint32_t)(number / grid[0] / grid[1]);
    b->live_threads = m->block_threads;
    b->random_state = m->options->interleave + number;
    b->instructions = b->sleep_ns = b->shared_version = b->global_version = 0;
    memset(b->barrier, 0, sizeof b->barrier);
    memset(b->shared, 0, shared);
    if (m->races && !races_block_start(c, b)) {
        c->status = gcast_error_set_memory(c->err);
        return false;
    }
    text_open(&b->printed, NULL, NULL);
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
    free(b->printed.data);
    *b = (block){0};
}

static void count_warp(core *c, const warp *w)
{
    c->warps++;
    c->max_warp_instructions = max_u64(c->max_warp_instructions, w->instructions);
}

static uint32_t random_below(block *b, uint32_t limit)
{
    b->random_state = b->random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(b->random_state >> 33) % limit;
}

/* Runs a warp for one turn; w->state says how it ended. */
static bool run_warp(core *c, warp *w)
{
    const machine *m = c->machine;
    uint64_t left = m->max_instructions - w->instructions;
    uint64_t turn = m->options->interleave ? 1 + random_below(w->block, MAX_RANDOM_TURN) : WARP_TURN;
    w->state = (uint8_t)warp_run(c, w, left < turn ? left + 1 : turn);
    if (w->state == WARP_FAILED)
        return false;
    if (w->instructions > m->max_instructions)
        return machine_fail(
            c, w, w->state == WARP_PAUSED ? &m->program->op[w->pc] : NULL, -1,
            "warp %u of block (%u,%u,%u) has run more than %llu instructions, the most that were allowed", w->number,
            w->block->index[0], w->block->index[1], w->block->index[2], (unsigned long long)m->max_instructions);
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
        uint32_t first = c->machine->options->interleave ? random_below(b, b->warps) : 0;
        for (uint32_t n = 0; n < b->warps; n++) {
            warp *w = &b->warp[(first + n) % b->warps];
            if (w->state == WARP_DONE) {
                done++;
                continue;
            }
            if (b->cost && w->state == WARP_PAUSED && w->issue_clock >= b->cost->horizon) {
                progress = true;
                continue;
            }
            if (b->cost && w->state == WARP_SPINS)
                w->issue_clock =
                    max_u64(w->issue_clock, b->cost->latest_issue); /* what it waits for does not happen earlier */
            uint64_t before = w->instructions;
            if (!run_warp(c, w))
                return BLOCK_FAILED;
            done += w->state == WARP_DONE;
            progress |= w->state == WARP_PAUSED || w->state == WARP_DONE ||
                        (w->state == WARP_BLOCKED && w->instructions != before);
            if (atomic_load_explicit(&c->machine->stopping, memory_order_relaxed))
                return BLOCK_FAILED;
        }
        if (done == b->warps) {
            if (b->cost)
                cost_block_end(c, b);
            races_block_end(c->machine, b);
            return BLOCK_DONE;
        }
        progress |= version != spin_version(c, &b->warp[0]); /* warps that spin may go on */
        if (!progress)
            return BLOCK_STUCK;
        if (b->instructions - start > BLOCK_TURN)
            return BLOCK_PAUSED;
    }
}
