/* A CUDA driver without a GPU, for tests: kernels leave records at once, and the
 * clock answers. STUB_FAIL=N makes the Nth call fail that is not there to clean up;
 * STUB_HANG makes streams busy for ever, STUB_ANSWERS=N lets the clock answer N times; STUB_SM is the
 * number of the first SM, STUB_DRIFT by how many millionths the GPU's clock is faster than the host's, STUB_CC the
 * compute capability, STUB_PRINT what kernels print, and STUB_CONNECTIONS what the program must have set. add_one adds
 * its second argument to as many words at its first as there are threads; meet does the same, but its blocks meet, so
 * it must be launched for that, and there is room for 8; saxpy is that of examples; gridcast_hold says that all of its
 * blocks are there. add_one and saxpy may be SM-centric (stub_smc.c); launch_warps and launch_chain launch kernels
 * (stub_devrt.c). Launches with attributes and graphs are in stub_graph.c. PTX with "wrong" in it does not compile. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "stub.h"

#define EXPORT __attribute__((visibility("default")))
#define GPU_AHEAD_NS 5000000 /* of the host's clock */
#define CLOCK_ANSWERS 8      /* then its kernel ends: each takes long where more runs than there are cores */

typedef struct stub_mailbox {
    _Atomic uint32_t question;
    char padding[60];
    _Atomic uint32_t answer;
    uint32_t pad;
    volatile int64_t gpu_ns;
} stub_mailbox;

static atomic_int calls, driver_launches, together;
static int first_priority, stream_count, blocking_count;
static pthread_t clock_thread;
static int clock_running;
static atomic_bool clock_answers; /* its thread may give one more */
static struct {
    stub_mailbox *mailbox;
    uint32_t rounds;
} clock_asked;

/* For the tests: what was counted. */
#define ASK(name, count)                                                                                               \
    EXPORT int name(void);                                                                                             \
    int name(void)                                                                                                     \
    {                                                                                                                  \
        return count;                                                                                                  \
    }
ASK(stub_outstanding, stub_made)
ASK(stub_calls, calls) /* that may fail */
ASK(stub_first_priority, first_priority)
ASK(stub_blocking, blocking_count)
ASK(stub_most_shared, stub_max_shared)
ASK(stub_driver_launches, driver_launches) /* of kernels that leave their carveout to the driver */
ASK(stub_together, together)               /* launches whose blocks may meet */
EXPORT void stub_reset(void);

void stub_reset(void)
{
    calls = stub_made = 0;
    first_priority = stream_count = blocking_count = stub_max_shared = 0;
    driver_launches = 0;
    together = 0;
    stub_counts = (stub_seen){0};
}

int stub_setting(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

int stub_failing(void)
{
    return ++calls == stub_setting("STUB_FAIL");
}

int64_t stub_gpu_now(void)
{
    int64_t now = clock_now_ns();
    return now + GPU_AHEAD_NS + now / 1000 * stub_setting("STUB_DRIFT") / 1000;
}

CALL(cuInit, (unsigned flags))
{
    MAY_FAIL;
    if (getenv("STUB_CONNECTIONS") && stub_setting("STUB_CONNECTIONS") != stub_setting("CUDA_DEVICE_MAX_CONNECTIONS"))
        return FAILURE;
    return (CUresult)flags;
}

CALL(cuGetErrorName, (CUresult error, const char **name))
{
    static const struct {
        CUresult error;
        const char *name;
    } names[] = {{FAILURE, "CUDA_ERROR_UNKNOWN"},
                 {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
                 {CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].error == error) {
            *name = names[i].name;
            return CUDA_SUCCESS;
        }
    return 1;
}

CALL(cuDeviceGet, (CUdevice * device, int ordinal))
{
    MAY_FAIL;
    *device = ordinal;
    return CUDA_SUCCESS;
}

CALL(cuDeviceGetName, (char *name, int size, CUdevice device))
{
    MAY_FAIL;
    snprintf(name, (size_t)size, "Stub %d", device);
    return CUDA_SUCCESS;
}

CALL(cuDeviceGetAttribute, (int *value, int attribute, CUdevice device))
{
    MAY_FAIL;
    *value = device;
    if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        *value = getenv("STUB_CC") ? stub_setting("STUB_CC") : 9;
    if (attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
        *value = STUB_SMS;
    return CUDA_SUCCESS;
}

CALL(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))
{
    MAY_FAIL;
    static char primary;
    stub_made++;
    *context = (CUcontext)(void *)(&primary + device);
    return CUDA_SUCCESS;
}

CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice device))
{
    stub_made--;
    return device;
}

CALL(cuCtxSetCurrent, (CUcontext context))
{
    MAY_FAIL;
    return context ? CUDA_SUCCESS : FAILURE;
}

CALL(cuCtxGetDevice, (CUdevice * device))
{
    MAY_FAIL;
    *device = 0;
    return CUDA_SUCCESS;
}

static void join_clock(void)
{
    if (clock_running)
        pthread_join(clock_thread, NULL);
    clock_running = 0;
}

CALL(cuCtxSynchronize, (void))
{
    join_clock();
    MAY_FAIL;
    if (getenv("STUB_PRINT")) /* as a driver does for its kernels */
        printf("%s", getenv("STUB_PRINT"));
    return CUDA_SUCCESS;
}

CALL(cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority))
{
    MAY_FAIL;
    if (stream_count++ == 0)
        first_priority = priority;
    blocking_count += flags == CU_STREAM_DEFAULT;
    return CREATED(*stream = stub_make(1));
}

CALL(cuStreamDestroy_v2, (CUstream stream))
{
    return stub_destroy(stream);
}

CALL(cuStreamQuery, (CUstream stream))
{
    (void)stream;
    if (clock_running) /* how often it is asked depends on the machine */
        return clock_answers ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
    MAY_FAIL;
    return stub_setting("STUB_HANG") ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

CALL(cuStreamSynchronize, (CUstream stream))
{
    (void)stream;
    join_clock();
    MAY_FAIL;
    return CUDA_SUCCESS;
}

static bool is_asked(const stub_mailbox *m, uint32_t round, int64_t until_ns)
{
    while (m->question != round)
        if (sched_yield() != 0 || clock_now_ns() > until_ns)
            return false;
    return true;
}

static void *answer(void *data)
{
    (void)data;
    stub_mailbox *m = clock_asked.mailbox;
    int64_t until_ns = clock_now_ns() + 60000000000;
    for (uint32_t i = 1; i <= clock_asked.rounds && is_asked(m, i, until_ns); i++) {
        m->gpu_ns = stub_gpu_now();
        m->answer = i;
    }
    clock_answers = false;
    return NULL;
}

static void add_one(uint64_t block, uint64_t threads, void **parameters)
{
    uint32_t *words = (uint32_t *)(uintptr_t) * (CUdeviceptr *)parameters[0];
    for (uint64_t i = block * threads; i < (block + 1) * threads; i++)
        words[i] += *(uint32_t *)parameters[1];
}

/* saxpy(n, a, x, y) */
static void saxpy(uint64_t block, uint64_t threads, void **parameters)
{
    const float *x = (const float *)(uintptr_t) * (CUdeviceptr *)parameters[2];
    float *y = (float *)(uintptr_t) * (CUdeviceptr *)parameters[3];
    for (uint64_t i = block * threads; i < (block + 1) * threads && i < *(uint32_t *)parameters[0]; i++)
        y[i] = *(float *)parameters[1] * x[i] + y[i];
}

/* Runs the blocks of a kernel; of one that was transformed, its workers. */
static CUresult run_blocks(const stub_function *function, stub_block run, uint64_t blocks, uint64_t threads,
                           void **parameters)
{
    char header[64];
    snprintf(header, sizeof header, "%s_smc", function->name);
    const stub_global *plan = stub_find_global(function->module, header);
    if (plan)
        return stub_run_workers(plan, blocks, threads, run, parameters);
    for (uint64_t b = 0; b < blocks; b++)
        run(b, threads, parameters);
    return CUDA_SUCCESS;
}

CALL(cuLaunchKernel,
     (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
      unsigned block_z, unsigned shared, CUstream stream, void **parameters, void **extra))
{
    MAY_FAIL;
    (void)stream, (void)extra;
    bool is_large = grid_x > INT32_MAX || grid_y > 65535 || grid_z > 65535;
    if (is_large || block_x * block_y * block_z > 1024 || (int)shared > stub_max_shared)
        return FAILURE;
    const stub_function *f = (const stub_function *)(void *)function;
    uint64_t blocks = (uint64_t)grid_x * grid_y * grid_z, threads = (uint64_t)block_x * block_y * block_z;
    if (blocks < 1 || threads < 1 || strcmp(f->name, "meet") == 0)
        return FAILURE;
    if (strcmp(f->name, "add_one") == 0 || strcmp(f->name, "saxpy") == 0) {
        driver_launches += !f->carveout;
        return run_blocks(f, f->name[0] == 'a' ? add_one : saxpy, blocks, threads, parameters);
    }
    if (strcmp(f->name, "gridcast_hold") == 0) {
        *(uint32_t *)(uintptr_t) * (CUdeviceptr *)parameters[0] = (uint32_t)blocks; /* all are there at once */
        return CUDA_SUCCESS;
    }
    if (strncmp(f->name, "launch_", 7) == 0) {
        stub_launch_children(f->name, blocks, threads, parameters);
        return CUDA_SUCCESS;
    }
    if (strcmp(f->name, "clock") != 0) {
        stub_spin(f, blocks, parameters);
        driver_launches += !f->carveout;
        return CUDA_SUCCESS;
    }
    clock_asked.mailbox = (void *)(uintptr_t) * (CUdeviceptr *)parameters[0];
    clock_asked.rounds = getenv("STUB_ANSWERS") ? (uint32_t)stub_setting("STUB_ANSWERS") : CLOCK_ANSWERS;
    if (clock_asked.rounds > *(uint32_t *)parameters[1])
        clock_asked.rounds = *(uint32_t *)parameters[1];
    clock_answers = true;
    clock_running = pthread_create(&clock_thread, NULL, answer, NULL) == 0;
    return clock_running ? CUDA_SUCCESS : FAILURE; /* else measure would wait for answers until it gives up */
}

CALL(cuLaunchCooperativeKernel,
     (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
      unsigned block_z, unsigned shared, CUstream stream, void **parameters))
{
    MAY_FAIL;
    (void)stream;
    uint64_t blocks = (uint64_t)grid_x * grid_y * grid_z;
    if (blocks > 8)
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    if (block_x * block_y * block_z > 1024 || (int)shared > stub_max_shared ||
        strcmp(((stub_function *)(void *)function)->name, "meet") != 0)
        return FAILURE;
    add_one(0, blocks * block_x * block_y * block_z, parameters);
    together++;
    return CUDA_SUCCESS;
}

#ifndef STUB_OLD /* a driver before CUDA 12.4 has none of these */
CALL(cuDeviceGetDevResource, (CUdevice device, CUdevResource *resource, int type))
{
    MAY_FAIL;
    *resource = (CUdevResource){.type = type, .sm_count = STUB_SMS + (unsigned)device};
    return CUDA_SUCCESS;
}

CALL(cuDevSmResourceSplitByCount, (CUdevResource * result, unsigned *groups, const CUdevResource *input,
                                   CUdevResource *remaining, unsigned flags, unsigned least))
{
    MAY_FAIL;
    *result = *remaining = *input;
    result->sm_count = (least + 1) / 2 * 2;
    if (!least || result->sm_count > input->sm_count)
        return FAILURE;
    remaining->sm_count -= result->sm_count;
    *groups = flags;
    return CUDA_SUCCESS;
}

CALL(cuDevResourceGenerateDesc, (CUdevResourceDesc * description, CUdevResource *resources, unsigned count))
{
    MAY_FAIL;
    *description = (CUdevResourceDesc)(void *)resources;
    return count == 1 ? CUDA_SUCCESS : FAILURE;
}

CALL(cuGreenCtxCreate, (CUgreenCtx * context, CUdevResourceDesc description, CUdevice device, unsigned flags))
{
    MAY_FAIL;
    (void)device, (void)flags;
    return !description ? FAILURE : CREATED(*context = stub_make(1));
}

CALL(cuGreenCtxDestroy, (CUgreenCtx context))
{
    return stub_destroy(context);
}

CALL(cuCtxFromGreenCtx, (CUcontext * context, CUgreenCtx green))
{
    MAY_FAIL;
    *context = (CUcontext)(void *)green;
    return CUDA_SUCCESS;
}

CALL(cuGreenCtxStreamCreate, (CUstream * stream, CUgreenCtx green, unsigned flags, int priority))
{
    MAY_FAIL;
    (void)green;
    if (stream_count++ == 0)
        first_priority = priority;
    return flags != CU_STREAM_NON_BLOCKING ? FAILURE : CREATED(*stream = stub_make(1));
}
#endif
