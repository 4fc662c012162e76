/* What an access of memory costs: the path to it, L1, L2 and atomics. */
#include "simt/cost/cost.h"
#include "simt/report/access_counts.h"

#define SECTOR 32
#define LINE 128
#define SHIFT 677 /* sectors by which each 128 KiB is moved, so that buffers do not lie on each other: caches hash */
#define LOW (UINT32_MAX / SECTOR) /* of a sector's number: how far apart buffers are in the rest is ours */

/* Sectors of which L1 does not have all that is wanted, but has from now on. What is stored is there too, but it does
 * not make L1 fetch the rest of the sector (tests/data/bridge/l1-shared.txt). */
static uint32_t l1_misses(block_cost *k, const uint64_t address[LANES], uint32_t m, uint32_t bytes, bool store)
{
    uint32_t n = 0;
    EACH_SET(i, m)
    for (uint64_t s = address[i] / SECTOR; s <= (address[i] + bytes - 1) / SECTOR; s++) {
        uint64_t first = later(address[i], s * SECTOR) % SECTOR / 4, end = address[i] + bytes - s * SECTOR;
        uint64_t words = (2ull << ((end < SECTOR ? end : SECTOR) - 1) / 4) - (1ull << first);
        uint64_t place = s & LOW, *at = &k->l1[(place + place / COST_L1_SECTORS * SHIFT) % COST_L1_SECTORS],
                 has = *at >> 8 == s ? *at & 0xff : 0;
        bool misses = words & ~has;
        n += misses;
        *at = s << 8 | (store ? has | words : misses ? 0xff : has);
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
                          cost_demand *d)
{
    uint32_t bytes = (uint32_t)o->bytes * (o->count ? o->count : 1), lines = count_lines(a->address, a->global);
    d->busy[UNIT_memory] += (uint64_t)lines * f[COST_l1].busy;
    uint32_t spread = lines ? (lines - 1) * f[COST_line].latency : 0;
    if (x->class == COST_store) {
        d->busy[UNIT_write] += (uint64_t)a->sectors * k->store_busy;
        l1_misses(k, a->address, a->global, bytes, true);
    } else if (x->class == COST_atom) {
        uint64_t places = (uint64_t)a->sectors * f[COST_atom].busy,
                 rounds = (uint64_t)a->rounds * f[COST_atom_round].busy;
        d->busy[UNIT_atomic] += later(places, rounds);
        d->latency = f[COST_atom].latency + (a->rounds - 1) * f[COST_atom_round].latency;
    } else {
        uint32_t misses = x->past_l1 ? a->sectors : l1_misses(k, a->address, a->global, bytes, false);
        d->busy[UNIT_l2] += (uint64_t)misses * f[COST_l2].busy;
        d->latency = f[misses ? COST_l2 : COST_l1].latency + spread;
    }
}

void cost_memory(core *c, const warp *w, const op *o, const cost_op *x, uint32_t m, cost_demand *d)
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
