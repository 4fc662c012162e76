/* Random programmatic and cooperative launches, and blocks that wait for the kernel before theirs, or for blocks. */
#include <stdlib.h>

#include "property/generate.h"
#include "property/oracle.h"

#define MAX_NAMED 2 /* kernels that a kernel waits for */

/* How many blocks of a kernel are surely resident at once on the SMs that it may use. */
static uint64_t max_at_once(const gcast_workload *w, const gcast_gpu *gpu, const gcast_op *op, int sms)
{
    gcast_occupancy o;
    gcast_error err;
    uint64_t usable = 0;
    assert_ok(gcast_occupancy_compute(&gpu->limits, &op->shape, GCAST_CARVEOUT_DEFAULT, &o, &err), &err);
    for (int sm = 0; sm < sms; sm++)
        usable += op->mask == GCAST_ALL_SMS || (w->masks[op->mask].word[sm / 64] >> (sm % 64) & 1);
    uint32_t cluster = op->cluster[0] * op->cluster[1];
    if (cluster > 1) /* one that surely fits; in a partition GPCs are smaller */
        return generate_largest_gpc(gpu, sms, op->mask < 0 ? UINT64_MAX : w->masks[op->mask].word[0]) / cluster *
               cluster;
    return gpu->register_quarters ? usable : usable * (uint64_t)o.blocks_per_sm;
}

static int64_t shortest_block(const gcast_op *op)
{
    int64_t shortest = op->block_ns ? op->block_ns[0] : op->min_ns;
    for (uint64_t b = 1; op->block_ns && b < op->blocks; b++)
        shortest = op->block_ns[b] < shortest ? op->block_ns[b] : shortest;
    return shortest;
}

/* Kernels of the same task that the kernel's blocks wait for: itself, or any. */
static void add_named(support_random *r, const gcast_workload *w, gcast_op *op, uint32_t own, uint32_t *named)
{
    int64_t count = percent(r, 80) ? 1 : MAX_NAMED;
    for (int64_t k = 0; k < count; k++) {
        uint32_t n = percent(r, 40) ? own : (uint32_t)support_between(r, 0, (int64_t)w->op_count - 1);
        if (w->ops[n].kind == GCAST_KIND_KERNEL && w->ops[n].task == op->task)
            named[op->waits_for_count++] = n;
    }
    op->waits_for = named;
}

static void add_waits(support_random *r, gcast_op *op, bool chain)
{
    int64_t shortest = shortest_block(op);
    op->programmatic = percent(r, chain ? 95 : 60) && op->graph == GCAST_NO_GRAPH;
    if (percent(r, chain ? 90 : 50))
        op->trigger_ns = percent(r, chain ? 80 : 40) ? 0 : support_between(r, 0, shortest + shortest / 4);
    if (percent(r, op->ports ? 90 : chain ? 30 : 50))
        op->wait_ns = percent(r, 30) ? 0 : support_between(r, 0, shortest);
}

/* The GPU has programmatic launches whatever its compute capability was. */
static void random_times(support_random *r, gcast_gpu *gpu)
{
    gpu->limits.cc_major = 9;
    gpu->limits.cc_minor = 0;
    gpu->programmatic_gap_ns = percent(r, 40) ? 0 : one_of(r, 1, 2, 4, 8);
    gpu->programmatic_wait_ns = percent(r, 40) ? 0 : one_of(r, 1, 2, 4, 8);
    gpu->programmatic_depth = (int)one_of(r, 0, 0, 1, 2, 2, 3, 4);
}

bool generate_waits(support_random *r, generated *g, gcast_gpu *gpu, int sms)
{
    gcast_workload *w = g->workload;
    bool chain = percent(r, 15), by_blocks = !chain && percent(r, 40), few_streams = chain || percent(r, 60);
    int last_stream = w->stream_count > 1 && !chain ? 1 : 0;
    random_times(r, gpu);
    g->waits_for = calloc(w->op_count * MAX_NAMED + 1, sizeof *g->waits_for);
    for (size_t i = 0; i < w->op_count && g->waits_for; i++) {
        gcast_op *op = (gcast_op *)&w->ops[i], before = *op;
        gcast_error err;
        if (few_streams && op->stream >= 0 && op->task == GCAST_ONCE)
            op->stream = (int)support_between(r, 0, last_stream);
        if (gcast_workload_check(w, &err) != GCAST_OK) /* of ops that are after each other */
            *op = before;
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        op->cooperative = percent(r, chain                ? 2
                                     : op->cluster[0] > 1 ? 40
                                                          : 15) &&
                          op->blocks <= max_at_once(w, gpu, op, sms);
        if (op->ports || percent(r, 75))
            add_waits(r, op, chain);
        if (op->wait_ns != GCAST_NEVER && by_blocks && percent(r, 40))
            add_named(r, w, op, (uint32_t)i, g->waits_for + i * MAX_NAMED);
    }
    return g->waits_for != NULL;
}
