/* There is a capacity of all SMs for each resource, of each copy engine, and of each stream. Each sum is a lower bound
 * of the real need, so a sum above its capacity means overload. */
#include "analyze/exact/utilization.h"

#include <stdio.h>
#include <stdlib.h>

#include "gridcast/names.h"
#include "model/gpu.h"
#include "simulate/blocks/sm.h"
#include "simulate/duration.h"

typedef __int128 amount; /* sums and products saturate at MAX_AMOUNT */
#define MAX_AMOUNT ((amount)1 << 126)

/* The needs of all jobs of a hyperperiod. */
typedef struct load {
    amount resource[GCAST_RESOURCES]; /* resource x nanoseconds, on all SMs */
    amount engine_ns[COPY_ENGINES];   /* by copy engine */
    amount *stream_ns;                /* by stream */
} load;

static amount times(amount a, amount b)
{
    /* Unsigned: the sanitizer's check of signed 128-bit products needs a runtime that not every clang has. */
    return a && b > MAX_AMOUNT / a ? MAX_AMOUNT : (amount)((unsigned __int128)a * (unsigned __int128)b);
}

static void add(amount *sum, amount addend)
{
    *sum = *sum > MAX_AMOUNT - addend ? MAX_AMOUNT : *sum + addend;
}

/* What a block needs of each resource. */
static void demand_of(const sm_demand *d, amount need[GCAST_RESOURCES])
{
    for (int r = 0; r < GCAST_RESOURCES; r++)
        need[r] = d->need[r];
    need[GCAST_RES_WARPS] = d->warps;
    need[GCAST_RES_REGISTERS] = (amount)d->warps * d->warp_registers;
}

static void add_kernel(load *l, const gcast_gpu *gpu, const gcast_op *op, amount jobs, bool longest)
{
    sm_demand d = sm_demand_of(gpu, op);
    amount need[GCAST_RESOURCES], hold_ns = 0, longest_ns = 0;
    amount max_resident = (amount)d.max_blocks * gpu->sms,
           waves = ((amount)op->blocks + max_resident - 1) / max_resident;
    demand_of(&d, need);
    if (op->block_ns) {
        for (uint64_t b = 0; b < op->blocks; b++) {
            add(&hold_ns, op->block_ns[b] + gpu->handover_ns);
            longest_ns = op->block_ns[b] > longest_ns ? op->block_ns[b] : longest_ns;
        }
        waves = 1;
    } else {
        longest_ns = longest ? op->max_ns : op->min_ns;
        hold_ns = times(longest_ns + gpu->handover_ns, (amount)op->blocks);
    }
    for (int r = 0; r < GCAST_RESOURCES; r++)
        add(&l->resource[r], times(times(hold_ns, need[r]), jobs));
    add(&l->stream_ns[op->stream], times(times(waves, longest_ns) + gpu->stream_gap_ns, jobs));
}

static void add_copy(load *l, const gcast_workload *w, const gcast_gpu *gpu, size_t i, amount jobs, bool longest)
{
    const gcast_op *op = &w->ops[i];
    int64_t ns = longest ? op->max_ns : op->min_ns;
    if (op->max_ns == GCAST_UNKNOWN_NS && copy_bytes_ns(w, gpu, i, &ns, NULL) != GCAST_OK)
        return;
    add(&l->engine_ns[copy_engine_of(gpu, op)], times(ns, jobs));
    add(&l->stream_ns[op->stream], times((amount)ns + gpu->stream_gap_ns, jobs));
}

/* Is the sum larger than the capacity? Then `why` says so. */
static bool exceeds(amount sum, amount capacity, const char *of, char *why, size_t size)
{
    if (capacity <= 0 || sum <= capacity)
        return false;
    amount thousandths = times(sum, 1000) / capacity;
    long long shown = thousandths > 100000000 ? 100000000 : (long long)thousandths;
    snprintf(why, size, "the tasks need %lld.%lld %% of %s, so response times grow without bound", shown / 10,
             shown % 10, of);
    return true;
}

/* Finds an exceeded capacity. */
static bool find_overload(const load *l, const gcast_workload *w, const gcast_gpu *gpu, amount hyperperiod, char *why,
                          size_t size)
{
    char of[64];
    sm_state empty;
    sm_empty(gpu, &empty);
    for (int r = 0; r < GCAST_RESOURCES; r++) {
        snprintf(of, sizeof of, "the %s of all SMs", gcast_name(GCAST_NAMES_RESOURCE, (gcast_resource)r));
        if (exceeds(l->resource[r], times(times(empty.free[r], gpu->sms), hyperperiod), of, why, size))
            return true;
    }
    for (int e = 0; e < COPY_ENGINES; e++) {
        snprintf(of, sizeof of, "the time of copy engine %d", e);
        if (exceeds(l->engine_ns[e], hyperperiod, of, why, size))
            return true;
    }
    for (size_t i = 0; i < w->stream_count; i++) {
        snprintf(of, sizeof of, "the time of stream %d", w->streams[i].id);
        if (exceeds(l->stream_ns[i], hyperperiod, of, why, size))
            return true;
    }
    return false;
}

bool exact_overload(const gcast_workload *w, const gcast_gpu *gpu, bool longest, char *why, size_t size)
{
    int64_t hyperperiod;
    load l = {.stream_ns = calloc(w->stream_count + 1, sizeof *l.stream_ns)};
    bool found = false;
    if (l.stream_ns && gcast_workload_hyperperiod(w, &hyperperiod)) {
        for (size_t i = w->once_count; i < w->op_count; i++) {
            amount jobs = hyperperiod / w->tasks[w->ops[i].task].period_ns;
            if (w->ops[i].kind == GCAST_KIND_KERNEL)
                add_kernel(&l, gpu, &w->ops[i], jobs, longest);
            else
                add_copy(&l, w, gpu, i, jobs, longest);
        }
        found = find_overload(&l, w, gpu, hyperperiod, why, size);
    }
    free(l.stream_ns);
    return found;
}
