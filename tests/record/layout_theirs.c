/* The headers of a CUDA toolkit of 12.0 or later, where there is one, against src/record/records.h: places and sizes of
 * all fields that are read, checked while this is compiled. And the numbers that layout_own.c compares. */
#include <cuda.h>
#include <cupti.h>

#include "record/layout.h"
#include "record/records.h"

#if CUPTI_API_VERSION < 19 /* has no records of these versions */
const long layout_theirs[] = {0};
const size_t layout_their_count = 0;
#else

#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 their_kernel;
#else
typedef CUpti_ActivityKernel9 their_kernel;
#endif
#if CUPTI_API_VERSION >= 26
typedef CUpti_ActivityMemcpy6 their_memcpy;
typedef CUpti_ActivityCudaEvent2 their_event;
typedef CUpti_ActivitySynchronization2 their_sync;
#else
typedef CUpti_ActivityMemcpy5 their_memcpy;
typedef CUpti_ActivityCudaEvent their_event;
typedef CUpti_ActivitySynchronization their_sync;
#endif

/* Of arrays, the first element. */
#define SAME(own, field, theirs, member)                                                                               \
    _Static_assert(offsetof(own, field) == offsetof(theirs, member), #theirs "." #member);                             \
    _Static_assert(sizeof(((own *)0)->field) == sizeof(((theirs *)0)->member), "size of " #theirs "." #member)

SAME(cupti_kernel, registers, their_kernel, registersPerThread);
SAME(cupti_kernel, start, their_kernel, start);
SAME(cupti_kernel, end, their_kernel, end);
SAME(cupti_kernel, device, their_kernel, deviceId);
SAME(cupti_kernel, context, their_kernel, contextId);
SAME(cupti_kernel, stream, their_kernel, streamId);
SAME(cupti_kernel, grid[0], their_kernel, gridX);
SAME(cupti_kernel, grid[2], their_kernel, gridZ);
SAME(cupti_kernel, block[0], their_kernel, blockX);
SAME(cupti_kernel, block[2], their_kernel, blockZ);
SAME(cupti_kernel, static_smem, their_kernel, staticSharedMemory);
SAME(cupti_kernel, dynamic_smem, their_kernel, dynamicSharedMemory);
SAME(cupti_kernel, correlation, their_kernel, correlationId);
SAME(cupti_kernel, name, their_kernel, name);
SAME(cupti_kernel, launch_type, their_kernel, launchType);
SAME(cupti_kernel, smem_executed, their_kernel, sharedMemoryExecuted);
SAME(cupti_kernel, graph_node, their_kernel, graphNodeId);
SAME(cupti_kernel, graph, their_kernel, graphId);
SAME(cupti_kernel, channel, their_kernel, channelID);
SAME(cupti_kernel, cluster[0], their_kernel, clusterX);
SAME(cupti_kernel, cluster[2], their_kernel, clusterZ);

SAME(cupti_memcpy, copy_kind, their_memcpy, copyKind);
SAME(cupti_memcpy, source, their_memcpy, srcKind);
SAME(cupti_memcpy, target, their_memcpy, dstKind);
SAME(cupti_memcpy, bytes, their_memcpy, bytes);
SAME(cupti_memcpy, start, their_memcpy, start);
SAME(cupti_memcpy, end, their_memcpy, end);
SAME(cupti_memcpy, device, their_memcpy, deviceId);
SAME(cupti_memcpy, context, their_memcpy, contextId);
SAME(cupti_memcpy, stream, their_memcpy, streamId);
SAME(cupti_memcpy, correlation, their_memcpy, correlationId);
SAME(cupti_memcpy, graph_node, their_memcpy, graphNodeId);
SAME(cupti_memcpy, graph, their_memcpy, graphId);
SAME(cupti_memcpy, channel, their_memcpy, channelID);

SAME(cupti_peer_copy, copy_kind, CUpti_ActivityMemcpyPtoP4, copyKind);
SAME(cupti_peer_copy, bytes, CUpti_ActivityMemcpyPtoP4, bytes);
SAME(cupti_peer_copy, start, CUpti_ActivityMemcpyPtoP4, start);
SAME(cupti_peer_copy, end, CUpti_ActivityMemcpyPtoP4, end);
SAME(cupti_peer_copy, stream, CUpti_ActivityMemcpyPtoP4, streamId);
SAME(cupti_peer_copy, source_device, CUpti_ActivityMemcpyPtoP4, srcDeviceId);
SAME(cupti_peer_copy, target_device, CUpti_ActivityMemcpyPtoP4, dstDeviceId);
SAME(cupti_peer_copy, correlation, CUpti_ActivityMemcpyPtoP4, correlationId);
SAME(cupti_peer_copy, graph_node, CUpti_ActivityMemcpyPtoP4, graphNodeId);
SAME(cupti_peer_copy, graph, CUpti_ActivityMemcpyPtoP4, graphId);
SAME(cupti_peer_copy, channel, CUpti_ActivityMemcpyPtoP4, channelID);

SAME(cupti_memset, bytes, CUpti_ActivityMemset4, bytes);
SAME(cupti_memset, start, CUpti_ActivityMemset4, start);
SAME(cupti_memset, end, CUpti_ActivityMemset4, end);
SAME(cupti_memset, stream, CUpti_ActivityMemset4, streamId);
SAME(cupti_memset, correlation, CUpti_ActivityMemset4, correlationId);
SAME(cupti_memset, memory, CUpti_ActivityMemset4, memoryKind);
SAME(cupti_memset, graph_node, CUpti_ActivityMemset4, graphNodeId);
SAME(cupti_memset, graph, CUpti_ActivityMemset4, graphId);
SAME(cupti_memset, channel, CUpti_ActivityMemset4, channelID);

SAME(cupti_api, id, CUpti_ActivityAPI, cbid);
SAME(cupti_api, start, CUpti_ActivityAPI, start);
SAME(cupti_api, end, CUpti_ActivityAPI, end);
SAME(cupti_api, thread, CUpti_ActivityAPI, threadId);
SAME(cupti_api, correlation, CUpti_ActivityAPI, correlationId);
SAME(cupti_api, result, CUpti_ActivityAPI, returnValue);

SAME(cupti_event, correlation, their_event, correlationId);
SAME(cupti_event, context, their_event, contextId);
SAME(cupti_event, stream, their_event, streamId);
SAME(cupti_event, event, their_event, eventId);
SAME(cupti_sync, type, their_sync, type);
SAME(cupti_sync, start, their_sync, start);
SAME(cupti_sync, end, their_sync, end);
SAME(cupti_sync, correlation, their_sync, correlationId);
SAME(cupti_sync, context, their_sync, contextId);
SAME(cupti_sync, stream, their_sync, streamId);
SAME(cupti_sync, event, their_sync, cudaEventId);
#if CUPTI_API_VERSION >= 26
SAME(cupti_event, device, their_event, deviceId);
SAME(cupti_event, sync_id, their_event, cudaEventSyncId);
SAME(cupti_sync, sync_id, their_sync, cudaEventSyncId);
SAME(cupti_context, is_green, CUpti_ActivityContext3, isGreenContext);
SAME(cupti_context, sms, CUpti_ActivityContext3, numMultiprocessors);
#endif
SAME(cupti_context, context, CUpti_ActivityContext, contextId);
SAME(cupti_context, device, CUpti_ActivityContext, deviceId);
SAME(cupti_context, null_stream, CUpti_ActivityContext, nullStreamId);

SAME(cupti_stream, context, CUpti_ActivityStream, contextId);
SAME(cupti_stream, stream, CUpti_ActivityStream, streamId);
SAME(cupti_stream, priority, CUpti_ActivityStream, priority);
SAME(cupti_stream, flag, CUpti_ActivityStream, flag);

SAME(cupti_device, memory, CUpti_ActivityDevice4, globalMemorySize);
SAME(cupti_device, warp_threads, CUpti_ActivityDevice4, numThreadsPerWarp);
SAME(cupti_device, sms, CUpti_ActivityDevice4, numMultiprocessors);
SAME(cupti_device, warps, CUpti_ActivityDevice4, maxWarpsPerMultiprocessor);
SAME(cupti_device, blocks, CUpti_ActivityDevice4, maxBlocksPerMultiprocessor);
SAME(cupti_device, smem, CUpti_ActivityDevice4, maxSharedMemoryPerMultiprocessor);
SAME(cupti_device, registers, CUpti_ActivityDevice4, maxRegistersPerMultiprocessor);
SAME(cupti_device, block_smem, CUpti_ActivityDevice4, maxSharedMemoryPerBlock);
SAME(cupti_device, cc_major, CUpti_ActivityDevice4, computeCapabilityMajor);
SAME(cupti_device, cc_minor, CUpti_ActivityDevice4, computeCapabilityMinor);
SAME(cupti_device, device, CUpti_ActivityDevice4, id);
SAME(cupti_device, name, CUpti_ActivityDevice4, name);

SAME(cupti_marker, flags, CUpti_ActivityMarker2, flags);
SAME(cupti_marker, time, CUpti_ActivityMarker2, timestamp);
SAME(cupti_marker, id, CUpti_ActivityMarker2, id);
SAME(cupti_marker, object_kind, CUpti_ActivityMarker2, objectKind);
SAME(cupti_marker, thread, CUpti_ActivityMarker2, objectId.pt.threadId);
SAME(cupti_marker, name, CUpti_ActivityMarker2, name);
SAME(cupti_overhead, overhead, CUpti_ActivityOverhead, overheadKind);
SAME(cupti_overhead, start, CUpti_ActivityOverhead, start);
SAME(cupti_overhead, end, CUpti_ActivityOverhead, end);

#define PLACE(type, field) (long)offsetof(type, field)
const long layout_theirs[] = {
#define X(name) (long)(name),
    LAYOUT_NAMES(X)
#undef X
        PLACE(CUpti_CallbackData, callbackSite),
    PLACE(CUpti_CallbackData, functionParams),
    PLACE(CUpti_CallbackData, correlationId),
    PLACE(CUpti_ResourceData, resourceDescriptor),
    PLACE(CUpti_GraphData, graph),
    PLACE(CUpti_GraphData, originalGraph),
    PLACE(CUpti_GraphData, node),
    PLACE(CUpti_GraphData, originalNode),
    PLACE(CUpti_GraphData, nodeType),
    PLACE(CUpti_GraphData, dependency),
    PLACE(CUpti_GraphData, graphExec),
    PLACE(CUlaunchConfig, attrs),
    PLACE(CUlaunchConfig, numAttrs),
    sizeof(CUlaunchAttribute),
    PLACE(CUlaunchAttribute, id),
    PLACE(CUlaunchAttribute, value.cooperative),
    PLACE(CUlaunchAttribute, value.clusterDim.z),
    PLACE(CUlaunchAttribute, value.programmaticStreamSerializationAllowed),
    PLACE(CUlaunchAttribute, value.priority),
    PLACE(cuLaunchKernelEx_params, config),
};
const size_t layout_their_count = sizeof layout_theirs / sizeof layout_theirs[0];
#endif
