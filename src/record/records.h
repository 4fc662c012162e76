/* Layouts of CUPTI's activity records, with gridcast's own field names. Since CUDA 11.0 a new version of a record only
 * adds fields at its end (CUpti_ActivityKernel5 to 13, Memcpy3 to 7, ...), so one struct serves all versions. A comment
 * such as 11.1 says that the fields below it exist from that version on; they are not read in older ones. tests/record
 * compares the layouts with the headers of a toolkit, if there is one. */
#ifndef RECORD_RECORDS_H
#define RECORD_RECORDS_H

#include <stdint.h>

#define CUPTI_RECORD struct __attribute__((packed, aligned(8)))

typedef CUPTI_RECORD cupti_kernel
{
    uint32_t kind;
    uint8_t cache_config, smem_config;
    uint16_t registers;
    uint32_t cache_requested, cache_executed;
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3];
    int32_t static_smem, dynamic_smem;
    uint32_t local_per_thread, local_total;
    uint32_t correlation;
    int64_t grid_id;
    const char *name;
    void *reserved;
    uint64_t queued, submitted;
    uint8_t launch_type, is_carveout_requested, carveout_requested, padding;
    uint32_t smem_executed;
    uint64_t graph_node;
    uint32_t smem_limit_config;
    /* 11.1 */
    uint32_t graph;
    /* 11.2 */
    void *access_policy_window;
    /* 11.6 */
    uint32_t channel, channel_type;
    /* 11.8 */
    uint32_t cluster[3], cluster_policy;
}
cupti_kernel;

typedef CUPTI_RECORD cupti_memcpy
{
    uint32_t kind;
    uint8_t copy_kind, source, target, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream;
    uint32_t correlation, runtime_correlation, pad;
    void *reserved;
    uint64_t graph_node;
    /* 11.1 */
    uint32_t graph;
    /* 11.6 */
    uint32_t channel;
}
cupti_memcpy;

/* CUpti_ActivityMemcpyPtoP2 and later */
typedef CUPTI_RECORD cupti_peer_copy
{
    uint32_t kind;
    uint8_t copy_kind, source, target, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream;
    uint32_t source_device, source_context, target_device, target_context;
    uint32_t correlation;
    void *reserved;
    uint64_t graph_node;
    /* 11.1 */
    uint32_t graph;
    /* 11.6 */
    uint32_t channel;
}
cupti_peer_copy;

typedef CUPTI_RECORD cupti_memset
{
    uint32_t kind, value;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, correlation;
    uint16_t flags, memory;
    uint32_t pad;
    void *reserved;
    uint64_t graph_node;
    /* 11.1 */
    uint32_t graph;
    /* 11.6 */
    uint32_t channel;
}
cupti_memset;

typedef CUPTI_RECORD cupti_api
{
    uint32_t kind, id;
    uint64_t start, end;
    uint32_t process, thread, correlation, result;
}
cupti_api;

typedef CUPTI_RECORD cupti_event
{
    uint32_t kind, correlation, context, stream, event;
    /* 12.8 */
    uint32_t pad, device, pad2;
    void *reserved;
    uint64_t device_ns, sync_id;
}
cupti_event;

typedef CUPTI_RECORD cupti_sync
{
    uint32_t kind, type;
    uint64_t start, end;
    uint32_t correlation, context, stream, event;
    /* 12.8 */
    uint64_t sync_id;
    uint32_t result, pad;
}
cupti_sync;

typedef CUPTI_RECORD cupti_stream
{
    uint32_t kind, context, stream, priority, flag, correlation;
}
cupti_stream;

typedef CUPTI_RECORD cupti_context
{
    uint32_t kind, context, device;
    uint16_t api, null_stream;
    /* 12.5; from 13.2 on, green contexts have records of their own */
    uint32_t parent;
    uint8_t is_green, padding;
    uint16_t sms;
}
cupti_context;

typedef CUPTI_RECORD cupti_device
{
    uint32_t kind, flags;
    uint64_t bandwidth, memory;
    uint32_t constant_memory, l2, warp_threads, clock, copy_engines, sms, ipc, warps, blocks;
    uint32_t smem, registers, block_registers, block_smem, block_threads;
    uint32_t block_dims[3], grid_dims[3];
    uint32_t cc_major, cc_minor, device, ecc;
    uint8_t uuid[16];
    const char *name;
}
cupti_device;

typedef CUPTI_RECORD cupti_marker
{
    uint32_t kind, flags;
    uint64_t time;
    uint32_t id, object_kind;
    uint32_t process, thread, unused; /* if object_kind is CUPTI_ACTIVITY_OBJECT_THREAD */
    uint32_t pad;
    const char *name, *domain;
}
cupti_marker;

typedef CUPTI_RECORD cupti_overhead
{
    uint32_t kind, overhead, object_kind, object[3];
    uint64_t start, end;
}
cupti_overhead;

#endif
