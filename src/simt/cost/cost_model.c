/* The cost model: the cost of memory accesses, and the scoreboard, which finds when instructions issue. */
#include "simt/cost/cost_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "simt/memory/access_counts.h"

/* An access to memory keeps the load-store unit, L1, L2 and atomic units busy. */

#define SECTOR_BYTES 32
#define LINE_BYTES 128
/* Each 128 KiB is shifted by this many sectors, so that buffers do not collide, as caches hash addresses. */
#define L1_SHIFT 677
/* Low bits of the number of a sector; the high bits only identify the buffer. */
#define SECTOR_MASK (UINT32_MAX / SECTOR_BYTES)

/* Counts the sectors that miss in L1, as it lacks some of the words accessed, and puts them into L1. Stores put their
 * words into L1, too, but do not fetch the rest of the sector (tests/data/bridge/l1-shared.txt). */
static uint32_t l1_misses(block_cost *cost, const uint64_t address[LANES], uint32_t m, uint32_t bytes, bool store)
{
    uint32_t n = 0;
    EACH_SET(i, m)
    for (uint64_t s = address[i] / SECTOR_BYTES; s <= (address[i] + bytes - 1) / SECTOR_BYTES; s++) {
        uint64_t first = max_u64(address[i], s * SECTOR_BYTES) % SECTOR_BYTES / 4,
                 end = address[i] + bytes - s * SECTOR_BYTES;
        uint64_t words = (2ull << (min_u64(end, SECTOR_BYTES) - 1) / 4) - (1ull << first);
        uint64_t place = s & SECTOR_MASK,
                 *at = &cost->l1[(place + place / COST_L1_SECTORS * L1_SHIFT) % COST_L1_SECTORS],
                 present = *at >> 8 == s ? *at & 0xff : 0;
        bool misses = words & ~present;
        n += misses;
        *at = s << 8 | (store ? present | words : misses ? 0xff : present);
    }
    return n;
}

static uint32_t count_lines(const uint64_t address[LANES], uint32_t m)
{
    uint32_t n = 0;
    while (m) {
        uint64_t line = address[__builtin_ctz(m)] / LINE_BYTES;
        EACH_SET(i, m) m &= ~((uint32_t)(address[i] / LINE_BYTES == line) << i);
        n++;
    }
    return n;
}

static void demand_global(block_cost *cost, const cost_figure *f, const op *o, const cost_op *x, const access *a,
                          cost_demand *d)
{
    uint32_t bytes = (uint32_t)o->bytes * (o->count ? o->count : 1), lines = count_lines(a->address, a->global);
    d->busy[UNIT_memory] += (uint64_t)lines * f[COST_l1].busy;
    uint32_t spread = lines ? (lines - 1) * f[COST_line].latency : 0;
    if (x->class == COST_store) {
        d->busy[UNIT_write] += (uint64_t)a->sectors * cost->store_busy;
        l1_misses(cost, a->address, a->global, bytes, true);
    } else if (x->class == COST_atom) {
        uint64_t sectors = (uint64_t)a->sectors * f[COST_atom].busy,
                 rounds = (uint64_t)a->atomic_rounds * f[COST_atom_round].busy;
        d->busy[UNIT_atomic] += max_u64(sectors, rounds);
        d->latency = f[COST_atom].latency + (a->atomic_rounds - 1) * f[COST_atom_round].latency;
    } else {
        uint32_t misses = x->bypasses_l1 ? a->sectors : l1_misses(cost, a->address, a->global, bytes, false);
        d->busy[UNIT_l2] += (uint64_t)misses * f[COST_l2].busy;
        d->latency = f[misses ? COST_l2 : COST_l1].latency + spread;
    }
}

/* Adds the demand of a memory op of the lanes of m to *d. */
static void cost_memory(core *c, const warp *w, const op *o, const cost_op *x, uint32_t m, cost_demand *d)
{
    const cost_figure *f = c->machine->options->cost->figure;
    access a;
    if (!m)
        return;
    if (o->space == PTX_SPACE_local || o->space == PTX_SPACE_const) {
        cost_class class = o->space == PTX_SPACE_local ? COST_local : COST_constant;
        d->latency = f[class].latency;
        d->busy[UNIT_memory] += f[class].busy;
        return;
    }
    counts_shape(w, o, m, &a);
    if (a.shared) {
        bool atomic = x->class == COST_atom;
        uint32_t rounds = atomic ? max_u32(a.atomic_rounds, a.wavefronts) : a.wavefronts;
        cost_class class = atomic ? COST_atom_shared : COST_shared;
        d->busy[UNIT_memory] += (uint64_t)rounds * f[class].busy;
        d->latency = f[class].latency + (rounds - 1) * f[COST_shared_round].latency;
    }
    if (a.global)
        demand_global(w->block->cost, f, o, x, &a, d);
}

/* The scoreboard finds when each instruction of a warp issues, and when its results can be read. Instructions issue in
 * the order of the PTX. But ptxas moves loads up in their basic block, so their results are ready as if the loads had
 * issued as soon as their addresses are known. */

#define QUARTERS 4
#define TURN (COST_CYCLE / 4) /* time within which warps issue in the order of their numbers */

static const uint8_t unit_of[] = {
#define X(name, unit) UNIT_##unit,
    COST_CLASS_TABLE(X)
#undef X
};

static const bool is_shared_by_sm[] = {
#define X(name, text, shared) shared,
    COST_UNIT_TABLE(X)
#undef X
};

bool cost_block_start(core *c, block *b)
{
    const machine *m = c->machine;
    size_t ready = 2 * (size_t)m->block_warps * (m->cost.registers + 1);
    if (!b->cost) {
        b->cost = calloc(1, sizeof *b->cost);
        if (b->cost) {
            b->cost->ready = malloc(ready * sizeof *b->cost->ready);
            b->cost->l1 = malloc(COST_L1_SECTORS * sizeof *b->cost->l1);
        }
        if (!b->cost || !b->cost->ready || !b->cost->l1) {
            c->status = gcast_error_set_memory(c->err);
            return false;
        }
    }
    block_cost *cost = b->cost;
    *cost = (block_cost){.ready = cost->ready, .l1 = cost->l1};
    const struct gcast_cost_gpu *g = m->options->cost;
    uint64_t active = min_u64(m->blocks, g->sms);
    cost->store_busy = max_u64(g->figure[COST_store].busy * active / g->sms, g->figure[COST_l2].busy);
    memset(cost->ready, 0, ready * sizeof *cost->ready);
    memset(cost->l1, 0xff, COST_L1_SECTORS * sizeof *cost->l1);
    for (uint32_t n = 0; n < b->warps; n++) {
        b->warp[n].issue_clock = (uint64_t)n * m->options->cost->figure[COST_start].latency;
        b->warp[n].last_mask = b->warp[n].threads;
        b->warp[n].block_entry = b->warp[n].last_store = 0;
        b->warp[n].starts_basic_block = true;
    }
    return true;
}

void cost_block_free(block *b)
{
    if (b->cost) {
        free(b->cost->ready);
        free(b->cost->l1);
    }
    free(b->cost);
    b->cost = NULL;
}

void cost_turn(block *b)
{
    uint64_t earliest_clock = UINT64_MAX - TURN;
    for (uint32_t n = 0; n < b->warps; n++)
        if (b->warp[n].state == WARP_PAUSED && b->warp[n].issue_clock < earliest_clock) /* it can go on */
            earliest_clock = b->warp[n].issue_clock;
    b->cost->horizon = earliest_clock + TURN;
}

static void demand_of(core *c, const warp *w, const op *o, const cost_op *x, uint32_t m, cost_demand *d)
{
    const cost_figure *f = &c->machine->options->cost->figure[x->class];
    *d = (cost_demand){.latency = f->latency, .busy = {[UNIT_issue] = COST_CYCLE}};
    if (o->kind == OP_MEMORY)
        cost_memory(c, w, o, x, m, d);
    else
        d->busy[unit_of[x->class]] = unit_of[x->class] == UNIT_issue ? max_u64(f->busy, COST_CYCLE) : f->busy;
}

/* Two times by register: when the warp can read it; and, behind these, when it could if ptxas had moved up all
 * instructions that it depends on. */
static uint64_t *times_of(const core *c, const warp *w)
{
    return w->block->cost->ready + 2 * (size_t)w->number * c->machine->cost.registers;
}

/* The earliest issue: operands are ready, and the unit is free. */
static uint64_t earliest(const core *c, const warp *w, const cost_op *x)
{
    const block_cost *cost = w->block->cost;
    const uint64_t *ready = times_of(c, w);
    const uint32_t *reg = c->machine->cost.reg + x->first;
    uint64_t t = w->issue_clock;
    for (uint32_t i = 0; i < (uint32_t)x->sources + x->results; i++)
        t = max_u64(t, ready[reg[i]]);
    if (x->class == COST_free)
        return t;
    uint32_t unit = x->class == COST_store ? UNIT_memory : unit_of[x->class], q = w->number % QUARTERS;
    t = max_u64(t, cost->free[UNIT_issue][q]);
    return max_u64(t, cost->free[unit][is_shared_by_sm[unit] ? 0 : q]);
}

static bool ends_block(uint8_t class)
{
    return class == COST_branch || class == COST_call || class == COST_barrier || class == COST_fence ||
           class == COST_fence_block;
}

/* A load moves up to where its address is known, but not past instructions that write memory, nor out of its basic
 * block. */
static void set_ready(core *c, warp *w, const op *o, const cost_op *x, uint64_t t, uint32_t latency)
{
    const uint32_t *reg = c->machine->cost.reg + x->first;
    uint64_t *ready = times_of(c, w), *early = ready + c->machine->cost.registers;
    uint64_t start = w->block_entry, result_time = t + latency;
    for (uint32_t i = 0; i < x->sources; i++)
        start = max_u64(start, early[reg[i]]);
    if (x->class == COST_l1 && !x->bypasses_l1) {
        result_time = max_u64(t, max_u64(start, w->last_store) + latency);
        start = result_time - latency;
    } else if (o->kind == OP_MEMORY && x->class != COST_free) {
        w->last_store = start = t;
    }
    for (uint32_t i = 0; i < x->results; i++) {
        ready[reg[x->sources + i]] = result_time;
        early[reg[x->sources + i]] = start + latency;
    }
}

bool cost_step(core *c, warp *w, const op *o, uint32_t m)
{
    const cost_figure *f = c->machine->options->cost->figure;
    const cost_op *x = &c->machine->cost.op[o - c->machine->program->op];
    block_cost *cost = w->block->cost;
    uint64_t t = earliest(c, w, x);
    if (x->class == COST_free) { /* part of another instruction: its result is ready when its operands are */
        set_ready(c, w, o, x, t, 0);
        return true;
    }
    /* ops of one instruction are not separated */
    bool is_continued = o > c->machine->program->op && o[-1].hidden;
    if (t >= cost->horizon && !is_continued) {
        w->issue_clock = t;
        return false;
    }
    bool mask_changed = w->active != w->last_mask && !x->predicated;
    if (mask_changed)
        t += f[COST_mask].latency;
    if (w->starts_basic_block || mask_changed || (o->is_target && !x->predicated))
        w->block_entry = t;
    w->last_mask = w->active;
    cost_demand d;
    demand_of(c, w, o, x, m, &d);
    for (uint32_t u = 0; u < COST_UNITS; u++) {
        uint64_t *free_at = &cost->free[u][is_shared_by_sm[u] ? 0 : w->number % QUARTERS];
        if (d.busy[u])
            *free_at = max_u64(*free_at, t) + d.busy[u];
        cost->busy[u] += d.busy[u];
    }
    w->issue_clock = t + d.busy[UNIT_issue];
    if (x->class == COST_branch || x->class == COST_call || x->class == COST_fence || x->class == COST_fence_block)
        w->issue_clock = t + d.latency;
    w->starts_basic_block = ends_block(x->class);
    set_ready(c, w, o, x, t, d.latency);
    cost->latest_issue = max_u64(cost->latest_issue, w->issue_clock);
    return true;
}

void cost_release(core *c, warp *w, uint64_t last_arrival)
{
    const cost_figure *f = &c->machine->options->cost->figure[COST_barrier];
    w->issue_clock = max_u64(w->issue_clock, last_arrival + f->latency + (uint64_t)(w->block->warps - 1) * f->busy);
}

void cost_block_end(core *c, const block *b)
{
    const block_cost *cost = b->cost;
    gcast_block_cost *out = &c->machine->block_cost[b->number];
    uint64_t end = 0, max_busy = 0;
    for (uint32_t n = 0; n < b->warps; n++)
        end = max_u64(end, b->warp[n].issue_clock);
    end = max_u64(end, cost->busy[UNIT_write]); /* stores are still on their way when the warps end */
    for (uint32_t u = 0; u < COST_UNITS; u++) {
        uint64_t busy = cost->busy[u] / (is_shared_by_sm[u] ? 1 : QUARTERS);
        if (busy > max_busy) {
            max_busy = busy;
            out->unit = u;
        }
    }
    out->cycles = (end + COST_CYCLE / 2) / COST_CYCLE;
    out->busy = (max_busy + COST_CYCLE / 2) / COST_CYCLE;
}
