/* The stub's linker, and kernels that launch kernels: their records are made up. A warp of x launches is held for
 * 5800 + 220 x ns, and its first child starts after 6000 + 200 x; children of all warps start 213 ns apart, 2048 may
 * be pending, a refusal takes 13000 ns, and every 64th stream waits for the first. A library that starts with "wrong"
 * does not link. STUB_LOST makes the first child of a launch not run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "measure/devrt/child_kernels.h"
#include "stub.h"

#define POOL 2048
#define QUEUES 64
#define CALL_NS 8000
#define REFUSED_NS 13000

static void *memory_at(const void *parameter)
{
    return (void *)(uintptr_t) * (const CUdeviceptr *)parameter;
}

/* launch_warps(records, arrivals, lanes, pause) */
static void launch_warps(uint64_t warps, void **parameters)
{
    launch_record *records = memory_at(parameters[0]);
    int64_t lanes = *(uint32_t *)parameters[2], now = stub_gpu_now();
    for (int64_t i = 0; i < (int64_t)warps * lanes; i++)
        records[i] = (launch_record){.call_ns = now,
                                     .return_ns = now + 5800 + 220 * lanes,
                                     .start_ns = now + 6000 + 200 * lanes + 213 * i,
                                     .end_ns = now + 7000 + 200 * lanes + 213 * i};
    if (getenv("STUB_LOST"))
        records[0].start_ns = 0;
}

/* launch_chain(records, state, streams, calls, after, hold) */
static void launch_chain(void **parameters)
{
    launch_record *records = memory_at(parameters[0]);
    chain_state *state = memory_at(parameters[1]);
    bool streams = memory_at(parameters[2]) != NULL;
    uint32_t calls = *(uint32_t *)parameters[3], after = *(uint32_t *)parameters[4];
    int64_t now = stub_gpu_now(), release = now + (int64_t)calls * REFUSED_NS;
    if (calls > POOL + 1 + after)
        calls = POOL + 1 + after;
    for (uint32_t i = 0; i < calls; i++) {
        int64_t call_ns = now + (int64_t)i * CALL_NS;
        bool waits = streams && i > 0 && i % QUEUES == 0;
        if (i >= POOL)
            records[i] =
                (launch_record){.call_ns = call_ns, .return_ns = call_ns + REFUSED_NS, .error = CHILD_POOL_FULL};
        else
            records[i] = (launch_record){.call_ns = call_ns,
                                         .return_ns = call_ns + CALL_NS,
                                         .start_ns = waits ? release + CALL_NS : call_ns + CALL_NS,
                                         .end_ns = release + 2 * CALL_NS};
    }
    *state = (chain_state){.released = 1, .release_ns = release, .calls = calls};
}

void stub_launch_children(const char *name, uint64_t blocks, uint64_t threads, void **parameters)
{
    if (strcmp(name, "launch_warps") == 0)
        launch_warps(blocks * threads / 32, parameters);
    else
        launch_chain(parameters);
}

#ifndef STUB_OLD /* a driver that cannot link has none of these */
typedef struct linker {
    char *log;       /* of the caller */
    size_t log_size; /* of that */
    const char *ptx; /* of the caller */
} linker;

CALL(cuLinkCreate_v2, (unsigned n, int *options, void **values, CUlinkState *state))
{
    MAY_FAIL;
    linker *l = stub_make(sizeof *l);
    if (!l)
        return NO_MEMORY;
    if (n == 2 && options[0] == CU_JIT_ERROR_LOG_BUFFER && options[1] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
        *l = (linker){values[0], (size_t)(uintptr_t)values[1], NULL};
    *state = (CUlinkState)(void *)l;
    return CUDA_SUCCESS;
}

CALL(cuLinkAddData_v2,
     (CUlinkState state, int type, void *data, size_t size, const char *name, unsigned n, int *options, void **values))
{
    MAY_FAIL;
    (void)name, (void)n, (void)options, (void)values;
    ((linker *)(void *)state)->ptx = data;
    return type == CU_JIT_INPUT_PTX && size == strlen(data) + 1 ? CUDA_SUCCESS : FAILURE;
}

CALL(cuLinkAddFile_v2, (CUlinkState state, int type, const char *path, unsigned n, int *options, void **values))
{
    MAY_FAIL;
    (void)n, (void)options, (void)values;
    linker *l = (linker *)(void *)state;
    char start[6] = "";
    FILE *f = fopen(path, "r");
    if (!f || type != CU_JIT_INPUT_LIBRARY)
        return FAILURE;
    size_t read = fread(start, 1, 5, f);
    fclose(f);
    if (read < 5 || strcmp(start, "wrong") != 0)
        return CUDA_SUCCESS;
    snprintf(l->log, l->log_size, "error: no such symbol\nsecond line");
    return FAILURE;
}

CALL(cuLinkComplete, (CUlinkState state, void **image, size_t *size))
{
    MAY_FAIL;
    const linker *l = (linker *)(void *)state;
    *image = (void *)(uintptr_t)l->ptx;
    *size = strlen(l->ptx) + 1;
    return CUDA_SUCCESS;
}

CALL(cuLinkDestroy, (CUlinkState state))
{
    return stub_destroy(state);
}

CALL(cuCtxGetLimit, (size_t * value, int limit))
{
    MAY_FAIL;
    *value = POOL;
    return limit == CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT ? CUDA_SUCCESS : FAILURE;
}
#endif
