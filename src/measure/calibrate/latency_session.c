#define _GNU_SOURCE /* sched_getaffinity */

#include "measure/calibrate/latency_session.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/integers.h"
#include "measure/calibration.h"
#include "measure/driver/kernels.h"

#define NAP_NS 50000     /* between two looks of a thread that sleeps */
#define SETTLE_NS 500000 /* in which all threads see a change */
#define MAX_THREADS 1024
#define LIMIT_NS 60000000000 /* of one wait, where the caller sets none */

static void sleep_ns(long ns)
{
    nanosleep(&(struct timespec){0, ns}, NULL);
}

static void *load_thread(void *data)
{
    host_load *h = data;
    while (!h->ended)
        if (!h->spinning)
            sleep_ns(NAP_NS);
    return NULL;
}

/* The cores that the container's quota of processor time is worth, less one for other work; MAX_THREADS: it has no
 * quota. Threads beyond the quota would be stopped for milliseconds, which says nothing about the GPU. */
static int quota_cores(void)
{
    long long quota = 0, period = 0;
    FILE *in = fopen("/sys/fs/cgroup/cpu.max", "r");
    int read = in ? fscanf(in, "%lld %lld", &quota, &period) : 0;
    if (in)
        fclose(in);
    return read == 2 && quota > 0 && period > 0 ? (int)max_i64(min_i64(quota / period, MAX_THREADS) - 1, 1)
                                                : MAX_THREADS;
}

/* The cores that this process may use. */
static int usable_cores(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    int allowed = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)online;
    return min_int(allowed, quota_cores());
}

/* Starts the threads, which sleep at first. */
static gcast_status host_load_start(host_load *h, gcast_error *err)
{
    int wanted = min_int(usable_cores() - 1, MAX_THREADS);
    h->threads = calloc((size_t)max_int(wanted, 1), sizeof *h->threads);
    if (!h->threads)
        return gcast_error_set_memory(err);
    while (h->count < wanted) {
        if (pthread_create(&h->threads[h->count], NULL, load_thread, h) != 0)
            return gcast_error_set(err, GCAST_RESOURCE, NULL, "a thread that keeps the host busy cannot be made");
        h->count++;
    }
    return GCAST_OK;
}

/* Lets the threads spin or sleep, and waits until they do. */
static void host_load_set(host_load *h, bool spinning)
{
    if (h->spinning == spinning)
        return;
    h->spinning = spinning;
    sleep_ns(SETTLE_NS);
}

/* Ends the threads, if any were started. */
static void host_load_stop(host_load *h)
{
    h->ended = true;
    for (int i = 0; i < h->count; i++)
        pthread_join(h->threads[i], NULL);
    free(h->threads);
    h->threads = NULL;
    h->count = 0;
}

static gcast_status allocate(latency_session *s, gcast_error *err)
{
    gcast_status status = device_alloc(&s->v, &s->records, LATENCY_MAX_BATCH, sizeof(block_record), err);
    if (status == GCAST_OK)
        status = device_alloc(&s->v, &s->busy_records, (uint64_t)s->v.gpu->sms, sizeof(block_record), err);
    if (status == GCAST_OK)
        status = device_alloc(&s->v, &s->device_memory, LATENCY_LONG_BYTES, 1, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(&s->v.d, err, cuMemHostAlloc, &s->host_memory, LATENCY_LONG_BYTES, 0);
    if (status != GCAST_OK)
        return status;
    s->seen = calloc(LATENCY_MAX_BATCH, sizeof *s->seen);
    s->call_ns = calloc(LATENCY_MAX_BATCH, sizeof *s->call_ns);
    s->end_ns = calloc(LATENCY_MAX_BATCH, sizeof *s->end_ns);
    return s->seen && s->call_ns && s->end_ns ? GCAST_OK : gcast_error_set_memory(err);
}

gcast_status latency_session_open(latency_session *s, int sms, const gcast_measure_options *options, gcast_error *err)
{
    *s = (latency_session){.options = options, .copy_bytes = LATENCY_COPY_BYTES};
    gcast_op busy = gcast_op_default(GCAST_KIND_KERNEL);
    busy.body = GCAST_BODY_TIMER_SPIN;
    busy.carveout = GCAST_OP_CARVEOUT_MOST; /* as variant 0 has it: a change of carveout would make kernels wait */
    gcast_status status = device_open(&s->v, options->library, sms, err);
    if (status != GCAST_OK)
        return status;
    status = kernels_open(&s->k, &s->v, err);
    if (status != GCAST_OK) {
        device_close(&s->v);
        return status;
    }
    status = kernels_find(&s->k, &s->v, &busy, (kernel_needs){0}, &s->busy_variant, err);
    if (status == GCAST_OK)
        status = device_stream(&s->v, CU_STREAM_NON_BLOCKING, 0, &s->stream, err);
    if (status == GCAST_OK)
        status = device_stream(&s->v, CU_STREAM_NON_BLOCKING, 0, &s->busy_stream, err);
    if (status == GCAST_OK)
        status = allocate(s, err);
    if (status == GCAST_OK)
        status = host_load_start(&s->load, err);
    if (status != GCAST_OK)
        latency_session_close(s);
    return status;
}

static void free_on_gpu(latency_session *s)
{
    const driver *d = &s->v.d;
    d->cuCtxSynchronize();
    CUdeviceptr memory[] = {s->records, s->busy_records, s->device_memory};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        if (memory[i])
            d->cuMemFree(memory[i]);
    if (s->host_memory)
        d->cuMemFreeHost(s->host_memory);
    if (s->stream)
        d->cuStreamDestroy(s->stream);
    if (s->busy_stream)
        d->cuStreamDestroy(s->busy_stream);
    kernels_close(&s->k, &s->v);
    device_close(&s->v);
}

void latency_session_close(latency_session *s)
{
    host_load_stop(&s->load);
    free(s->seen);
    free(s->call_ns);
    free(s->end_ns);
    if (!s->abandoned) {
        free_on_gpu(s);
        return;
    }
    vec_free(&s->k.variants); /* everything on the GPU ends with the process */
    gcast_gpu_free(s->v.gpu);
}

/* Waits until a stream is idle; *seen_ns: when that was seen. */
static gcast_status latency_wait(latency_session *s, CUstream stream, int64_t *seen_ns, gcast_error *err)
{
    const driver *d = &s->v.d;
    int64_t limit = s->options->limit_ns ? s->options->limit_ns : LIMIT_NS, start = clock_now_ns();
    CUresult result;
    while ((result = d->cuStreamQuery(stream)) == CUDA_ERROR_NOT_READY)
        if (clock_now_ns() - start > limit) {
            s->abandoned = true;
            return gcast_error_set(err, GCAST_GPU, NULL, "a call whose latency is measured is not done after %lld ms",
                                   (long long)(limit / 1000000));
        }
    *seen_ns = clock_now_ns();
    return driver_status(d, result, "cuStreamQuery", err);
}

/* The latency of a launch is the time from the host's clock right before the driver's call to the first instruction of
 * the kernel's block, by the GPU's clock. Both clocks are aligned before and after the batch; in between, each end of
 * the interval that the alignment leaves open is taken as linear. The latency of a copy is the time from the call until
 * the host sees its end, less the time of the copy itself. */

#define SPIN_NS 200000    /* the end of a pause in which the thread reads the clock and does not sleep */
#define LEAD_NS 1000000   /* from the launch of the busy kernel to the first call */
#define MARGIN_NS 2000000 /* by which the busy kernel outlives the last call */
#define BUSY_THREADS 256  /* of a block of the busy kernel: an eighth of an SM */
#define CLOCK_STEP_NS 32  /* of the GPU's clock, which may be this much behind */
#define WARM_UP_CALLS 100 /* of each kind */

static gcast_status launch(const latency_session *s, size_t kernel, unsigned blocks, unsigned threads, CUstream stream,
                           CUdeviceptr records, int64_t duration_ns, gcast_error *err)
{
    CUdeviceptr durations = 0;
    uint64_t no_registers = 0;
    void *parameters[] = {&records, &durations, &duration_ns, &no_registers};
    return DRIVER_CALL(&s->v.d, err, cuLaunchKernel, s->k.variants.at[kernel].function, blocks, 1, 1, threads, 1, 1, 0,
                       stream, parameters, NULL);
}

static gcast_status call(const latency_session *s, gcast_call_kind kind, size_t i, gcast_error *err)
{
    const driver *d = &s->v.d;
    if (kind == GCAST_CALL_H2D)
        return DRIVER_CALL(d, err, cuMemcpyHtoDAsync, s->device_memory, s->host_memory, s->copy_bytes, s->stream);
    if (kind == GCAST_CALL_D2H)
        return DRIVER_CALL(d, err, cuMemcpyDtoHAsync, s->host_memory, s->device_memory, s->copy_bytes, s->stream);
    return launch(s, 0, 1, 1, s->stream, s->records + i * sizeof(block_record), 0, err);
}

/* Sleeps through a long pause, and spins through its end, as the callers of a session do. */
static void pause_until(int64_t due_ns)
{
    for (int64_t left; (left = due_ns - clock_now_ns()) > 0;)
        if (left > 2 * SPIN_NS)
            nanosleep(&(struct timespec){(left - SPIN_NS) / 1000000000, (left - SPIN_NS) % 1000000000}, NULL);
}

/* Makes the calls, one after another. */
static gcast_status call_all(latency_session *s, const gcast_latency_condition *c, size_t max_count, int64_t max_ns,
                             size_t *count, gcast_error *err)
{
    int64_t last_end = clock_now_ns(), stop = last_end + max_ns;
    gcast_status status = GCAST_OK;
    for (*count = 0; *count < max_count && status == GCAST_OK; ++*count) {
        if (*count && last_end + c->pause_ns > stop)
            break;
        pause_until(last_end + c->pause_ns);
        s->call_ns[*count] = clock_now_ns();
        status = call(s, c->call, *count, err);
        if (status == GCAST_OK)
            status = latency_wait(s, s->stream, &last_end, err);
        s->end_ns[*count] = last_end;
    }
    return status;
}

/* With a busy GPU, all SMs run one kernel that leaves room for others. It is alone in its stream, so that no call waits
 * behind a second one, whatever the number of connections. */
static gcast_status call_under_load(latency_session *s, const gcast_latency_condition *c, size_t max_count,
                                    int64_t max_ns, size_t *count, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    int64_t unused;
    host_load_set(&s->load, c->host_busy);
    if (c->gpu_busy) {
        status = launch(s, s->busy_variant, (unsigned)s->v.gpu->sms, BUSY_THREADS, s->busy_stream, s->busy_records,
                        LEAD_NS + max_ns + MARGIN_NS, err);
        pause_until(clock_now_ns() + LEAD_NS);
    }
    if (status == GCAST_OK)
        status = call_all(s, c, max_count, max_ns, count, err);
    host_load_set(&s->load, false);
    if (status == GCAST_OK && c->gpu_busy)
        status = latency_wait(s, s->busy_stream, &unused, err);
    return status;
}

/* The time on the host's clock at which the GPU's says `gpu_ns`, on the line through two points. */
static int64_t on_host(int64_t gpu_ns, int64_t gpu_0, int64_t host_0, int64_t gpu_1, int64_t host_1)
{
    if (gpu_1 <= gpu_0)
        return host_0 + (gpu_ns - gpu_0);
    return host_0 + (int64_t)((__int128)(gpu_ns - gpu_0) * (host_1 - host_0) / (gpu_1 - gpu_0));
}

static bool add_sample(latency_samples *out, int64_t min_ns, int64_t max_ns)
{
    min_ns = max_i64(min_ns, 0);
    out->min_ns = out->min_ns < 0 ? min_ns : min_i64(out->min_ns, min_ns);
    return vec_push(&out->longest_ns, max_i64(max_ns, 0));
}

static gcast_status add_launches(latency_session *s, size_t count, const alignment *a, const alignment *b,
                                 latency_samples *out, gcast_error *err)
{
    gcast_status status =
        DRIVER_CALL(&s->v.d, err, cuMemcpyDtoHAsync, s->seen, s->records, count * sizeof *s->seen, s->stream);
    if (status == GCAST_OK)
        status = DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, s->stream);
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        int64_t start = s->seen[i].start_ns;
        if (start == LOST_NS)
            return gcast_error_set(err, GCAST_GPU, NULL, "a launch whose latency is measured left no record");
        int64_t lo = on_host(start, a->gpu_ns, a->lo_ns, b->gpu_ns, b->lo_ns) - CLOCK_STEP_NS;
        int64_t hi = on_host(start, a->gpu_ns, a->hi_ns, b->gpu_ns, b->hi_ns) + CLOCK_STEP_NS;
        s->widest_ns = max_i64(s->widest_ns, hi - lo);
        if (!add_sample(out, lo - s->call_ns[i], hi - s->call_ns[i]))
            status = gcast_error_set_memory(err);
    }
    return status;
}

static gcast_status add_copies(const latency_session *s, gcast_call_kind kind, size_t count, latency_samples *out,
                               gcast_error *err)
{
    for (size_t i = 0; i < count; i++) {
        int64_t ns = s->end_ns[i] - s->call_ns[i] - s->copy_ns[kind - GCAST_CALL_H2D];
        if (!add_sample(out, ns, ns))
            return gcast_error_set_memory(err);
    }
    return GCAST_OK;
}

gcast_status latency_batch_time(latency_session *s, const gcast_latency_condition *c, size_t max_count, int64_t max_ns,
                                size_t *count, gcast_error *err)
{
    return call_under_load(s, c, min_size(max_count, LATENCY_MAX_BATCH), max_ns, count, err);
}

gcast_status latency_batch_run(latency_session *s, const gcast_latency_condition *c, size_t max_count, int64_t max_ns,
                               latency_samples *out, gcast_error *err)
{
    bool launches = c->call == GCAST_CALL_LAUNCH;
    size_t count = 0;
    alignment before, after;
    gcast_status status = launches ? DRIVER_CALL(&s->v.d, err, cuMemsetD8Async, s->records, 0xff,
                                                 LATENCY_MAX_BATCH * sizeof *s->seen, s->stream)
                                   : GCAST_OK;
    if (status == GCAST_OK && launches)
        status = align_clocks(&s->v, &s->k, s->stream, &before, err);
    if (status == GCAST_OK)
        status = call_under_load(s, c, min_size(max_count, LATENCY_MAX_BATCH), max_ns, &count, err);
    if (status != GCAST_OK || !launches)
        return status == GCAST_OK ? add_copies(s, c->call, count, out, err) : status;
    status = align_clocks(&s->v, &s->k, s->stream, &after, err);
    return status == GCAST_OK ? add_launches(s, count, &before, &after, out, err) : status;
}

gcast_status latency_warm_up(latency_session *s, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (gcast_call_kind kind = 0; kind < GCAST_CALLS && status == GCAST_OK; kind++) {
        size_t count;
        gcast_latency_condition c = {.call = kind, .gpu_busy = true};
        status = call_under_load(s, &c, WARM_UP_CALLS, LEAD_NS, &count, err);
    }
    return status;
}
