/* gcast_cost_measure: runs the probes of the cost model on the GPU of this machine. A figure is the median over the SMs
 * of the difference between a long and a short kernel, per step. */
#include "gridcast/cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "base/compare.h"
#include "base/minmax.h"
#include "measure/cost/probes.h"
#include "measure/times/gpu_run.h"

#define WARP 32
#define QUARTERS 4 /* of an SM, each with a scheduler of its own */

/* What a thread of a probe writes. */
typedef struct probe_time {
    uint64_t first;      /* cycles of the first pass */
    uint64_t start, end; /* clock around the last pass */
    uint64_t ignored;    /* a result, so that no step is optimized away */
} probe_time;

typedef struct prober {
    gpu_run g;                  /* the GPU and the module */
    uint32_t sms;               /* of the GPU */
    probe_time *out;            /* by SM, PROBE_THREADS each */
    uint64_t *sorted;           /* by SM: cycles of a kernel */
    gcast_buffer buffer[2];     /* out, and memory that the steps use */
    gcast_argument argument[2]; /* the two buffers */
} prober;

/* The median over SMs of the cycles of a kernel, from the start of its first warp to the end of its last. */
static gcast_status run_kernel(prober *p, size_t probe, probe_mode mode, int steps, uint64_t *cycles, gcast_error *err)
{
    char name[64];
    uint32_t threads = mode == PROBE_BUSY ? PROBE_THREADS : WARP;
    gcast_launch l = {.kernel = name,
                      .grid = {p->sms, 1, 1},
                      .block = {threads, 1, 1},
                      .arguments = 2,
                      .buffers = 2,
                      .argument = p->argument,
                      .buffer = p->buffer};
    probe_kernel(name, sizeof name, probe, mode, steps);
    gcast_status status = gpu_run_find(&p->g, &l, err);
    for (int i = 0; i < 2 && status == GCAST_OK; i++) /* the second time, the code is in L2 */
        status = gpu_run_launch(&p->g, &l, 0, err);
    gcast_buffer times_only[2] = {p->buffer[0], {0}};
    l.buffer = times_only;
    if (status == GCAST_OK)
        status = gpu_run_fetch(&p->g, &l, err);
    for (uint32_t b = 0; b < p->sms; b++) {
        const probe_time *block = &p->out[(size_t)b * PROBE_THREADS];
        uint64_t start = UINT64_MAX, end = 0;
        for (uint32_t t = 0; t < threads; t += WARP) {
            start = min_u64(start, block[t].start);
            end = max_u64(end, block[t].end);
        }
        p->sorted[b] = mode == PROBE_FIRST ? block->first : end - start;
    }
    qsort(p->sorted, p->sms, sizeof *p->sorted, compare_u64);
    *cycles = p->sorted[(p->sms - 1) / 2];
    return status;
}

/* Cycles per step and warp, in hundredths. */
static gcast_status run_pair(prober *p, size_t probe, probe_mode mode, uint32_t *out, gcast_error *err)
{
    int scale = mode == PROBE_FIRST ? PROBE_FIRST_SCALE : 1;
    uint64_t short_cycles, long_cycles;
    gcast_status status = run_kernel(p, probe, mode, PROBE_SHORT * scale, &short_cycles, err);
    if (status == GCAST_OK)
        status = run_kernel(p, probe, mode, PROBE_LONG * scale, &long_cycles, err);
    if (status != GCAST_OK)
        return status;
    uint64_t difference = long_cycles > short_cycles ? long_cycles - short_cycles : 0;
    uint64_t steps = (uint64_t)(PROBE_LONG - PROBE_SHORT) * (uint64_t)(scale * cost_probes[probe].count);
    uint64_t warps = mode == PROBE_BUSY ? PROBE_THREADS / WARP / QUARTERS : 1;
    *out = (uint32_t)((difference * 100 + steps * warps / 2) / (steps * warps));
    return GCAST_OK;
}

static gcast_status run_probes(prober *p, gcast_cost_measured *m, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    size_t count = 0;
    while (cost_probes[count].name)
        count++;
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        p->g.fraction = (double)i / (double)count;
        gcast_cost_probe *figure = &m->probe[m->probes++];
        figure->name = cost_probes[i].name;
        status = run_pair(p, i, PROBE_ALONE, &figure->alone, err);
        if (status == GCAST_OK)
            status = run_pair(p, i, PROBE_BUSY, &figure->busy, err);
        if (status == GCAST_OK && probe_has_first(i))
            status = run_pair(p, i, PROBE_FIRST, &figure->first, err);
    }
    return status;
}

/* Buffers: the second has numbers that the compiler cannot know, and memory that the kernels fill with pointers. */
static gcast_status make_buffers(prober *p, gcast_error *err)
{
    static const uint32_t head[] = {3, 5, 0, 16, 3, 0, 77777, 3, 0, 0};
    size_t threads = (size_t)p->sms * PROBE_THREADS, bytes = PROBE_HEAD + threads * PROBE_SPREAD;
    char *memory = calloc(1, bytes);
    p->out = calloc(threads, sizeof *p->out);
    p->sorted = calloc(p->sms, sizeof *p->sorted);
    p->buffer[0] = (gcast_buffer){"out", p->out, threads * sizeof *p->out};
    p->buffer[1] = (gcast_buffer){"memory", memory, bytes};
    p->argument[0] = (gcast_argument){0, NULL, 8};
    p->argument[1] = (gcast_argument){1, NULL, 8};
    if (!memory || !p->out || !p->sorted)
        return gcast_error_set_memory(err);
    memcpy(memory, head, sizeof head);
    return GCAST_OK;
}

gcast_status gcast_cost_measure(const gcast_gpu_exec_options *given, gcast_cost_measured *out, gcast_error *err)
{
    if (!out)
        return argument_missing(err);
    gcast_gpu_exec_options own = gcast_gpu_exec_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_gpu_exec_options", err);
    if (status != GCAST_OK)
        return status;
    prober p = {0};
    text t;
    int khz = 0;
    *out = (gcast_cost_measured){0};
    text_open(&t, NULL, NULL);
    probe_ptx(&t);
    char *ptx = text_take(&t, NULL);
    if (!ptx)
        return gcast_error_set_memory(err);
    status = gpu_run_open(&p.g, ptx, 2, own.library, err);
    p.g.options = &own;
    free(ptx);
    if (status == GCAST_OK)
        status = DRIVER_CALL(&p.g.v.d, err, cuDeviceGetAttribute, &khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, p.g.v.handle);
    if (status == GCAST_OK) {
        snprintf(out->gpu, sizeof out->gpu, "%s", p.g.v.gpu->title ? p.g.v.gpu->title : p.g.v.gpu->name);
        out->clock_mhz = (uint32_t)khz / 1000;
        p.sms = (uint32_t)p.g.v.gpu->sms;
        status = make_buffers(&p, err);
    }
    if (status == GCAST_OK)
        status = gpu_run_send(&p.g, &(gcast_launch){.buffers = 2, .buffer = p.buffer}, err);
    if (status == GCAST_OK)
        status = run_probes(&p, out, err);
    gpu_run_close(&p.g);
    free(p.buffer[1].data);
    free(p.out);
    free(p.sorted);
    return status;
}
