/* Work a hyperperiod against what there is in one: room on the SMs, resource by
 * resource, each copy engine, each stream. Every sum is a lower bound of what is really
 * needed, so that what exceeds 1 here can never be done. */
#include <stdio.h>
#include <stdlib.h>

#include "analyze/exact/exact.h"
#include "simulate/blocks/sm.h"
#include "simulate/rules/copy_duration.h"

typedef __int128 amount;

typedef struct load {
    amount room[GCAST_RESOURCES]; /* of all SMs, times nanoseconds */
    amount engine[2];             /* of copies */
    amount *stream;
} load;

static amount times(amount a, amount b)
{
    const amount most = (amount)1 << 126;
    /* Unsigned: checks of signed products need a runtime that not every clang has. */
    return a && b > most / a ? most : (amount)((unsigned __int128)a * (unsigned __int128)b);
}

static void add(amount *sum, amount more)
{
    const amount most = (amount)1 << 126;
    *sum = *sum > most - more ? most : *sum + more;
}

static void amounts(const sm_demand *d, amount need[GCAST_RESOURCES])
{
    for (int r = 0; r < GCAST_RESOURCES; r++)
        need[r] = d->need[r];
    need[GCAST_RES_WARPS] = d->warps;
    need[GCAST_RES_REGISTERS] = (amount)d->warps * d->warp_registers;
}

static void add_kernel(load *l, const gcast_gpu *gpu, const gcast_op *op, amount jobs)
{
    sm_demand d = sm_demand_of(gpu, op);
    amount need[GCAST_RESOURCES], all = 0, longest = 0;
    amount at_once = (amount)d.max_blocks * gpu->sms, waves = ((amount)op->blocks + at_once - 1) / at_once;
    amounts(&d, need);
    if (op->block_ns) {
        for (uint64_t b = 0; b < op->blocks; b++) {
            add(&all, op->block_ns[b] + gpu->handover_ns);
            longest = op->block_ns[b] > longest ? op->block_ns[b] : longest;
        }
        waves = 1;
    } else {
        all = times(op->min_ns + gpu->handover_ns, (amount)op->blocks);
        longest = op->min_ns;
    }
    for (int r = 0; r < GCAST_RESOURCES; r++)
        add(&l->room[r], times(times(all, need[r]), jobs));
    add(&l->stream[op->stream], times(times(waves, longest) + gpu->stream_gap_ns, jobs));
}

static void add_copy(load *l, const gcast_workload *w, const gcast_gpu *gpu, size_t i, amount jobs)
{
    const gcast_op *op = &w->ops[i];
    int64_t ns = op->min_ns;
    bool to_host = op->kind == GCAST_KIND_COPY && op->direction == GCAST_D2H;
    if (op->max_ns == GCAST_UNKNOWN_NS && copy_bytes_ns(w, gpu, i, &ns, NULL) != GCAST_OK)
        return;
    add(&l->engine[to_host && gpu->copy_engines > 1], times(ns, jobs));
    add(&l->stream[op->stream], times((amount)ns + gpu->stream_gap_ns, jobs));
}

/* More than `capacity`, and by how much. */
static bool exceeds(amount sum, amount capacity, const char *of, char *what, size_t size)
{
    if (capacity <= 0 || sum <= capacity)
        return false;
    amount thousandths = times(sum, 1000) / capacity;
    long long shown = thousandths > 100000000 ? 100000000 : (long long)thousandths;
    snprintf(what, size, "the tasks ask for %lld.%lld %% of %s, so that responses grow without bound", shown / 10,
             shown % 10, of);
    return true;
}

static bool find(const load *l, const gcast_workload *w, const gcast_gpu *gpu, amount hyperperiod, char *what,
                 size_t size)
{
    char of[64];
    sm_state empty;
    sm_empty(gpu, &empty);
    for (int r = 0; r < GCAST_RESOURCES; r++) {
        snprintf(of, sizeof of, "the %s of all SMs", gcast_resource_name((gcast_resource)r));
        if (exceeds(l->room[r], times(times(empty.free[r], gpu->sms), hyperperiod), of, what, size))
            return true;
    }
    for (int e = 0; e < 2; e++) {
        snprintf(of, sizeof of, "the time of copy engine %d", e);
        if (exceeds(l->engine[e], hyperperiod, of, what, size))
            return true;
    }
    for (size_t i = 0; i < w->stream_count; i++) {
        snprintf(of, sizeof of, "the time of stream %d", w->streams[i].id);
        if (exceeds(l->stream[i], hyperperiod, of, what, size))
            return true;
    }
    return false;
}

bool exact_overload(const gcast_workload *w, const gcast_gpu *gpu, char *what, size_t size)
{
    int64_t hyperperiod;
    load l = {.stream = calloc(w->stream_count + 1, sizeof *l.stream)};
    bool found = false;
    if (l.stream && gcast_workload_hyperperiod(w, &hyperperiod)) {
        for (size_t i = w->once_count; i < w->op_count; i++) {
            amount jobs = hyperperiod / w->tasks[w->ops[i].task].period_ns;
            if (w->ops[i].kind == GCAST_KIND_KERNEL)
                add_kernel(&l, gpu, &w->ops[i], jobs);
            else
                add_copy(&l, w, gpu, i, jobs);
        }
        found = find(&l, w, gpu, hyperperiod, what, size);
    }
    free(l.stream);
    return found;
}
