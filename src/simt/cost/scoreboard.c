/* The scoreboard: when each instruction of a warp issues, and when its results
 * can be read. Instructions issue in the order of the PTX. But ptxas moves
 * loads up in their basic block, so their results are ready as if they had
 * issued as soon as their addresses are known. */
#include "simt/cost/scoreboard.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "simt/cost/caches.h"
#include "simt/cost/state.h"

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
    block_cost *k = b->cost;
    *k = (block_cost){.ready = k->ready, .l1 = k->l1};
    const struct gcast_cost_gpu *g = m->options->cost;
    uint64_t active = min_u64(m->blocks, g->sms);
    k->store_busy = max_u64(g->figure[COST_store].busy * active / g->sms, g->figure[COST_l2].busy);
    memset(k->ready, 0, ready * sizeof *k->ready);
    memset(k->l1, 0xff, COST_L1_SECTORS * sizeof *k->l1);
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

/* By register when a warp can read it; then, by register, when it could, had ptxas moved up all that it depends on. */
static uint64_t *times_of(const core *c, const warp *w)
{
    return w->block->cost->ready + 2 * (size_t)w->number * c->machine->cost.registers;
}

/* When its operands are ready and its unit is free. */
static uint64_t earliest(const core *c, const warp *w, const cost_op *x)
{
    const block_cost *k = w->block->cost;
    const uint64_t *ready = times_of(c, w);
    const uint32_t *reg = c->machine->cost.reg + x->first;
    uint64_t t = w->issue_clock;
    for (uint32_t i = 0; i < (uint32_t)x->sources + x->results; i++)
        t = max_u64(t, ready[reg[i]]);
    if (x->class == COST_free)
        return t;
    uint32_t unit = x->class == COST_store ? UNIT_memory : unit_of[x->class], q = w->number % QUARTERS;
    t = max_u64(t, k->free[UNIT_issue][q]);
    return max_u64(t, k->free[unit][is_shared_by_sm[unit] ? 0 : q]);
}

static bool ends_block(uint8_t class)
{
    return class == COST_branch || class == COST_call || class == COST_barrier || class == COST_fence ||
           class == COST_fence_block;
}

/* A load moves up to where its address is known, but not past what writes memory, nor out of the basic block. */
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
    block_cost *k = w->block->cost;
    uint64_t t = earliest(c, w, x);
    if (x->class == COST_free) { /* part of another instruction: ready when its operands are */
        set_ready(c, w, o, x, t, 0);
        return true;
    }
    /* the parts of an instruction are not separated */
    bool is_continued = o > c->machine->program->op && o[-1].hidden;
    if (t >= k->horizon && !is_continued) {
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
        uint64_t *free_at = &k->free[u][is_shared_by_sm[u] ? 0 : w->number % QUARTERS];
        if (d.busy[u])
            *free_at = max_u64(*free_at, t) + d.busy[u];
        k->busy[u] += d.busy[u];
    }
    w->issue_clock = t + d.busy[UNIT_issue];
    if (x->class == COST_branch || x->class == COST_call || x->class == COST_fence || x->class == COST_fence_block)
        w->issue_clock = t + d.latency;
    w->starts_basic_block = ends_block(x->class);
    set_ready(c, w, o, x, t, d.latency);
    k->latest_issue = max_u64(k->latest_issue, w->issue_clock);
    return true;
}

void cost_release(core *c, warp *w, uint64_t last_arrival)
{
    const cost_figure *f = &c->machine->options->cost->figure[COST_barrier];
    w->issue_clock = max_u64(w->issue_clock, last_arrival + f->latency + (uint64_t)(w->block->warps - 1) * f->busy);
}

void cost_block_end(core *c, const block *b)
{
    const block_cost *k = b->cost;
    gcast_block_cost *out = &c->machine->block_cost[b->number];
    uint64_t end = 0, max_busy = 0;
    for (uint32_t n = 0; n < b->warps; n++)
        end = max_u64(end, b->warp[n].issue_clock);
    end = max_u64(end, k->busy[UNIT_write]); /* stores are still on their way when the warps end */
    for (uint32_t u = 0; u < COST_UNITS; u++) {
        uint64_t busy = k->busy[u] / (is_shared_by_sm[u] ? 1 : QUARTERS);
        if (busy > max_busy) {
            max_busy = busy;
            out->unit = u;
        }
    }
    out->cycles = (end + COST_CYCLE / 2) / COST_CYCLE;
    out->busy = (max_busy + COST_CYCLE / 2) / COST_CYCLE;
}
