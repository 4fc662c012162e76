#include "profile/kineto/kineto_event.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "profile/reading.h"

static bool has(const kineto_event *e, kineto_number n)
{
    return (e->given >> n & 1) != 0;
}

static int64_t number_or(const kineto_event *e, kineto_number n, int64_t otherwise)
{
    return has(e, n) ? e->number[n] : otherwise;
}

static const char *name_of(prof_trace *t, const kineto_event *e)
{
    return prof_trace_text(t, e->name, e->name_size);
}

/* Finds or adds the stream with this number on the GPU of the event; *stream is PROF_NONE for no stream. */
static bool stream_at(prof_trace *t, const kineto_event *e, int64_t number, uint32_t *stream)
{
    prof_stream key = {.device = number_or(e, KINETO_DEVICE, number_or(e, KINETO_PID, 0)),
                       .pid = PROF_UNKNOWN,
                       .context = number_or(e, KINETO_CONTEXT, PROF_UNKNOWN),
                       .number = id_or_unknown(number)};
    *stream = PROF_NONE;
    if (key.number == PROF_UNKNOWN)
        return true;
    if (!prof_get_stream(t, &key, stream))
        return false;
    int64_t priority = number_or(e, KINETO_PRIORITY, 1);
    if (priority <= 0 && priority >= -64) {
        key.priority_known = true;
        key.priority = (int)priority;
        prof_tell_stream(t, *stream, &key);
    }
    return true;
}

static int small_or_unknown(int64_t n)
{
    return n >= 0 && n <= INT32_MAX ? (int)n : PROF_UNKNOWN;
}

static bool set_dims(const int64_t from[3], uint32_t to[3])
{
    for (int i = 0; i < 3; i++) {
        if (from[i] < 1 || from[i] > INT32_MAX)
            return false;
        to[i] = (uint32_t)from[i];
    }
    return true;
}

/* CUPTI's number of the kind of copy in a name such as "Memcpy HtoD (Pinned -> Device)"; 0: unknown. */
static int64_t copy_kind_of(const char *name)
{
    static const char *const kinds[] = {NULL,   "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                                        "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
    for (size_t i = 1; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strstr(name, kinds[i]))
            return (int64_t)i;
    return 0;
}

static bool add_op(prof_trace *t, const kineto_event *e, gcast_kind kind, kineto_sum *sum)
{
    prof_op op = {.kind = kind,
                  .name = name_of(t, e),
                  .start_ns = e->number[KINETO_TS],
                  .end_ns = e->number[KINETO_TS] + number_or(e, KINETO_DUR, 0),
                  .correlation = number_or(e, KINETO_CORRELATION, PROF_UNKNOWN),
                  .registers = small_or_unknown(number_or(e, KINETO_REGISTERS, PROF_UNKNOWN)),
                  .static_smem = number_or(e, KINETO_SMEM, PROF_UNKNOWN),
                  .dynamic_smem = PROF_UNKNOWN,
                  .smem_executed = PROF_UNKNOWN,
                  .channel = small_or_unknown(number_or(e, KINETO_CHANNEL, PROF_UNKNOWN)),
                  .graph = number_or(e, KINETO_GRAPH, PROF_UNKNOWN),
                  .node = number_or(e, KINETO_NODE, PROF_UNKNOWN),
                  .bytes = number_or(e, KINETO_BYTES, PROF_UNKNOWN),
                  .direction = GCAST_DIRECTIONS};
    if (!op.name || !stream_at(t, e, number_or(e, KINETO_STREAM, number_or(e, KINETO_TID, 0)), &op.stream))
        return false;
    if (!has(e, KINETO_DEVICE) &&
        !prof_find(t, "{operation} without a device: the number of its row (pid) is used", op.name, 1))
        return false;
    if (op.stream == PROF_NONE)
        return prof_find(t, "{operation} without a stream: left out", op.name, 1);
    if (!has(e, KINETO_DUR))
        return prof_find(t, "{operation} without a duration: left out", op.name, 1);
    if (kind == GCAST_KIND_KERNEL && (!set_dims(e->grid, op.grid) || !set_dims(e->block, op.block))) {
        sum->bad_kernel = op.name;
        return true;
    }
    if (kind == GCAST_KIND_COPY) {
        prof_set_copy(&op, copy_kind_of(op.name));
        op.is_pageable = strstr(op.name, "Pageable") != NULL;
    }
    return prof_add_op(t, &op);
}

static bool add_call(prof_trace *t, const kineto_event *e)
{
    prof_call call = {.stream = PROF_NONE,
                      .name = name_of(t, e),
                      .start_ns = e->number[KINETO_TS],
                      .end_ns = e->number[KINETO_TS] + number_or(e, KINETO_DUR, 0),
                      .correlation = number_or(e, KINETO_CORRELATION, PROF_UNKNOWN),
                      .event = PROF_UNKNOWN};
    if (!call.name || !prof_get_thread(t, number_or(e, KINETO_PID, 0), number_or(e, KINETO_TID, 0), &call.thread))
        return false;
    call.kind = call_kind_of(call.name);
    return prof_add_call(t, &call);
}

/* CUPTI's record of a call that synchronizes: its stream, its event, and the call that recorded the event. */
static bool add_sync(prof_trace *t, const kineto_event *e)
{
    prof_call_told told = {.pid = PROF_UNKNOWN,
                           .correlation = number_or(e, KINETO_CORRELATION, PROF_UNKNOWN),
                           .event = id_or_unknown(number_or(e, KINETO_WAIT_EVENT, PROF_UNKNOWN)),
                           .record_correlation = id_or_unknown(number_or(e, KINETO_WAIT_RECORD, PROF_UNKNOWN))};
    return stream_at(t, e, number_or(e, KINETO_STREAM, PROF_UNKNOWN), &told.stream) &&
           stream_at(t, e, number_or(e, KINETO_WAIT_STREAM, PROF_UNKNOWN), &told.record_stream) &&
           prof_tell_call(t, &told);
}

static bool add_range(prof_trace *t, const kineto_event *e)
{
    prof_range range = {.name = name_of(t, e),
                        .start_ns = e->number[KINETO_TS],
                        .end_ns = e->number[KINETO_TS] + number_or(e, KINETO_DUR, 0)};
    if (!range.name || !prof_get_thread(t, number_or(e, KINETO_PID, 0), number_or(e, KINETO_TID, 0), &range.thread))
        return false;
    range.kind = strncmp(range.name, "ProfilerStep#", 13) == 0 ? PROF_RANGE_STEP : PROF_RANGE_USER;
    return prof_add_range(t, &range);
}

static bool name_thread(prof_trace *t, const kineto_event *e)
{
    uint32_t thread;
    if (!e->thread_name[0] || !has(e, KINETO_PID) || !has(e, KINETO_TID))
        return true;
    return prof_get_thread(t, e->number[KINETO_PID], e->number[KINETO_TID], &thread) &&
           prof_name_thread(t, thread, prof_trace_text(t, e->thread_name, strlen(e->thread_name)));
}

typedef enum { IS_NOTHING, IS_KERNEL, IS_COPY, IS_MEMSET, IS_CALL, IS_SYNC, IS_RANGE, IS_COUNTERS } event_kind;

/* Knows the names of categories of today and of 2021. */
static event_kind kind_of(const char *category)
{
    static const struct {
        const char *name;
        event_kind kind;
    } categories[] = {{"kernel", IS_KERNEL},
                      {"gpu_memcpy", IS_COPY},
                      {"memcpy", IS_COPY},
                      {"gpu_memset", IS_MEMSET},
                      {"memset", IS_MEMSET},
                      {"cuda_runtime", IS_CALL},
                      {"runtime", IS_CALL},
                      {"cuda_driver", IS_CALL},
                      {"cuda_sync", IS_SYNC},
                      {"user_annotation", IS_RANGE},
                      {"cuda_profiler_range", IS_COUNTERS}};
    for (size_t i = 0; i < sizeof categories / sizeof categories[0]; i++)
        if (strcasecmp(category, categories[i].name) == 0)
            return categories[i].kind;
    return IS_NOTHING;
}

static bool add_as(prof_trace *t, const kineto_event *e, event_kind kind, kineto_sum *sum)
{
    switch (kind) {
    case IS_KERNEL:
        return add_op(t, e, GCAST_KIND_KERNEL, sum);
    case IS_COPY:
        return add_op(t, e, GCAST_KIND_COPY, sum);
    case IS_MEMSET:
        return add_op(t, e, GCAST_KIND_MEMSET, sum);
    case IS_CALL:
        return add_call(t, e);
    case IS_SYNC:
        return add_sync(t, e);
    default:
        return add_range(t, e);
    }
}

bool kineto_add_event(prof_trace *t, const kineto_event *e, kineto_sum *sum)
{
    event_kind kind = kind_of(e->category);
    if (e->phase == 'M')
        return strcmp(e->name, "thread_name") != 0 || name_thread(t, e);
    if (e->phase == 'B' && kind != IS_NOTHING && kind != IS_RANGE)
        return prof_find(t, "{event} in two records, of its begin and its end (B and E): left out", e->name, 1);
    if (e->phase != 'X' || kind == IS_NOTHING)
        return true;
    if (kind == IS_COUNTERS) {
        sum->ranges_only++;
        return true;
    }
    if (!has(e, KINETO_TS))
        return prof_find(t, "{event} without a time: left out", e->name, 1);
    sum->fraction = sum->fraction || e->fraction;
    if (!sum->any || e->number[KINETO_TS] < sum->first_ns)
        sum->first_ns = e->number[KINETO_TS];
    sum->any = true;
    return add_as(t, e, kind, sum);
}

static int small(int64_t n)
{
    return n > 0 && n <= INT32_MAX ? (int)n : 0;
}

bool kineto_add_device(prof_trace *t, const kineto_device *d)
{
    prof_gpu gpu = {.device = d->number[KINETO_GPU_ID],
                    .sms = small(d->number[KINETO_GPU_SMS]),
                    .cc_major = small(d->number[KINETO_GPU_MAJOR]),
                    .cc_minor = small(d->number[KINETO_GPU_MINOR]),
                    .threads_per_sm = small(d->number[KINETO_GPU_THREADS]),
                    .registers_per_sm = d->number[KINETO_GPU_REGISTERS],
                    .smem_per_sm = d->number[KINETO_GPU_SMEM],
                    .smem_per_block = d->number[KINETO_GPU_SMEM_BLOCK],
                    .memory_bytes = d->number[KINETO_GPU_MEMORY]};
    if (d->name[0] && !(gpu.name = prof_trace_text(t, d->name, strlen(d->name))))
        return false;
    return prof_add_gpu(t, &gpu);
}
