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

/* `count` from one time to another. */
static void add(child_series *x, gcast_series k, int64_t from, int64_t to, double count)
{
    if (from >= to)
        return;
    while ((to - 1) >> x->shift >= GCAST_SERIES_BINS)
        lengthen(x);
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
    double time = (double)(s->now - l->residents_ns);
    for (int kind = 0; kind < RESIDENT_KINDS; kind++) {
        gcast_series k = kind == CHILD_RESIDENTS ? GCAST_SERIES_CHILD_BLOCKS : GCAST_SERIES_PARENT_BLOCKS;
        if (l->resident_blocks[kind])
            add(&l->series, k, l->residents_ns, s->now, (double)l->resident_blocks[kind]);
        l->stats.warp_ns += (double)l->resident_warps[kind] * time;
    }
    l->stats.child_warp_ns += (double)l->resident_warps[CHILD_RESIDENTS] * time;
    l->residents_ns = s->now;
}

void launch_blocks_resident(sim *s, uint32_t o, uint32_t rank, int64_t blocks)
{
    sim_launches *l = s->launch;
    capacity_changed(&l->capacity, rank);
    if (s->now > l->residents_ns)
        residents_until_now(s);
    uint32_t whose = is_child(s, o) && child_of(s, o)->is_rest ? child_of(s, o)->parent : o;
    int kind = is_child(s, whose) ? CHILD_RESIDENTS : PARENT_RESIDENTS;
    l->resident_blocks[kind] += (uint64_t)blocks;
    l->resident_warps[kind] += (uint64_t)(blocks * s->state[o].demand->warps);
}

void launch_stats_child(sim *s, uint32_t o)
{
    sim_launches *l = s->launch;
    const sim_child *c = child_of(s, o);
    const gcast_run_op *r = &s->ops[o];
    gcast_launch_stats *stats = &l->stats;
    child_series *x = &l->series;
    stats->overhead_ns += (double)(c->overhead_end_ns - r->call_ns);
    stats->stream_wait_ns += (double)(r->head_ns - c->overhead_end_ns);
    stats->pool_wait_ns += (double)(c->pool_ns - r->head_ns);
    stats->queue_wait_ns += (double)(r->enter_ns - c->pool_ns);
    /* Where the limit of resident grids was reached when it entered, all of its time in the EE queue counts as a wait
     * for that limit, although it may have waited for resources too. */
    *(c->entered_at_limit ? &stats->queue_wait_ns : &stats->room_wait_ns) += (double)(r->start_ns - r->enter_ns);
    add(x, GCAST_SERIES_OVERHEAD, r->call_ns, c->overhead_end_ns, 1);
    add(x, GCAST_SERIES_STREAM, c->overhead_end_ns, r->head_ns, 1);
    add(x, GCAST_SERIES_POOL_WAIT, r->head_ns, c->pool_ns, 1);
    if (s->gpu->child_pool_grows)
        add(x, GCAST_SERIES_POOL, c->pool_ns, r->enter_ns, 1);
    else
        add(x, GCAST_SERIES_POOL, r->call_ns, s->now, 1);
    add(x, GCAST_SERIES_QUEUED, r->enter_ns, r->start_ns, 1);
    add(x, GCAST_SERIES_CHILD_KERNELS, r->start_ns, s->now, 1);
}

void launch_stats_series(sim *s, gcast_launch_series *out, int64_t end)
{
    child_series *x = &s->launch->series;
    settle(x);
    while ((end - 1) >> x->shift >= GCAST_SERIES_BINS)
        lengthen(x);
    out->bin_ns = INT64_C(1) << x->shift;
    out->count = (uint32_t)((end + out->bin_ns - 1) >> x->shift);
    for (int k = 0; k < GCAST_LAUNCH_SERIES; k++)
        memcpy(out->sum[k], x->sum[k], sizeof out->sum[k]);
}
