/* The scoreboard: when each instruction of a warp issues, and from when its results can be read. */
#include "simt/cost.h"

#include <string.h>

#include "simt/counts.h"
#include "simt/memory.h"

#define QUARTERS 4
#define TURN (COST_CYCLE / 4) /* within it warps go in the order of their numbers */
#define SECTOR 32
#define LINE 128
#define L1_SECTORS 4096 /* 128 KiB, direct-mapped: what is left beside shared memory differs */

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

/* What one instruction asks for. */
typedef struct demand {
    uint32_t latency;
    uint64_t busy[COST_UNITS];
} demand;

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool cost_block_start(core *c, block *b)
{
    const machine *m = c->machine;
    size_t ready = (size_t)m->block_warps * (m->cost.registers + 1);
    if (!b->cost) {
        b->cost = calloc(1, sizeof *b->cost);
        if (b->cost) {
            b->cost->ready = malloc(ready * sizeof *b->cost->ready);
            b->cost->l1 = malloc(L1_SECTORS * sizeof *b->cost->l1);
        }
        if (!b->cost || !b->cost->ready || !b->cost->l1) {
            c->status = gcast_fail_memory(c->err);
            return false;
        }
    }
    block_cost *k = b->cost;
    *k = (block_cost){.ready = k->ready, .l1 = k->l1};
    const struct gcast_cost_gpu *g = m->options->cost;
    uint64_t active = m->blocks < g->sms ? m->blocks : g->sms;
    k->store_busy = later(g->figure[COST_store].busy * active / g->sms, g->figure[COST_l2].busy);
    memset(k->ready, 0, ready * sizeof *k->ready);
    memset(k->l1, 0xff, L1_SECTORS * sizeof *k->l1);
    for (uint32_t n = 0; n < b->warps; n++) {
        b->warp[n].clock = (uint64_t)n * m->options->cost->figure[COST_start].latency;
        b->warp[n].last_mask = b->warp[n].threads;
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

/* Sectors that L1 does not have, which it has from now on. */
static uint32_t l1_misses(block_cost *k, const uint64_t address[LANES], uint32_t m, uint32_t bytes)
{
    uint32_t n = 0;
    EACH_SET(i, m)
    for (uint64_t s = address[i] / SECTOR; s <= (address[i] + bytes - 1) / SECTOR; s++) {
        n += k->l1[s % L1_SECTORS] != s;
        k->l1[s % L1_SECTORS] = s;
    }
    return n;
}

static uint32_t count_lines(const uint64_t address[LANES], uint32_t m)
{
    uint32_t n = 0;
    while (m) {
        uint64_t line = address[__builtin_ctz(m)] / LINE;
        EACH_SET(i, m) m &= ~((uint32_t)(address[i] / LINE == line) << i);
        n++;
    }
    return n;
}

static void demand_global(block_cost *k, const cost_figure *f, const op *o, const cost_op *x, const access *a,
                          demand *d)
{
    uint32_t bytes = (uint32_t)o->bytes * (o->count ? o->count : 1), lines = count_lines(a->address, a->global);
    d->busy[UNIT_memory] += (uint64_t)lines * f[COST_l1].busy;
    uint32_t spread = lines ? (lines - 1) * f[COST_line].latency : 0;
    if (x->class == COST_store) {
        d->busy[UNIT_write] += (uint64_t)a->sectors * k->store_busy;
    } else if (x->class == COST_atom) {
        uint64_t places = (uint64_t)a->sectors * f[COST_atom].busy,
                 rounds = (uint64_t)a->rounds * f[COST_atom_round].busy;
        d->busy[UNIT_atomic] += later(places, rounds);
        d->latency = f[COST_atom].latency + (a->rounds - 1) * f[COST_atom_round].latency;
    } else {
        uint32_t misses = x->past_l1 ? a->sectors : l1_misses(k, a->address, a->global, bytes);
        d->busy[UNIT_l2] += (uint64_t)misses * f[COST_l2].busy;
        d->latency = f[misses ? COST_l2 : COST_l1].latency + spread;
    }
}

static void demand_memory(core *c, const warp *w, const op *o, const cost_op *x, uint32_t m, demand *d)
{
    const cost_figure *f = c->machine->options->cost->figure;
    access a;
    if (!m)
        return;
    if (o->space == PTX_SPACE_local || o->space == PTX_SPACE_const) {
        cost_class k = o->space == PTX_SPACE_local ? COST_local : COST_constant;
        d->latency = f[k].latency;
        d->busy[UNIT_memory] += f[k].busy;
        return;
    }
    counts_shape(w, o, m, &a);
    if (a.shared) {
        bool atomic = x->class == COST_atom;
        uint32_t rounds = atomic && a.rounds > a.wavefronts ? a.rounds : a.wavefronts;
        cost_class k = atomic ? COST_atom_shared : COST_shared;
        d->busy[UNIT_memory] += (uint64_t)rounds * f[k].busy;
        d->latency = f[k].latency + (rounds - 1) * f[COST_shared_round].latency;
    }
    if (a.global)
        demand_global(w->block->cost, f, o, x, &a, d);
}

static void demand_of(core *c, const warp *w, const op *o, const cost_op *x, uint32_t m, demand *d)
{
    const cost_figure *f = &c->machine->options->cost->figure[x->class];
    *d = (demand){.latency = f->latency, .busy = {[UNIT_issue] = COST_CYCLE}};
    if (o->kind == OP_MEMORY)
        demand_memory(c, w, o, x, m, d);
    else
        d->busy[unit_of[x->class]] = unit_of[x->class] == UNIT_issue ? later(f->busy, COST_CYCLE) : f->busy;
}

/* The earliest at which its operands are there and its unit is free. */
static uint64_t earliest(const core *c, const warp *w, const cost_op *x, const uint64_t *ready)
{
    const block_cost *k = w->block->cost;
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

bool cost_step(core *c, warp *w, const op *o, uint32_t m)
{
    const cost_figure *f = c->machine->options->cost->figure;
    const cost_op *x = &c->machine->cost.op[o - c->machine->program->op];
    const uint32_t *reg = c->machine->cost.reg + x->first;
    block_cost *k = w->block->cost;
    uint64_t *ready = k->ready + (size_t)w->number * c->machine->cost.registers;
    uint64_t t = earliest(c, w, x, ready);
    if (x->class == COST_free) { /* part of another: ready when its operands are */
        for (uint32_t i = 0; i < x->results; i++)
            ready[reg[x->sources + i]] = t;
        return true;
    }
    bool inside = o > c->machine->program->op && o[-1].hidden; /* not between the parts of an instruction */
    if (t >= k->horizon && !inside) {
        w->clock = t;
        return false;
    }
    if (w->active != w->last_mask && !x->predicated)
        t += f[COST_mask].latency;
    w->last_mask = w->active;
    demand d;
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
    for (uint32_t i = 0; i < x->results; i++)
        ready[reg[x->sources + i]] = t + d.latency;
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
