/* Latency of a launch: from the host's clock right before the driver's call to the first instruction of the kernel's
 * block, by the GPU's clock. Both clocks are aligned before and after the batch; in between, each end of the interval
 * that the alignment leaves open is taken as linear. Latency of a copy: from the call until the host sees its end, less
 * what the copy itself takes. */
#include "measure/latency/latency_batch.h"

#include <time.h>

#include "base/clock.h"
#include "base/minmax.h"
#include "measure/latency/latency_session.h"
#include "measure/session/clock_offset.h"

#define SPIN_NS 200000    /* the end of a pause in which the thread reads the clock and does not sleep */
#define LEAD_NS 1000000   /* from the launch of the busy kernel to the first call */
#define MARGIN_NS 2000000 /* by which the busy kernel outlives the last call */
#define BUSY_THREADS 256  /* of a block of the busy kernel: an eighth of an SM */
#define CLOCK_STEP_NS 32  /* of the GPU's clock: what it says may be so much behind */
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

/* All SMs are busy with one kernel that leaves room for others. It is the only one of its stream, so that no call waits
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
