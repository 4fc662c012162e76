#include "record/records.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/recorder.h"

/* For operations outside of graphs, CUPTI writes 0. */
static int64_t graph_or_unknown(int64_t number)
{
    return number ? number : RECORDED_UNKNOWN;
}

static int64_t text_or_unknown(uint32_t number)
{
    return number ? (int64_t)number : RECORDED_UNKNOWN;
}

/* Fields that all records of operations have, with the same names. */
#define PUT_OP(fields, s, r)                                                                                           \
    do {                                                                                                               \
        (fields)[OP_START] = (int64_t)(r)->start;                                                                      \
        (fields)[OP_END] = (int64_t)(r)->end;                                                                          \
        (fields)[OP_DEVICE] = (r)->device;                                                                             \
        (fields)[OP_CONTEXT] = (r)->context;                                                                           \
        (fields)[OP_STREAM] = (r)->stream;                                                                             \
        (fields)[OP_CORRELATION] = (r)->correlation;                                                                   \
        (fields)[OP_GRAPH] = (s)->cupti.version >= CUPTI_OF_11_1 ? graph_or_unknown((r)->graph) : RECORDED_UNKNOWN;    \
        (fields)[OP_NODE] = graph_or_unknown((int64_t)(r)->graph_node);                                                \
        (fields)[OP_CHANNEL] = (s)->cupti.version >= CUPTI_OF_11_6 ? (int64_t)(r)->channel : RECORDED_UNKNOWN;         \
    } while (0)

void take_kernel(recorder *s, const void *record)
{
    const cupti_kernel *r = record;
    uint32_t symbol = text_number(&s->texts, &s->file, r->name);
    bool clusters = s->cupti.version >= CUPTI_OF_11_8;
    int64_t f[KERNEL_COUNT] = {
        [KERNEL_NAME] = text_or_unknown(text_readable(&s->texts, &s->file, symbol)),
        [KERNEL_SYMBOL] = text_or_unknown(symbol),
        [KERNEL_GRID_X] = r->grid[0],
        [KERNEL_GRID_Y] = r->grid[1],
        [KERNEL_GRID_Z] = r->grid[2],
        [KERNEL_BLOCK_X] = r->block[0],
        [KERNEL_BLOCK_Y] = r->block[1],
        [KERNEL_BLOCK_Z] = r->block[2],
        [KERNEL_REGISTERS] = r->registers,
        [KERNEL_STATIC_SMEM] = r->static_smem,
        [KERNEL_DYNAMIC_SMEM] = r->dynamic_smem,
        [KERNEL_SMEM_EXECUTED] = r->smem_executed,
        [KERNEL_LAUNCH_TYPE] = r->launch_type,
        [KERNEL_CLUSTER_X] = clusters ? (int64_t)r->cluster[0] : RECORDED_UNKNOWN,
        [KERNEL_CLUSTER_Y] = clusters ? (int64_t)r->cluster[1] : RECORDED_UNKNOWN,
        [KERNEL_CLUSTER_Z] = clusters ? (int64_t)r->cluster[2] : RECORDED_UNKNOWN,
    };
    PUT_OP(f, s, r);
    raw_put(&s->file, RECORDED_KERNEL, f, KERNEL_COUNT, "", 0);
}

void take_copy(recorder *s, const void *record)
{
    const cupti_memcpy *r = record;
    int64_t f[COPY_COUNT] = {[COPY_BYTES] = (int64_t)r->bytes,
                             [COPY_COPY_KIND] = r->copy_kind,
                             [COPY_SOURCE] = r->source,
                             [COPY_TARGET] = r->target,
                             [COPY_SOURCE_DEVICE] = RECORDED_UNKNOWN,
                             [COPY_TARGET_DEVICE] = RECORDED_UNKNOWN};
    PUT_OP(f, s, r);
    raw_put(&s->file, RECORDED_COPY, f, COPY_COUNT, "", 0);
}

void take_peer_copy(recorder *s, const void *record)
{
    const cupti_peer_copy *r = record;
    int64_t f[COPY_COUNT] = {[COPY_BYTES] = (int64_t)r->bytes,
                             [COPY_COPY_KIND] = r->copy_kind,
                             [COPY_SOURCE] = r->source,
                             [COPY_TARGET] = r->target,
                             [COPY_SOURCE_DEVICE] = r->source_device,
                             [COPY_TARGET_DEVICE] = r->target_device};
    PUT_OP(f, s, r);
    raw_put(&s->file, RECORDED_COPY, f, COPY_COUNT, "", 0);
}

void take_memset(recorder *s, const void *record)
{
    const cupti_memset *r = record;
    int64_t f[MEMSET_COUNT] = {[MEMSET_BYTES] = (int64_t)r->bytes, [MEMSET_MEMORY] = r->memory};
    PUT_OP(f, s, r);
    raw_put(&s->file, RECORDED_MEMSET, f, MEMSET_COUNT, "", 0);
}

/* Puts the name of a thread when its first call is seen. The thread may have ended by then. */
static void tell_thread(recorder *s, uint32_t thread)
{
    char path[64], name[64];
    for (size_t i = s->thread_count; i-- > 0;) /* the newest is the most likely */
        if (s->threads[i] == thread)
            return;
    if (s->thread_count == MAX_THREADS)
        return;
    s->threads[s->thread_count++] = thread;
    snprintf(path, sizeof path, "/proc/self/task/%u/comm", thread);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? 0 : read(fd, name, sizeof name);
    if (fd >= 0)
        close(fd);
    if (size <= 0)
        return;
    size -= name[size - 1] == '\n';
    const int64_t f[THREAD_COUNT] = {[THREAD_THREAD] = thread};
    raw_put(&s->file, RECORDED_THREAD, f, THREAD_COUNT, name, (size_t)size);
}

static uint32_t call_name(recorder *s, int domain, uint32_t id)
{
    const char *name = NULL;
    uint32_t *known = id < MAX_CALL_NAMES ? &s->call_names[domain - 1][id] : NULL;
    if (known && *known)
        return *known;
    if (s->cupti.cuptiGetCallbackName(domain, id, &name) != CUPTI_SUCCESS)
        name = NULL;
    uint32_t number = text_number(&s->texts, &s->file, name);
    if (known)
        *known = number;
    return number;
}

void take_call(recorder *s, const void *record)
{
    const cupti_api *r = record;
    int domain = r->kind == CUPTI_ACTIVITY_KIND_DRIVER ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
    tell_thread(s, r->thread);
    const int64_t f[CALL_COUNT] = {[CALL_START] = (int64_t)r->start,
                                   [CALL_END] = (int64_t)r->end,
                                   [CALL_THREAD] = r->thread,
                                   [CALL_CORRELATION] = r->correlation,
                                   [CALL_NAME] = text_or_unknown(call_name(s, domain, r->id)),
                                   [CALL_DOMAIN] = domain,
                                   [CALL_RESULT] = r->result};
    raw_put(&s->file, RECORDED_CALL, f, CALL_COUNT, "", 0);
}

/* If a field does not apply, CUPTI writes all ones. */
static int64_t id_or_unknown(uint64_t id)
{
    return id == UINT32_MAX || id > INT64_MAX ? RECORDED_UNKNOWN : (int64_t)id;
}

void take_event(recorder *s, const void *record)
{
    const cupti_event *r = record;
    bool new = s->cupti.version >= CUPTI_OF_12_8;
    const int64_t f[EVENT_COUNT] = {[EVENT_CONTEXT] = r->context,
                                    [EVENT_STREAM] = r->stream,
                                    [EVENT_CORRELATION] = r->correlation,
                                    [EVENT_EVENT] = id_or_unknown(r->event),
                                    [EVENT_RECORD] = new ? id_or_unknown(r->sync_id) : RECORDED_UNKNOWN,
                                    [EVENT_DEVICE] = new ? id_or_unknown(r->device) : RECORDED_UNKNOWN};
    raw_put(&s->file, RECORDED_EVENT, f, EVENT_COUNT, "", 0);
}

void take_sync(recorder *s, const void *record)
{
    const cupti_sync *r = record;
    bool new = s->cupti.version >= CUPTI_OF_12_8;
    const int64_t f[SYNC_COUNT] = {[SYNC_TYPE] = r->type,
                                   [SYNC_START] = (int64_t)r->start,
                                   [SYNC_END] = (int64_t)r->end,
                                   [SYNC_CONTEXT] = r->context,
                                   [SYNC_STREAM] = id_or_unknown(r->stream),
                                   [SYNC_CORRELATION] = r->correlation,
                                   [SYNC_EVENT] = id_or_unknown(r->event),
                                   [SYNC_RECORD] = new ? id_or_unknown(r->sync_id) : RECORDED_UNKNOWN};
    raw_put(&s->file, RECORDED_SYNC, f, SYNC_COUNT, "", 0);
}

void take_stream(recorder *s, const void *record)
{
    const cupti_stream *r = record;
    const int64_t f[STREAM_COUNT] = {[STREAM_CONTEXT] = r->context,
                                     [STREAM_STREAM] = r->stream,
                                     [STREAM_PRIORITY] = (int32_t)r->priority,
                                     [STREAM_FLAG] = r->flag};
    raw_put(&s->file, RECORDED_STREAM, f, STREAM_COUNT, "", 0);
}

void take_context(recorder *s, const void *record)
{
    const cupti_context *r = record;
    bool green = s->cupti.version >= CUPTI_OF_12_5 && r->is_green;
    const int64_t f[CONTEXT_COUNT] = {[CONTEXT_CONTEXT] = r->context,
                                      [CONTEXT_DEVICE] = r->device,
                                      [CONTEXT_NULL_STREAM] = r->null_stream,
                                      [CONTEXT_GREEN] = green,
                                      [CONTEXT_SMS] = green ? r->sms : RECORDED_UNKNOWN};
    raw_put(&s->file, RECORDED_CONTEXT, f, CONTEXT_COUNT, "", 0);
}

void take_device(recorder *s, const void *record)
{
    const cupti_device *r = record;
    const char *name = r->name ? r->name : "";
    const int64_t f[DEVICE_COUNT] = {[DEVICE_DEVICE] = r->device,
                                     [DEVICE_SMS] = r->sms,
                                     [DEVICE_CC_MAJOR] = r->cc_major,
                                     [DEVICE_CC_MINOR] = r->cc_minor,
                                     [DEVICE_WARP_THREADS] = r->warp_threads,
                                     [DEVICE_WARPS] = r->warps,
                                     [DEVICE_BLOCKS] = r->blocks,
                                     [DEVICE_REGISTERS] = r->registers,
                                     [DEVICE_SMEM] = r->smem,
                                     [DEVICE_BLOCK_SMEM] = r->block_smem,
                                     [DEVICE_MEMORY] = (int64_t)r->memory};
    raw_put(&s->file, RECORDED_DEVICE, f, DEVICE_COUNT, name, strlen(name));
}

void take_marker(recorder *s, const void *record)
{
    const cupti_marker *r = record;
    bool of_thread = r->object_kind == CUPTI_ACTIVITY_OBJECT_THREAD;
    const int64_t f[MARKER_COUNT] = {[MARKER_FLAGS] = r->flags,
                                     [MARKER_TIME] = (int64_t)r->time,
                                     [MARKER_ID] = r->id,
                                     [MARKER_THREAD] = of_thread ? (int64_t)r->thread : RECORDED_UNKNOWN,
                                     [MARKER_NAME] = text_or_unknown(text_number(&s->texts, &s->file, r->name))};
    raw_put(&s->file, RECORDED_MARKER, f, MARKER_COUNT, "", 0);
}

void take_overhead(recorder *s, const void *record)
{
    const cupti_overhead *r = record;
    const int64_t f[OVERHEAD_COUNT] = {
        [OVERHEAD_KIND] = r->overhead, [OVERHEAD_START] = (int64_t)r->start, [OVERHEAD_END] = (int64_t)r->end};
    raw_put(&s->file, RECORDED_OVERHEAD, f, OVERHEAD_COUNT, "", 0);
}
