/* gcast_cost_summarize: from blocks alone on an SM to blocks that share it.
 * They overlap until the busiest unit has no time left: with k blocks per SM a
 * block takes at least k times as long as it keeps that unit busy. */
#include <stdlib.h>

#include "base/api/argument_missing.h"
#include "base/minmax.h"
#include "gridcast/cost.h"
#include "simt/cost/state.h"

static int rising(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

gcast_status gcast_cost_summarize(const gcast_simt_report *r, const gcast_cost_gpu *gpu, uint32_t blocks_per_sm,
                                  gcast_cost_summary *out, gcast_error *err)
{
    if (!r || !gpu || !out)
        return argument_missing(err);
    uint64_t n = r->blocks, *cycles = malloc((n + 1) * sizeof *cycles);
    uint64_t alone_cycles = 0, busy_cycles = 0, of_unit[GCAST_COST_MAX_UNITS] = {0};
    if (!cycles || !r->cost) {
        free(cycles);
        return gcast_error_set_memory(err);
    }
    for (uint64_t i = 0; i < n; i++) {
        const gcast_block_cost *b = &r->cost[i];
        uint64_t shared = b->busy * blocks_per_sm;
        cycles[i] = max_u64(b->cycles, shared);
        alone_cycles += b->cycles;
        busy_cycles += shared;
        of_unit[b->unit]++;
    }
    qsort(cycles, n, sizeof *cycles, rising);
    *out = (gcast_cost_summary){.clock_mhz = gcast_cost_clock_mhz(gpu),
                                .blocks_per_sm = blocks_per_sm,
                                .cycles = {cycles[0], cycles[(n - 1) / 2], cycles[n - 1]}};
    for (uint32_t u = 0; u < GCAST_COST_MAX_UNITS; u++)
        if (of_unit[u] > of_unit[out->unit])
            out->unit = u;
    out->busy_percent = (uint32_t)(alone_cycles ? (busy_cycles * 100 + alone_cycles / 2) / alone_cycles : 0);
    out->median_ns = (out->cycles.median * 1000 + out->clock_mhz / 2) / out->clock_mhz;
    free(cycles);
    return GCAST_OK;
}
