#include "measure/devrt/child_runs.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/integers.h"
#include "measure/calibrate/observations.h"
#include "measure/calibration.h"
#include "measure/devrt/child_kernels.h"
#include "measure/driver/driver.h"

#define FIT_UNIT_NS 10       /* of what is fitted: the clock steps by 32 ns */
#define MIN_CC_MAJOR 9       /* of the entry points that child_kernels.ptx calls */
#define LIMIT_NS 60000000000 /* of one wait, where the caller sets none */
#define WARM_UP 8            /* repetitions that do not count */
#define ROUNDS 200           /* of warps with 1 to 32 lanes */
#define BURSTS 50            /* of many warps at one time */
#define BURST_CHILDREN 1000  /* at least, where the pool has as many */
#define CHAINS 10            /* which fill the pool, and as many with streams */
#define REFUSALS 20          /* calls after the first one that is refused */
#define MAX_POOL 16384       /* a larger one is not filled */
#define STREAMS 256          /* of a chain with streams */
#define PAUSE_NS 20000       /* before the calls, so that earlier work is over */
#define HOLD_NS 300000       /* before the release: children that need not wait have run */
#define STATE_BYTES 256      /* chain_state, and from ARRIVALS_AT on counters of arrivals */
#define ARRIVALS_AT 64       /* bytes */
#define WARP_THREADS 32      /* of a warp */
#define MAX_WARPS 32         /* of a block */
#define MAX_RECORDS (MAX_POOL + 1 + REFUSALS)

/* Kernels launch kernels with NVIDIA's device runtime, libcudadevrt.a, which PTX must be linked with. */

/* The path of the library: `given` where that is not NULL, else the first of the usual places; NULL: it is not there.
 */
static const char *devrt_find(const char *given)
{
    static const char *const usual[] = {"/usr/local/cuda/lib64/libcudadevrt.a",
                                        "/usr/local/cuda/targets/x86_64-linux/lib/libcudadevrt.a",
                                        "/usr/local/cuda/targets/sbsa-linux/lib/libcudadevrt.a",
                                        "/usr/local/cuda/targets/aarch64-linux/lib/libcudadevrt.a",
                                        "/usr/lib/x86_64-linux-gnu/libcudadevrt.a",
                                        "/usr/lib/aarch64-linux-gnu/libcudadevrt.a"};
    if (given)
        return access(given, R_OK) == 0 ? given : NULL;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (access(usual[i], R_OK) == 0)
            return usual[i];
    return NULL;
}

static gcast_status link_image(const driver *d, CUlinkState state, const char *ptx, const char *library,
                               CUmodule *module, gcast_error *err)
{
    void *image;
    size_t size;
    gcast_status status = DRIVER_CALL(d, err, cuLinkAddData, state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)ptx,
                                      strlen(ptx) + 1, "child_kernels.ptx", 0, NULL, NULL);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuLinkAddFile, state, CU_JIT_INPUT_LIBRARY, library, 0, NULL, NULL);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuLinkComplete, state, &image, &size);
    if (status == GCAST_OK) /* now, as the linker's image goes with its state */
        status = DRIVER_CALL(d, err, cuModuleLoadDataEx, module, image, 0, NULL, NULL);
    return status;
}

/* Links in the current context. An error has the first line of the linker's log; *module is NULL then. The driver must
 * have `linking`. */
static gcast_status devrt_link(const driver *d, const char *ptx, const char *library, CUmodule *module,
                               gcast_error *err)
{
    char log[DRIVER_LOG_BYTES] = "";
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(DRIVER_LOG_BYTES - 1)};
    CUlinkState state;
    *module = NULL;
    gcast_status status = DRIVER_CALL(d, err, cuLinkCreate, 2, options, values, &state);
    if (status != GCAST_OK)
        return status;
    status = link_image(d, state, ptx, library, module, err);
    d->cuLinkDestroy(state);
    if (status == GCAST_OK)
        return status;
    *module = NULL;
    return driver_log_error(log, status, err);
}

/* Was the launch accepted, and did its child run after the call began? */
static bool child_ran(const launch_record *r)
{
    return r->error == 0 && r->call_ns && r->return_ns >= r->call_ns && r->start_ns > r->call_ns;
}

static bool all_ran(const launch_record *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!child_ran(&r[i]))
            return false;
    return true;
}

gcast_status learn_child_latency(observations *o, const launch_record *round, gcast_error *err)
{
    int64_t lanes[CHILD_LANE_COUNTS], start[CHILD_LANE_COUNTS], held[CHILD_LANE_COUNTS];
    line_fit launch, call;
    if (!all_ran(round, CHILD_ROUND_RECORDS))
        return GCAST_OK;
    for (int k = 0; k < CHILD_LANE_COUNTS; k++) {
        const launch_record *warp = &round[(1 << k) - 1];
        int64_t call_ns = INT64_MAX, return_ns = 0, start_ns = INT64_MAX;
        lanes[k] = 1 << k;
        for (int64_t i = 0; i < lanes[k]; i++) {
            call_ns = min_i64(call_ns, warp[i].call_ns);
            return_ns = max_i64(return_ns, warp[i].return_ns);
            start_ns = min_i64(start_ns, warp[i].start_ns);
        }
        start[k] = start_ns - call_ns;
        held[k] = return_ns - call_ns;
    }
    if (!line_fit_points(lanes, start, CHILD_LANE_COUNTS, FIT_UNIT_NS, &launch) ||
        !line_fit_points(lanes, held, CHILD_LANE_COUNTS, FIT_UNIT_NS, &call))
        return GCAST_OK;
    const struct {
        gcast_reading_id id;
        int64_t ns;
    } fitted[] = {{GCAST_READ_CHILD_LAUNCH, launch.base},
                  {GCAST_READ_CHILD_STEP, launch.step},
                  {GCAST_READ_CHILD_CALL, call.base},
                  {GCAST_READ_CHILD_CALL_STEP, call.step}};
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < sizeof fitted / sizeof fitted[0] && status == GCAST_OK; i++)
        status = observations_add(o, fitted[i].id, max_i64(fitted[i].ns, 0), err);
    return status;
}

gcast_status learn_child_service(observations *o, const launch_record *burst, size_t count, gcast_error *err)
{
    int64_t first_ns = INT64_MAX, last_ns = 0;
    if (count < 2 || !all_ran(burst, count))
        return GCAST_OK;
    for (size_t i = 0; i < count; i++) {
        first_ns = min_i64(first_ns, burst[i].start_ns);
        last_ns = max_i64(last_ns, burst[i].start_ns);
    }
    return observations_add(o, GCAST_READ_CHILD_SERVICE, (last_ns - first_ns) / (int64_t)(count - 1), err);
}

gcast_status learn_child_pool(observations *o, const launch_record *calls, size_t count, gcast_error *err)
{
    size_t accepted = 0;
    while (accepted < count && calls[accepted].error == 0)
        accepted++;
    for (size_t i = accepted; i < count; i++)
        if (calls[i].error != CHILD_POOL_FULL || calls[i].return_ns < calls[i].call_ns)
            return GCAST_OK;
    if (accepted == count || !all_ran(calls, accepted))
        return GCAST_OK;
    gcast_status status = observations_add(o, GCAST_READ_CHILD_POOL, (int64_t)accepted, err);
    for (size_t i = accepted; i < count && status == GCAST_OK; i++)
        status = observations_add(o, GCAST_READ_CHILD_REFUSED, calls[i].return_ns - calls[i].call_ns, err);
    return status;
}

gcast_status learn_child_queues(observations *o, const launch_record *calls, size_t count, int64_t release_ns,
                                gcast_error *err)
{
    size_t queues = 1;
    if (!all_ran(calls, count))
        return GCAST_OK;
    while (queues < count && calls[queues].start_ns < release_ns)
        queues++;
    if (queues >= count || calls[0].start_ns >= release_ns)
        return GCAST_OK;
    for (size_t i = 1; i < count; i++)
        if ((calls[i].start_ns >= release_ns) != (i % queues == 0))
            return GCAST_OK;
    return observations_add(o, GCAST_READ_CHILD_QUEUES, (int64_t)queues, err);
}

extern const char measure_child_kernels_ptx[];

typedef struct child_session {
    device v;                             /* the GPU */
    const gcast_measure_options *options; /* of the caller */
    CUmodule module;                      /* child_kernels.ptx, linked */
    CUfunction warps;                     /* launch_warps */
    CUfunction chain;                     /* launch_chain */
    CUstream stream;                      /* of all launches by the host */
    CUdeviceptr records;                  /* launch_record, MAX_RECORDS of them */
    CUdeviceptr state;                    /* STATE_BYTES */
    CUdeviceptr streams;                  /* STREAMS handles */
    launch_record *seen;                  /* the records, fetched */
    chain_state chain_seen;               /* the state, fetched */
    uint32_t pool;                        /* pending launches that the context allows */
    bool abandoned;                       /* a kernel is still running: nothing can be freed */
} child_session;

static gcast_status session_open(child_session *s, const char *library, gcast_error *err)
{
    const driver *d = &s->v.d;
    size_t pool = 0;
    gcast_status status = devrt_link(d, measure_child_kernels_ptx, library, &s->module, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuModuleGetFunction, &s->warps, s->module, "launch_warps");
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuModuleGetFunction, &s->chain, s->module, "launch_chain");
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuCtxGetLimit, &pool, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT);
    if (status == GCAST_OK)
        status = device_stream(&s->v, CU_STREAM_NON_BLOCKING, 0, &s->stream, err);
    if (status == GCAST_OK)
        status = device_alloc(&s->v, &s->records, MAX_RECORDS, sizeof(launch_record), err);
    if (status == GCAST_OK)
        status = device_alloc(&s->v, &s->state, STATE_BYTES, 1, err);
    if (status == GCAST_OK)
        status = device_alloc(&s->v, &s->streams, STREAMS, sizeof(uint64_t), err);
    s->pool = (uint32_t)min_size(pool, UINT32_MAX);
    return status;
}

static void session_close(child_session *s)
{
    const driver *d = &s->v.d;
    free(s->seen);
    if (s->abandoned) { /* everything else ends with the process */
        gcast_gpu_free(s->v.gpu);
        return;
    }
    d->cuCtxSynchronize();
    CUdeviceptr memory[] = {s->records, s->state, s->streams};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        if (memory[i])
            d->cuMemFree(memory[i]);
    if (s->stream)
        d->cuStreamDestroy(s->stream);
    if (s->module)
        d->cuModuleUnload(s->module);
    device_close(&s->v);
}

static gcast_status clear(const child_session *s, size_t records, gcast_error *err)
{
    const driver *d = &s->v.d;
    gcast_status status =
        DRIVER_CALL(d, err, cuMemsetD8Async, s->records, 0, records * sizeof(launch_record), s->stream);
    return status == GCAST_OK ? DRIVER_CALL(d, err, cuMemsetD8Async, s->state, 0, STATE_BYTES, s->stream) : status;
}

/* `number` counts launches since the last clear: each has its own counter of arrivals. */
static gcast_status launch_warps(child_session *s, size_t first_record, unsigned number, unsigned blocks,
                                 unsigned warps, uint32_t lanes, gcast_error *err)
{
    CUdeviceptr records = s->records + first_record * sizeof(launch_record);
    CUdeviceptr arrivals = s->state + ARRIVALS_AT + number * sizeof(uint32_t);
    uint64_t pause = PAUSE_NS;
    void *parameters[] = {&records, &arrivals, &lanes, &pause};
    return DRIVER_CALL(&s->v.d, err, cuLaunchKernel, s->warps, blocks, 1, 1, WARP_THREADS * warps, 1, 1, 0, s->stream,
                       parameters, NULL);
}

static gcast_status launch_chain(child_session *s, uint32_t calls, uint32_t after, bool with_streams, gcast_error *err)
{
    CUdeviceptr streams = with_streams ? s->streams : 0;
    uint64_t hold = HOLD_NS;
    void *parameters[] = {&s->records, &s->state, &streams, &calls, &after, &hold};
    return DRIVER_CALL(&s->v.d, err, cuLaunchKernel, s->chain, 1, 1, 1, 1, 1, 1, 0, s->stream, parameters, NULL);
}

/* Waits for all kernels; polls, so that the limit applies. */
static gcast_status wait_for_kernels(child_session *s, gcast_error *err)
{
    const driver *d = &s->v.d;
    int64_t limit = s->options->limit_ns ? s->options->limit_ns : LIMIT_NS, end = clock_now_ns() + limit;
    for (CUresult result; (result = d->cuStreamQuery(s->stream)) != CUDA_SUCCESS; sched_yield()) {
        if (result != CUDA_ERROR_NOT_READY)
            return driver_status(d, result, "cuStreamQuery", err);
        if (clock_now_ns() > end) {
            s->abandoned = true;
            return gcast_error_set(err, GCAST_GPU, NULL, "a kernel that launches still runs after %lld ms; given up",
                                   (long long)(limit / 1000000));
        }
    }
    return GCAST_OK;
}

/* Waits for all kernels, and fetches what they wrote. */
static gcast_status fetch(child_session *s, size_t records, gcast_error *err)
{
    const driver *d = &s->v.d;
    gcast_status status = wait_for_kernels(s, err);
    if (status == GCAST_OK)
        status =
            DRIVER_CALL(d, err, cuMemcpyDtoHAsync, s->seen, s->records, records * sizeof(launch_record), s->stream);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuMemcpyDtoHAsync, &s->chain_seen, s->state, sizeof s->chain_seen, s->stream);
    return status == GCAST_OK ? DRIVER_CALL(d, err, cuStreamSynchronize, s->stream) : status;
}

static gcast_status measure_latency(child_session *s, observations *o, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (int i = 0; i < WARM_UP + ROUNDS && status == GCAST_OK; i++) {
        status = clear(s, CHILD_ROUND_RECORDS, err);
        for (unsigned k = 0; k < CHILD_LANE_COUNTS && status == GCAST_OK; k++)
            status = launch_warps(s, (1u << k) - 1, k, 1, 1, 1u << k, err);
        if (status == GCAST_OK)
            status = fetch(s, CHILD_ROUND_RECORDS, err);
        if (status == GCAST_OK && i >= WARM_UP)
            status = learn_child_latency(o, s->seen, err);
    }
    return status;
}

/* There is one block per SM, so all are resident and can launch at one time. */
static gcast_status measure_service(child_session *s, observations *o, gcast_error *err)
{
    unsigned blocks = (unsigned)min_int(s->v.gpu->sms, BURST_CHILDREN);
    unsigned warps = min_u32((BURST_CHILDREN + blocks - 1) / blocks, MAX_WARPS);
    uint32_t lanes = min_u32((BURST_CHILDREN + blocks * warps - 1) / (blocks * warps), WARP_THREADS);
    size_t children = (size_t)blocks * warps * lanes;
    gcast_status status = GCAST_OK;
    if (children > s->pool || children > MAX_RECORDS)
        return GCAST_OK;
    for (int i = 0; i < WARM_UP + BURSTS && status == GCAST_OK; i++) {
        status = clear(s, children, err);
        if (status == GCAST_OK)
            status = launch_warps(s, 0, 0, blocks, warps, lanes, err);
        if (status == GCAST_OK)
            status = fetch(s, children, err);
        if (status == GCAST_OK && i >= WARM_UP)
            status = learn_child_service(o, s->seen, children, err);
    }
    return status;
}

static gcast_status measure_pool(child_session *s, observations *o, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (int i = 0; i < CHAINS && s->pool <= MAX_POOL && status == GCAST_OK; i++) {
        size_t calls = s->pool + 1 + REFUSALS;
        status = clear(s, calls, err);
        if (status == GCAST_OK)
            status = launch_chain(s, (uint32_t)calls, REFUSALS, false, err);
        if (status == GCAST_OK)
            status = fetch(s, calls, err);
        if (status == GCAST_OK)
            status = learn_child_pool(o, s->seen, min_size(s->chain_seen.calls, calls), err);
    }
    return status;
}

static gcast_status measure_queues(child_session *s, observations *o, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (int i = 0; i < CHAINS && s->pool >= STREAMS && status == GCAST_OK; i++) {
        status = clear(s, STREAMS, err);
        if (status == GCAST_OK)
            status = launch_chain(s, STREAMS, 0, true, err);
        if (status == GCAST_OK)
            status = fetch(s, STREAMS, err);
        if (status == GCAST_OK && s->chain_seen.calls == STREAMS)
            status = learn_child_queues(o, s->seen, STREAMS, s->chain_seen.release_ns, err);
    }
    return status;
}

static gcast_status measure_all(child_session *s, observations *o, gcast_error *err)
{
    static gcast_status (*const parts[])(child_session *, observations *, gcast_error *) = {
        measure_latency, measure_service, measure_queues, measure_pool};
    const size_t count = sizeof parts / sizeof parts[0];
    gcast_status status = GCAST_OK;
    s->seen = calloc(MAX_RECORDS, sizeof *s->seen);
    if (!s->seen)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        if (s->options->progress && !s->options->progress(s->options->progress_data, (double)i / (double)count))
            return gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
        status = parts[i](s, o, err);
    }
    return status;
}

static gcast_status measure_on_gpu(child_session *s, observations *o, gcast_error *err)
{
    const char *library = devrt_find(s->options->cudadevrt);
    if (s->v.gpu->limits.cc_major < MIN_CC_MAJOR)
        return gcast_error_set(err, GCAST_GPU, NULL, "that needs compute capability %d.0 or newer", MIN_CC_MAJOR);
    if (!s->v.d.linking)
        return gcast_error_set(err, GCAST_GPU, NULL, "this driver cannot link");
    if (!library && s->options->cudadevrt)
        return gcast_error_set(err, GCAST_GPU, NULL, "%s cannot be read", s->options->cudadevrt);
    if (!library)
        return gcast_error_set(err, GCAST_GPU, NULL, "libcudadevrt.a was not found (--cudadevrt)");
    gcast_status status = session_open(s, library, err);
    return status == GCAST_OK ? measure_all(s, o, err) : status;
}

gcast_status child_runs_measure(observations *o, const gcast_measure_options *options, char *reason, gcast_error *err)
{
    gcast_error own;
    child_session s = {.options = options};
    reason[0] = '\0';
    gcast_status status = device_open(&s.v, options->library, 0, &own);
    if (status == GCAST_OK) {
        status = measure_on_gpu(&s, o, &own);
        session_close(&s);
    }
    if (status == GCAST_OK)
        return status;
    for (int id = GCAST_READ_CHILD_LAUNCH; id <= GCAST_READ_CHILD_QUEUES; id++)
        vec_free(&o->readings[id]);
    if (status != GCAST_GPU) {
        if (err)
            *err = own;
        return status;
    }
    snprintf(reason, CHILD_REASON_BYTES, "%s", own.message);
    return GCAST_OK;
}
