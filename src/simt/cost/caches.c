/* What an access of memory costs: the load-store unit, L1, L2 and atomics. */
#include "simt/cost/caches.h"

#include "base/minmax.h"
#include "simt/memory/access_counts.h"

#define SECTOR_BYTES 32
#define LINE_BYTES 128
/* Sectors by which each 128 KiB is shifted, so that buffers do not collide: caches hash addresses. */
#define L1_SHIFT 677
/* Low bits of the number of a sector; the high bits only say which buffer it is in. */
#define SECTOR_MASK (UINT32_MAX / SECTOR_BYTES)

/* Counts the sectors of which L1 does not have all words that are accessed, and puts them there. Stores put their words
 * into L1, too, but do not fetch the rest of the sector (tests/data/bridge/l1-shared.txt). */
static uint32_t l1_misses(block_cost *k, const uint64_t address[LANES], uint32_t m, uint32_t bytes, bool store)
{
    uint32_t n = 0;
    EACH_SET(i, m)
    for (uint64_t s = address[i] / SECTOR_BYTES; s <= (address[i] + bytes - 1) / SECTOR_BYTES; s++) {
        uint64_t first = max_u64(address[i], s * SECTOR_BYTES) % SECTOR_BYTES / 4,
                 end = address[i] + bytes - s * SECTOR_BYTES;
        uint64_t words = (2ull << (min_u64(end, SECTOR_BYTES) - 1) / 4) - (1ull << first);
        uint64_t place = s & SECTOR_MASK, *at = &k->l1[(place + place / COST_L1_SECTORS * L1_SHIFT) % COST_L1_SECTORS],
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
        uint64_t sectors = (uint64_t)a->sectors * f[COST_atom].busy,
                 rounds = (uint64_t)a->atomic_rounds * f[COST_atom_round].busy;
        d->busy[UNIT_atomic] += max_u64(sectors, rounds);
        d->latency = f[COST_atom].latency + (a->atomic_rounds - 1) * f[COST_atom_round].latency;
    } else {
        uint32_t misses = x->bypasses_l1 ? a->sectors : l1_misses(k, a->address, a->global, bytes, false);
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
        uint32_t rounds = atomic ? max_u32(a.atomic_rounds, a.wavefronts) : a.wavefronts;
        cost_class k = atomic ? COST_atom_shared : COST_shared;
        d->busy[UNIT_memory] += (uint64_t)rounds * f[k].busy;
        d->latency = f[k].latency + (rounds - 1) * f[COST_shared_round].latency;
    }
    if (a.global)
        demand_global(w->block->cost, f, o, x, &a, d);
}
