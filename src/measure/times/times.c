/* gcast_gpu_exec_timed: a launch run several times from the same buffers, with the times of its blocks. */
#include <stdlib.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "base/api/launch_given.h"
#include "base/api/options_copy.h"
#include "base/arena.h"
#include "base/checked.h"
#include "base/compare.h"
#include "base/minmax.h"
#include "measure/times/gpu_run.h"
#include "measure/times/timed_ptx.h"

typedef struct owned_times {
    gcast_block_times times; /* first, so that a gcast_block_times is its handle */
    arena memory;            /* holds the two arrays */
    gcast_block_time *block; /* by run, then by block */
    gcast_block_spread *run; /* by run */
} owned_times;

void gcast_block_times_free(gcast_block_times *t)
{
    owned_times *x = (owned_times *)t;
    if (!x)
        return;
    arena_free(&x->memory);
    free(x);
}

/* Stores the times of a run. `sorted` is scratch for a number per block. */
static void store_run(owned_times *x, uint32_t run, const timed_block *timed, uint64_t *sorted)
{
    gcast_block_time *block = x->block + run * x->times.blocks;
    uint64_t n = x->times.blocks, first = UINT64_MAX;
    for (uint64_t i = 0; i < n; i++)
        first = min_u64(first, timed[i].first_timer);
    for (uint64_t i = 0; i < n; i++) {
        block[i] = (gcast_block_time){(uint32_t)timed[i].sm, timed[i].first_timer - first, timed[i].last_timer - first,
                                      timed[i].last_clock - timed[i].first_clock};
        sorted[i] = block[i].cycles;
    }
    qsort(sorted, n, sizeof *sorted, compare_u64);
    x->run[run] = (gcast_block_spread){sorted[0], sorted[(n - 1) / 2], sorted[n - 1]};
}

/* The run with the median of the medians, the first run left out. */
static uint32_t median_run(const owned_times *x)
{
    uint32_t runs = x->times.runs, best = 0;
    for (uint32_t i = 1; i < runs; i++) {
        uint32_t below = 0;
        for (uint32_t k = 1; k < runs; k++)
            below += x->run[k].median < x->run[i].median || (x->run[k].median == x->run[i].median && k < i);
        if (below == (runs - 2) / 2)
            best = i;
    }
    return best;
}

static void clear(timed_block *b, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        b[i] = (timed_block){.first_clock = UINT64_MAX, .first_timer = UINT64_MAX};
}

static gcast_status run_all(gpu_run *g, owned_times *x, gcast_launch *timed, int64_t limit, gcast_error *err)
{
    uint64_t blocks = x->times.blocks;
    gcast_launch times_only = *timed; /* the caller's buffers are fetched after the last run only */
    timed_block *written = timed->buffer[timed->buffers - 1].data;
    uint64_t *sorted = malloc(blocks * sizeof *sorted);
    gcast_status status = sorted ? GCAST_OK : gcast_error_set_memory(err);
    gcast_buffer *own = calloc(timed->buffers, sizeof *own);
    if (status == GCAST_OK && !own)
        status = gcast_error_set_memory(err);
    for (uint32_t i = 0; own && i < timed->buffers; i++)
        own[i].bytes = i + 1 == timed->buffers ? timed->buffer[i].bytes : 0;
    if (own)
        own[timed->buffers - 1].data = written;
    times_only.buffer = own;
    times_only.variables = 0;
    for (uint32_t r = 0; r < x->times.runs && status == GCAST_OK; r++) {
        clear(written, blocks);
        g->fraction = (double)r / (double)x->times.runs;
        status = gpu_run_send(g, timed, err);
        if (status == GCAST_OK)
            status = gpu_run_launch(g, timed, limit, err);
        if (status == GCAST_OK)
            status = gpu_run_fetch(g, r + 1 < x->times.runs ? &times_only : timed, err);
        if (status == GCAST_OK)
            store_run(x, r, written, sorted);
    }
    free(own);
    free(sorted);
    return status;
}

static gcast_status create(owned_times **out, uint64_t blocks, uint32_t runs, gcast_error *err)
{
    owned_times *x = calloc(1, sizeof *x);
    if (!x)
        return gcast_error_set_memory(err);
    x->times.blocks = blocks;
    x->times.runs = runs;
    x->block = arena_alloc_array(&x->memory, blocks * runs, sizeof *x->block);
    x->run = arena_alloc_array(&x->memory, runs, sizeof *x->run);
    *out = x;
    return x->block && x->run ? GCAST_OK : gcast_error_set_memory(err);
}

/* The launch with the buffer of times as its last; the caller frees the two arrays of `timed`. */
static gcast_status add_times_buffer(const gcast_launch *l, uint64_t blocks, timed_block *times, gcast_launch *timed,
                                     gcast_error *err)
{
    *timed = *l;
    timed->argument = calloc((size_t)l->arguments + 1, sizeof *timed->argument);
    timed->buffer = calloc((size_t)l->buffers + 1, sizeof *timed->buffer);
    if (!timed->argument || !timed->buffer)
        return gcast_error_set_memory(err);
    if (l->arguments)
        memcpy(timed->argument, l->argument, l->arguments * sizeof *l->argument);
    if (l->buffers)
        memcpy(timed->buffer, l->buffer, l->buffers * sizeof *l->buffer);
    timed->argument[timed->arguments++] = (gcast_argument){(int)l->buffers, NULL, 8};
    timed->buffer[timed->buffers++] = (gcast_buffer){"gridcast_times", times, blocks * sizeof *times};
    return GCAST_OK;
}

static gcast_status measure(const char *ptx, gcast_launch *timed, const gcast_gpu_exec_options *o, owned_times *x,
                            gcast_error *err)
{
    gpu_run g;
    int registers = 0;
    gcast_status status = gpu_run_open(&g, ptx, timed->buffers, o->library, err);
    g.options = o;
    if (status == GCAST_OK)
        status = gpu_run_find(&g, timed, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(&g.v.d, err, cuFuncGetAttribute, &registers, CU_FUNC_ATTRIBUTE_NUM_REGS, g.function);
    if (status == GCAST_OK)
        status = run_all(&g, x, timed, o->limit_ns, err);
    gpu_run_close(&g);
    x->times.registers = (uint32_t)registers;
    x->times.shown = median_run(x);
    x->times.block = x->block + x->times.shown * x->times.blocks;
    x->times.run = x->run;
    return status;
}

/* Is all there that it points to, and can each of its blocks have a place for its times? */
static gcast_status check_launch_to_time(const gcast_launch *launch, uint64_t *blocks, gcast_error *err)
{
    const uint32_t *n = launch->grid;
    if (!checked_mul((uint64_t)n[0] * n[1], n[2], blocks) || *blocks == 0 || *blocks > UINT32_MAX)
        return gcast_error_set(err, GCAST_INPUT, "/grid", "%u x %u x %u: 1 to %u blocks can be timed", n[0], n[1], n[2],
                               UINT32_MAX);
    return launch_given(launch, err);
}

gcast_status gcast_gpu_exec_timed(const gcast_ptx *p, gcast_launch *launch, uint32_t runs,
                                  const gcast_gpu_exec_options *given, gcast_block_times **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!p || !launch || !out)
        return argument_missing(err);
    gcast_gpu_exec_options own = gcast_gpu_exec_options_default();
    uint64_t blocks;
    gcast_status status = check_launch_to_time(launch, &blocks, err);
    if (status != GCAST_OK)
        return status;
    timed_block *times = calloc(blocks, sizeof *times);
    gcast_launch timed = {0};
    owned_times *x = NULL;
    char *ptx = NULL;
    status = times ? options_copy(&own, sizeof own, given, "gcast_gpu_exec_options", err) : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = timed_ptx(p, launch->kernel, &ptx, err);
    if (status == GCAST_OK)
        status = add_times_buffer(launch, blocks, times, &timed, err);
    if (status == GCAST_OK)
        status = create(&x, blocks, runs ? runs : 1, err);
    if (status == GCAST_OK)
        status = measure(ptx, &timed, &own, x, err);
    if (status == GCAST_OK)
        *out = &x->times;
    else if (x)
        gcast_block_times_free(&x->times);
    free(ptx);
    free(times);
    free(timed.argument);
    free(timed.buffer);
    return status;
}
