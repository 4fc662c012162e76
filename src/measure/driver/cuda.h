/* The part of the CUDA driver's interface that measuring needs, so that no toolkit is needed to build. Names and values
 * are those of cuda.h. */
#ifndef MEASURE_DRIVER_CUDA_H
#define MEASURE_DRIVER_CUDA_H

#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUgreenCtx_st *CUgreenCtx;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUdevResourceDesc_st *CUdevResourceDesc;

/* 144 bytes up to CUDA 12; later drivers write more, hence `reserved`. */
typedef struct CUdevResource {
    int type;                    /* CUdevResourceType */
    unsigned char internal[92];  /* private to the driver */
    unsigned sm_count;           /* SMs of the partition */
    unsigned char external[44];  /* rest of the union in cuda.h */
    unsigned char reserved[112]; /* for drivers that write more */
} CUdevResource;

/* An attribute of a launch, or of a kernel in a graph. */
typedef union CUlaunchAttributeValue {
    char pad[64];
    int cooperative;
    struct {
        unsigned x, y, z;
    } cluster;
    int programmatic; /* the kernel may start when the one before it in its stream has triggered */
} CUlaunchAttributeValue;

typedef struct CUlaunchAttribute {
    int id;
    char pad[4];
    CUlaunchAttributeValue value;
} CUlaunchAttribute;

typedef struct CUlaunchConfig {
    unsigned grid[3], block[3], shared;
    CUstream stream;
    CUlaunchAttribute *attributes;
    unsigned attribute_count;
} CUlaunchConfig;

/* CUDA_KERNEL_NODE_PARAMS_v2 */
typedef struct CUkernelNode {
    CUfunction function;
    unsigned grid[3], block[3], shared;
    void **parameters, **extra;
    void *kernel; /* used only without a function */
    CUcontext context;
} CUkernelNode;

/* A side of a copy. */
typedef struct CUcopySide {
    size_t x, y, z, lod;
    int memory_type;
    const void *host;
    CUdeviceptr device;
    void *array, *reserved;
    size_t pitch, height;
} CUcopySide;

/* CUDA_MEMCPY3D_v2 */
typedef struct CUcopyNode {
    CUcopySide from, to;
    size_t width, height, depth;
} CUcopyNode;

/* CUDA_MEMSET_NODE_PARAMS_v1 */
typedef struct CUmemsetNode {
    CUdeviceptr target;
    size_t pitch;
    unsigned value, element_size;
    size_t width, height;
} CUmemsetNode;

typedef struct CUgraphEdgeData {
    unsigned char from_port, to_port, type, reserved[5];
} CUgraphEdgeData;

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
    CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
    CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
    CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
    CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC = 1,
    CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC = 1,
    CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER = 2,
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CU_JIT_INPUT_PTX = 1,
    CU_JIT_INPUT_LIBRARY = 4,
    CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4,
    CU_STREAM_DEFAULT = 0,
    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_DEFAULT = 0,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_DEV_RESOURCE_TYPE_SM = 1,
    CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING = 1,
    CU_GREEN_CTX_DEFAULT_STREAM = 1,
};

#endif
