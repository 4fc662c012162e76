/* A series has bins of equal length, which doubles when the run gets longer than all of them. An interval is added in
 * constant time: where it begins and where it ends, and as a change of the count in between. */
#include "simulate/launch/launch_stats.h"

#include <string.h>

/* Changes of the count become sums. */
static void settle(child_series *x)
{
    double bin = (double)(INT64_C(1) << x->shift);
    for (int k = 0; k < GCAST_LAUNCH_SERIES; k++) {
        double count = 0;
        for (int i = 0; i < GCAST_SERIES_BINS; i++) {
            count += x->change[k][i];
            x->sum[k][i] += count * bin;
        }
        memset(x->change[k], 0, sizeof x->change[k]);
    }
}

/* Bins become twice as long. */
static void lengthen(child_series *x)
{
    settle(x);
    x->shift++;
    for (int k = 0; k < GCAST_LAUNCH_SERIES; k++) {
        double *sum = x->sum[k];
        for (int i = 0; i < GCAST_SERIES_BINS / 2; i++)
            sum[i] = sum[2 * i] + sum[2 * i + 1];
        memset(&sum[GCAST_SERIES_BINS / 2], 0, GCAST_SERIES_BINS / 2 * sizeof *sum);
    }
}

/* Makes bins so long that they go up to this time. */
static inline void reach(child_series *x, int64_t time)
{
    while ((time - 1) >> x->shift >= GCAST_SERIES_BINS)
        lengthen(x);
}

/* `count` from one time to another, up to which the bins go. */
static inline void add(child_series *x, gcast_series k, int64_t from, int64_t to, double count)
{
    if (from >= to)
        return;
    int64_t first = from >> x->shift, last = to >> x->shift;
    if (first == last) {
        x->sum[k][first] += count * (double)(to - from);
        return;
    }
    x->sum[k][first] += count * (double)(((first + 1) << x->shift) - from);
    x->sum[k][last] += count * (double)(to - (last << x->shift));
    x->change[k][first + 1] += count;
    x->change[k][last] -= count;
}

/* The time up to now counts with the residents as they have been. */
static void residents_until_now(sim *s)
{
    sim_launches *l = s->launch;
    uint64_t parents = l->resident_blocks[PARENT_RESIDENTS], children = l->resident_blocks[CHILD_RESIDENTS];
    double time = (double)(s->now - l->residents_ns);
    if (parents | children)
        reach(&l->series, s->now);
    if (parents)
        add(&l->series, GCAST_SERIES_PARENT_BLOCKS, l->residents_ns, s->now, (double)parents);
    if (children)
        add(&l->series, GCAST_SERIES_CHILD_BLOCKS, l->residents_ns, s->now, (double)children);
    l->stats.warp_ns += (double)l->resident_warps[PARENT_RESIDENTS] * time;
    l->stats.warp_ns += (double)l->resident_warps[CHILD_RESIDENTS] * time;
    l->stats.child_warp_ns += (double)l->resident_warps[CHILD_RESIDENTS] * time;
    l->residents_ns = s->now;
}

void launch_blocks_resident(sim *s, uint32_t o, uint32_t rank, int64_t blocks)
{
    sim_launches *l = s->launch;
    capacity_changed(&l->capacity, rank);
    if (s->now > l->residents_ns)
        residents_until_now(s);
    int kind = s->state[o].resident_kind;
    l->resident_blocks[kind] += (uint64_t)blocks;
    l->resident_warps[kind] += (uint64_t)(blocks * s->state[o].demand->warps);
}

void launch_stats_child(sim *s, uint32_t o)
{
    sim_launches *l = s->launch;
    const sim_child *c = child_of(s, o);
    gcast_launch_stats *stats = &l->stats;
    child_series *x = &l->series;
    stats->overhead_ns += (double)(c->overhead_end_ns - c->call_ns);
    stats->stream_wait_ns += (double)(c->head_ns - c->overhead_end_ns);
    stats->pool_wait_ns += (double)(c->pool_ns - c->head_ns);
    stats->queue_wait_ns += (double)(c->enter_ns - c->pool_ns);
    /* Where the limit of resident grids was reached when it entered, all of its time in the EE queue counts as a wait
     * for that limit, although it may have waited for resources too. */
    *(c->entered_at_limit ? &stats->queue_wait_ns : &stats->room_wait_ns) += (double)(c->start_ns - c->enter_ns);
    reach(x, s->now); /* all these times are at most now */
    add(x, GCAST_SERIES_OVERHEAD, c->call_ns, c->overhead_end_ns, 1);
    add(x, GCAST_SERIES_STREAM, c->overhead_end_ns, c->head_ns, 1);
    add(x, GCAST_SERIES_POOL_WAIT, c->head_ns, c->pool_ns, 1);
    if (s->gpu->child_pool_grows)
        add(x, GCAST_SERIES_POOL, c->pool_ns, c->enter_ns, 1);
    else
        add(x, GCAST_SERIES_POOL, c->call_ns, s->now, 1);
    add(x, GCAST_SERIES_QUEUED, c->enter_ns, c->start_ns, 1);
    add(x, GCAST_SERIES_CHILD_KERNELS, c->start_ns, s->now, 1);
}

void launch_stats_series(sim *s, gcast_launch_series *out, int64_t end)
{
    child_series *x = &s->launch->series;
    settle(x);
    reach(x, end);
    out->bin_ns = INT64_C(1) << x->shift;
    out->count = (uint32_t)((end + out->bin_ns - 1) >> x->shift);
    for (int k = 0; k < GCAST_LAUNCH_SERIES; k++)
        memcpy(out->sum[k], x->sum[k], sizeof out->sum[k]);
}
