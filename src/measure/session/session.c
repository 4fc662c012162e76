#include "measure/session/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/index.h"
#include "model/workload/jobs.h"

#define SPARE_NS 10000000000
#define SPARE_TIMES 10
#define FREED_BYTES 256 /* what a free gives back */

static const gcast_op *spec(const session *s, size_t i)
{
    return &s->w->ops[s->ops[i].op];
}

gcast_status session_blame(const session *s, size_t op, gcast_status status, gcast_error *err)
{
    if (status != GCAST_OK && err && !err->path[0])
        gcast_workload_op_path(s->w, s->ops[op].op, err->path, sizeof err->path);
    return status;
}

static gcast_status alloc(session *s, CUdeviceptr *memory, uint64_t count, size_t size, gcast_error *err)
{
    size_t bytes;
    if (!checked_mul(count, size, &bytes))
        return gcast_error_set_memory(err);
    CUdeviceptr got = 0;
    gcast_status status = bytes ? DRIVER_CALL(&s->v.d, err, cuMemAlloc, &got, bytes) : GCAST_OK;
    *memory = status == GCAST_OK ? got : 0;
    return status;
}

static gcast_status make_streams(session *s, gcast_error *err)
{
    const gcast_workload *w = s->w;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < w->stream_count && status == GCAST_OK; i++)
        if (w->streams[i].id != 0)
            status = device_stream(&s->v, w->streams[i].blocking ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING,
                                   w->streams[i].priority, &s->streams[i], err);
    /* last, so that the workload's get the connections they would have alone */
    return status == GCAST_OK ? device_stream(&s->v, CU_STREAM_NON_BLOCKING, 0, &s->own, err) : status;
}

/* The longest a run may take, all blocks one after another; saturating. */
static int64_t default_limit(const session *s)
{
    unsigned __int128 sum = 0;
    for (size_t i = 0; i < s->op_count; i++) {
        const gcast_op *op = spec(s, i);
        if ((unsigned __int128)s->ops[i].release_ns > sum)
            sum = (unsigned __int128)s->ops[i].release_ns;
        sum += (unsigned __int128)op->delay_ns;
        for (uint64_t b = 0; op->block_ns && b < op->blocks; b++)
            sum += (unsigned __int128)op->block_ns[b];
        if (op->kind == GCAST_KIND_KERNEL && !op->block_ns)
            sum += (unsigned __int128)op->blocks * (unsigned __int128)op->max_ns;
    }
    return sum > (INT64_MAX / 2 - SPARE_NS) / SPARE_TIMES ? INT64_MAX / 2 : (int64_t)sum * SPARE_TIMES + SPARE_NS;
}

/* Durations of single blocks: those of an op once, however many jobs it has. */
static gcast_status make_durations(session *s, gcast_error *err)
{
    const gcast_workload *w = s->w;
    uint64_t total = 0, at = 0;
    for (size_t i = 0; i < w->op_count; i++)
        total += w->ops[i].block_ns ? w->ops[i].blocks : 0;
    gcast_status status = alloc(s, &s->durations, total, sizeof(int64_t), err);
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++) {
        const gcast_op *op = &w->ops[i];
        if (!op->block_ns)
            continue;
        CUdeviceptr to = s->durations + at * sizeof(int64_t);
        status = DRIVER_CALL(&s->v.d, err, cuMemcpyHtoDAsync, to, op->block_ns, op->blocks * sizeof(int64_t), s->own);
        for (size_t k = 0; k < s->op_count; k++)
            if (s->ops[k].op == i)
                s->at[k].durations = to;
        at += op->blocks;
    }
    return status == GCAST_OK ? DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, s->own) : status;
}

/* All copies share their memory: what is in it means nothing. */
static gcast_status make_copies(session *s, gcast_error *err)
{
    const driver *d = &s->v.d;
    int64_t most = 0;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->op_count && status == GCAST_OK; i++) {
        const gcast_op *op = spec(s, i);
        if (op->kind != GCAST_KIND_COPY && op->kind != GCAST_KIND_MEMSET)
            continue;
        most = op->bytes > most ? op->bytes : most;
        status = DRIVER_CALL(d, err, cuEventCreate, &s->at[i].before, CU_EVENT_DEFAULT);
        if (status == GCAST_OK)
            status = DRIVER_CALL(d, err, cuEventCreate, &s->at[i].after, CU_EVENT_DEFAULT);
    }
    if (!most || status != GCAST_OK)
        return status;
    for (size_t i = 0; i < STAMPS && status == GCAST_OK; i++)
        status = DRIVER_CALL(d, err, cuEventCreate, &s->stamp[i], CU_EVENT_DEFAULT);
    if (status == GCAST_OK)
        status = alloc(s, &s->device_from, (uint64_t)most, 1, err);
    if (status == GCAST_OK)
        status = alloc(s, &s->device_to, (uint64_t)most, 1, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuMemHostAlloc, &s->host_from, (size_t)most, 0);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuMemHostAlloc, &s->host_to, (size_t)most, 0);
    return status;
}

/* Barriers get numbers from 0, so that each has a place to count at. */
static gcast_status make_barriers(session *s, gcast_error *err)
{
    hash_index known = {0};
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->op_count && status == GCAST_OK; i++) {
        int barrier = spec(s, i)->barrier;
        size_t number = s->barrier_count;
        if (spec(s, i)->kind != GCAST_KIND_BARRIER)
            continue;
        uint64_t hash = index_hash(&barrier, sizeof barrier);
        for (index_probe p = index_start(&known, hash); index_next(&known, &p);)
            if (spec(s, p.value)->barrier == barrier)
                number = s->at[p.value].barrier;
        if (number == s->barrier_count && !index_add(&known, hash, (uint32_t)i))
            status = gcast_error_set_memory(err);
        s->barrier_count += number == s->barrier_count;
        s->barrier_ops[number]++;
        s->at[i].barrier = number;
    }
    index_free(&known);
    return status;
}

/* In the words of the simulator, where the driver would say "invalid value". */
static gcast_status launchable(const session *s, const gcast_op *op, gcast_error *err)
{
    gcast_occupancy occupancy;
    const gcast_gpu *gpu = s->v.gpu;
    gcast_status status = gcast_occupancy_compute(&gpu->limits, &op->shape, GCAST_CARVEOUT_DEFAULT, &occupancy, err);
    if (status == GCAST_OK && !occupancy.blocks_per_sm)
        status = gcast_error_set(err, GCAST_INPUT, NULL, "%s can never run on %s: %s", op->label, gpu->name,
                                 occupancy.reason);
    return status;
}

static gcast_status make_kernels(session *s, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->op_count && status == GCAST_OK; i++) {
        session_op *o = &s->at[i];
        if (spec(s, i)->kind != GCAST_KIND_KERNEL)
            continue;
        o->first_record = s->block_count;
        s->block_count += s->ops[i].block_count;
        status = launchable(s, spec(s, i), err);
        if (status == GCAST_OK)
            status = kernels_find(&s->k, &s->v, spec(s, i), &o->variant, err);
        session_blame(s, i, status, err);
    }
    if (status == GCAST_OK)
        status = kernels_share(&s->k, &s->v, err);
    if (status == GCAST_OK)
        status = alloc(s, &s->records, s->block_count, sizeof(block_record), err);
    if (status == GCAST_OK)
        status = alloc(s, &s->stamps, 2, sizeof(block_record), err);
    return status;
}

/* Every kernel and every copy once, so that nothing is loaded during the run, and
 * so that what the GPU refuses is refused now. */
static gcast_status warm_up(session *s, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->op_count && status == GCAST_OK; i++)
        if (gcast_kind_on_gpu(spec(s, i)->kind) && s->ops[i].job == 0)
            status = session_launch(s, i, true, err);
    return status == GCAST_OK ? driver_status(&s->v.d, s->v.d.cuCtxSynchronize(), "cuCtxSynchronize", err) : status;
}

gcast_status session_get(session *s, size_t op, uint64_t bytes, gcast_error *err)
{
    void *memory = NULL;
    if (!bytes)
        return GCAST_OK;
    if (!spec(s, op)->host_memory)
        return alloc(s, &s->at[op].memory, bytes, 1, err);
    gcast_status status = DRIVER_CALL(&s->v.d, err, cuMemHostAlloc, &memory, (size_t)bytes, 0);
    s->at[op].memory = status == GCAST_OK ? (CUdeviceptr)(uintptr_t)memory : 0;
    return status;
}

gcast_status session_give(session *s, size_t op, gcast_error *err)
{
    CUdeviceptr memory = s->at[op].memory;
    s->at[op].memory = 0;
    if (spec(s, op)->host_memory)
        return DRIVER_CALL(&s->v.d, err, cuMemFreeHost, (void *)(uintptr_t)memory);
    return DRIVER_CALL(&s->v.d, err, cuMemFree, memory);
}

gcast_status session_ready(session *s, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->op_count && status == GCAST_OK; i++)
        if (spec(s, i)->kind == GCAST_KIND_FREE && !s->at[i].memory)
            status = session_get(s, i, FREED_BYTES, err);
    if (s->block_count && status == GCAST_OK)
        status =
            DRIVER_CALL(&s->v.d, err, cuMemsetD8Async, s->records, 0xff, s->block_count * sizeof(block_record), s->own);
    return status == GCAST_OK ? DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, s->own) : status;
}

void session_tidy(session *s)
{
    for (size_t i = 0; i < s->op_count; i++)
        if (s->at[i].memory && spec(s, i)->kind == GCAST_KIND_MALLOC)
            session_give(s, i, NULL);
}

gcast_status session_open(session *s, const gcast_workload *w, const gcast_measure_options *options, gcast_error *err)
{
    *s = (session){.w = w, .options = options, .horizon_ns = options->horizon_ns};
    gcast_status status = jobs_horizon(w, &s->horizon_ns, err);
    if (status == GCAST_OK)
        status = jobs_expand(w, s->horizon_ns, &s->ops, &s->op_count, err);
    if (status != GCAST_OK)
        return status;
    s->limit_ns = options->limit_ns ? options->limit_ns : default_limit(s);
    s->at = calloc(s->op_count + 1, sizeof *s->at);
    s->streams = calloc(w->stream_count + 1, sizeof *s->streams);
    s->moved = calloc(w->stream_count + 1, sizeof *s->moved);
    s->barrier_ops = calloc(s->op_count + 1, sizeof *s->barrier_ops);
    status = s->at && s->streams && s->moved && s->barrier_ops ? GCAST_OK : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = device_open(&s->v, options->library, w->partition_sms, err);
    if (status == GCAST_OK)
        status = kernels_open(&s->k, &s->v, err);
    if (status == GCAST_OK)
        status = make_streams(s, err);
    if (status == GCAST_OK)
        status = make_kernels(s, err);
    if (status == GCAST_OK)
        status = make_barriers(s, err);
    if (status == GCAST_OK)
        status = make_durations(s, err);
    if (status == GCAST_OK)
        status = make_copies(s, err);
    if (status == GCAST_OK)
        status = warm_up(s, err);
    if (status != GCAST_OK)
        session_close(s);
    return status;
}

static void close_on_gpu(session *s)
{
    const driver *d = &s->v.d;
    d->cuCtxSynchronize();
    CUdeviceptr memory[] = {s->records, s->durations, s->stamps, s->device_from, s->device_to};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        if (memory[i])
            d->cuMemFree(memory[i]);
    if (s->host_from)
        d->cuMemFreeHost(s->host_from);
    if (s->host_to)
        d->cuMemFreeHost(s->host_to);
    for (size_t i = 0; i < s->op_count; i++) {
        if (s->at[i].before)
            d->cuEventDestroy(s->at[i].before);
        if (s->at[i].after)
            d->cuEventDestroy(s->at[i].after);
        if (s->at[i].memory)
            session_give(s, i, NULL);
    }
    for (size_t i = 0; i < STAMPS; i++)
        if (s->stamp[i])
            d->cuEventDestroy(s->stamp[i]);
    for (size_t i = 0; i < s->w->stream_count; i++)
        if (s->streams[i])
            d->cuStreamDestroy(s->streams[i]);
    if (s->own)
        d->cuStreamDestroy(s->own);
    kernels_close(&s->k, &s->v);
    device_close(&s->v);
}

void session_close(session *s)
{
    if (s->v.d.library && !s->abandoned)
        close_on_gpu(s);
    if (s->abandoned) { /* the rest ends with the process */
        vec_free(&s->k.variants);
        gcast_gpu_free(s->v.gpu);
    }
    free(s->ops);
    free(s->at);
    free(s->streams);
    free(s->moved);
    free(s->barrier_ops);
}
