/* The scoreboard: when each instruction of a warp issues, and from when its results can be read. Instructions issue in
 * the order of the PTX, but ptxas moves loads up in their basic block, so what they give is there as if they had issued
 * as soon as their addresses could be known. */
#include "simt/cost/cost.h"

#include <string.h>

#define QUARTERS 4
#define TURN (COST_CYCLE / 4) /* within it warps go in the order of their numbers */

static const uint8_t unit_of[] = {
#define X(name, unit) UNIT_##unit,
    COST_CLASS_TABLE(X)
#undef X
};

static const bool is_of_sm[] = {
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
    uint64_t active = m->blocks < g->sms ? m->blocks : g->sms;
    k->store_busy = later(g->figure[COST_store].busy * active / g->sms, g->figure[COST_l2].busy);
    memset(k->ready, 0, ready * sizeof *k->ready);
    memset(k->l1, 0xff, COST_L1_SECTORS * sizeof *k->l1);
    for (uint32_t n = 0; n < b->warps; n++) {
        b->warp[n].clock = (uint64_t)n * m->options->cost->figure[COST_start].latency;
        b->warp[n].last_mask = b->warp[n].threads;
        b->warp[n].entry = b->warp[n].ordered = 0;
        b->warp[n].enters = true;
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
    uint64_t least = UINT64_MAX - TURN;
    for (uint32_t n = 0; n < b->warps; n++)
        if (b->warp[n].state == 0 && b->warp[n].clock < least) /* WARP_PAUSED: can go on */
            least = b->warp[n].clock;
    b->cost->horizon = least + TURN;
}

static void demand_of(core *c, const warp *w, const op *o, const cost_op *x, uint32_t m, cost_demand *d)
{
    const cost_figure *f = &c->machine->options->cost->figure[x->class];
    *d = (cost_demand){.latency = f->latency, .busy = {[UNIT_issue] = COST_CYCLE}};
    if (o->kind == OP_MEMORY)
        cost_memory(c, w, o, x, m, d);
    else
        d->busy[unit_of[x->class]] = unit_of[x->class] == UNIT_issue ? later(f->busy, COST_CYCLE) : f->busy;
}

/* By register when a warp can read it; then when it could, had ptxas moved all it comes from up. */
static uint64_t *times_of(const core *c, const warp *w)
{
    return w->block->cost->ready + 2 * (size_t)w->number * c->machine->cost.registers;
}

/* The earliest at which its operands are there and its unit is free. */
static uint64_t earliest(const core *c, const warp *w, const cost_op *x)
{
    const block_cost *k = w->block->cost;
    const uint64_t *ready = times_of(c, w);
    const uint32_t *reg = c->machine->cost.reg + x->first;
    uint64_t t = w->clock;
    for (uint32_t i = 0; i < (uint32_t)x->sources + x->results; i++)
        t = later(t, ready[reg[i]]);
    if (x->class == COST_free)
        return t;
    uint32_t unit = x->class == COST_store ? UNIT_memory : unit_of[x->class], q = w->number % QUARTERS;
    t = later(t, k->free[UNIT_issue][q]);
    return later(t, k->free[unit][is_of_sm[unit] ? 0 : q]);
}

static bool ends_block(uint8_t class)
{
    return class == COST_branch || class == COST_call || class == COST_barrier || class == COST_fence ||
           class == COST_fence_block;
}

/* A load moves up to where its address could be known, but not past what writes memory, nor out of the basic block. */
static void give_results(core *c, warp *w, const op *o, const cost_op *x, uint64_t t, uint32_t latency)
{
    const uint32_t *reg = c->machine->cost.reg + x->first;
    uint64_t *ready = times_of(c, w), *early = ready + c->machine->cost.registers;
    uint64_t start = w->entry, there = t + latency;
    for (uint32_t i = 0; i < x->sources; i++)
        start = later(start, early[reg[i]]);
    if (x->class == COST_l1 && !x->past_l1) {
        there = later(t, later(start, w->ordered) + latency);
        start = there - latency;
    } else if (o->kind == OP_MEMORY && x->class != COST_free) {
        w->ordered = start = t;
    }
    for (uint32_t i = 0; i < x->results; i++) {
        ready[reg[x->sources + i]] = there;
        early[reg[x->sources + i]] = start + latency;
    }
}

bool cost_step(core *c, warp *w, const op *o, uint32_t m)
{
    const cost_figure *f = c->machine->options->cost->figure;
    const cost_op *x = &c->machine->cost.op[o - c->machine->program->op];
    block_cost *k = w->block->cost;
    uint64_t t = earliest(c, w, x);
    if (x->class == COST_free) { /* part of another: ready when its operands are */
        give_results(c, w, o, x, t, 0);
        return true;
    }
    bool inside = o > c->machine->program->op && o[-1].hidden; /* not between the parts of an instruction */
    if (t >= k->horizon && !inside) {
        w->clock = t;
        return false;
    }
    bool parts = w->active != w->last_mask && !x->predicated;
    if (parts)
        t += f[COST_mask].latency;
    if (w->enters || parts || (o->is_target && !x->predicated))
        w->entry = t;
    w->last_mask = w->active;
    cost_demand d;
    demand_of(c, w, o, x, m, &d);
    for (uint32_t u = 0; u < COST_UNITS; u++) {
        uint64_t *free_at = &k->free[u][is_of_sm[u] ? 0 : w->number % QUARTERS];
        if (d.busy[u])
            *free_at = later(*free_at, t) + d.busy[u];
        k->busy[u] += d.busy[u];
    }
    w->clock = t + d.busy[UNIT_issue];
    if (x->class == COST_branch || x->class == COST_call || x->class == COST_fence || x->class == COST_fence_block)
        w->clock = t + d.latency;
    w->enters = ends_block(x->class);
    give_results(c, w, o, x, t, d.latency);
    k->latest = later(k->latest, w->clock);
    return true;
}

void cost_release(core *c, warp *w, uint64_t latest)
{
    const cost_figure *f = &c->machine->options->cost->figure[COST_barrier];
    w->clock = later(w->clock, latest + f->latency + (uint64_t)(w->block->warps - 1) * f->busy);
}

void cost_block_end(core *c, const block *b)
{
    const block_cost *k = b->cost;
    gcast_block_cost *out = &c->machine->block_cost[b->number];
    uint64_t end = 0, most = 0;
    for (uint32_t n = 0; n < b->warps; n++)
        end = later(end, b->warp[n].clock);
    end = later(end, k->busy[UNIT_write]); /* stores queue up behind the warps */
    for (uint32_t u = 0; u < COST_UNITS; u++) {
        uint64_t busy = k->busy[u] / (is_of_sm[u] ? 1 : QUARTERS);
        if (busy > most) {
            most = busy;
            out->unit = u;
        }
    }
    out->cycles = (end + COST_CYCLE / 2) / COST_CYCLE;
    out->busy = (most + COST_CYCLE / 2) / COST_CYCLE;
}
