/* The part of CUPTI's interface that recording needs, so that building needs no CUDA toolkit. Names and values are
 * those of cupti.h; records.h has the layouts of records. */
#ifndef RECORD_CUPTI_H
#define RECORD_CUPTI_H

#include <stddef.h>
#include <stdint.h>

typedef int CUptiResult;

enum { CUPTI_SUCCESS = 0, CUPTI_ERROR_MAX_LIMIT_REACHED = 12 };

enum { /* CUpti_ActivityKind */
       CUPTI_ACTIVITY_KIND_MEMCPY = 1,
       CUPTI_ACTIVITY_KIND_MEMSET = 2,
       CUPTI_ACTIVITY_KIND_KERNEL = 3,
       CUPTI_ACTIVITY_KIND_DRIVER = 4,
       CUPTI_ACTIVITY_KIND_RUNTIME = 5,
       CUPTI_ACTIVITY_KIND_DEVICE = 8,
       CUPTI_ACTIVITY_KIND_CONTEXT = 9,
       CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL = 10,
       CUPTI_ACTIVITY_KIND_MARKER = 12,
       CUPTI_ACTIVITY_KIND_OVERHEAD = 17,
       CUPTI_ACTIVITY_KIND_MEMCPY2 = 22,
       CUPTI_ACTIVITY_KIND_CUDA_EVENT = 36,
       CUPTI_ACTIVITY_KIND_STREAM = 37,
       CUPTI_ACTIVITY_KIND_SYNCHRONIZATION = 38,
};

enum { /* CUpti_CallbackDomain */
       CUPTI_CB_DOMAIN_DRIVER_API = 1,
       CUPTI_CB_DOMAIN_RUNTIME_API = 2,
       CUPTI_CB_DOMAIN_RESOURCE = 3,
};

enum { /* CUpti_CallbackIdResource */
       CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED = 13,
       CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED = 15,
       CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_DESTROY_STARTING = 16,
       CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED = 18,
       CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED = 20,
};

enum { /* CUpti_driver_api_trace_cbid */
       CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx = 652,
       CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz = 653,
};

enum { CUPTI_ACTIVITY_OBJECT_THREAD = 2 };
enum { CUPTI_API_ENTER = 0 };
enum { CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM = 1 };
enum { CUPTI_ACTIVITY_FLAG_FLUSH_FORCED = 1 };

/* CUpti_CallbackData */
typedef struct cupti_call {
    int site;                   /* CUPTI_API_ENTER, or the return */
    const char *function;       /* name of the function */
    const void *params;         /* its parameters, such as launch_params */
    void *result;               /* its result, valid when it returns */
    const char *symbol;         /* name of the kernel */
    void *context;              /* the current context */
    uint32_t context_id;        /* number of the context */
    uint64_t *correlation_data; /* the subscriber's data */
    uint32_t correlation;       /* correlation of the call */
} cupti_call;

/* CUpti_ResourceData */
typedef struct cupti_resource {
    void *context;
    void *stream;
    void *descriptor; /* a cupti_graph, for callbacks of graphs */
} cupti_resource;

/* CUpti_GraphData */
typedef struct cupti_graph {
    void *graph, *original_graph; /* the graph, and the one from which it was cloned */
    void *node, *original_node;   /* the node, and the one from which it was cloned */
    int node_type;                /* CUgraphNodeType */
    void *dependency;             /* of an edge: the node on which `node` depends */
    void *exec;                   /* the executable graph */
} cupti_graph;

/* CUlaunchAttribute; its value has the members that recording reads */
typedef struct launch_attribute {
    int id;
    char pad[4];
    union {
        char bytes[64];
        int number;
        uint32_t dims[3];
    } value;
} launch_attribute;

enum { /* CUlaunchAttributeID */
       CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
       CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
       CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
       CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
       CU_LAUNCH_ATTRIBUTE_PRIORITY = 8,
};

/* CUlaunchConfig */
typedef struct launch_config {
    uint32_t grid[3], block[3], smem;
    void *stream;
    const launch_attribute *attributes;
    uint32_t attribute_count;
} launch_config;

/* cuLaunchKernelEx_params */
typedef struct launch_params {
    const launch_config *config;
    void *function;
    void **params, **extra;
} launch_params;

typedef void cupti_requested(uint8_t **buffer, size_t *size, size_t *max_records);
typedef void cupti_completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid_size);
typedef void cupti_callback(void *data, int domain, uint32_t id, const void *of_domain);

/* Functions: name, parameters, is recording impossible without it? */
#define CUPTI_FUNCTION_TABLE(X)                                                                                        \
    X(cuptiGetVersion, (uint32_t * version), true)                                                                     \
    X(cuptiGetTimestamp, (uint64_t * ns), true)                                                                        \
    X(cuptiGetResultString, (CUptiResult result, const char **text), true)                                             \
    X(cuptiGetCallbackName, (int domain, uint32_t id, const char **name), true)                                        \
    X(cuptiActivityRegisterCallbacks, (cupti_requested *, cupti_completed *), true)                                    \
    X(cuptiActivityEnable, (int kind), true)                                                                           \
    X(cuptiActivityDisable, (int kind), true)                                                                          \
    X(cuptiActivityFlushAll, (uint32_t flag), true)                                                                    \
    X(cuptiActivityGetNextRecord, (uint8_t * buffer, size_t valid_size, const uint8_t **record), true)                 \
    X(cuptiActivityGetNumDroppedRecords, (void *context, uint32_t stream, size_t *dropped), true)                      \
    X(cuptiSetThreadIdType, (int type), false)                                                                         \
    X(cuptiSubscribe, (void **subscriber, cupti_callback *, void *data), false)                                        \
    X(cuptiUnsubscribe, (void *subscriber), false)                                                                     \
    X(cuptiEnableCallback, (uint32_t enable, void *subscriber, int domain, uint32_t id), false)                        \
    X(cuptiGetGraphNodeId, (void *node, uint64_t *id), false)                                                          \
    X(cuptiGetGraphId, (void *graph, uint32_t *id), false)                                                             \
    X(cuptiGetGraphExecId, (void *exec, uint32_t *id), false)

/* A libcupti that is open. Functions that are not needed may be NULL. */
typedef struct cupti {
    void *library;    /* handle of dlopen */
    uint32_t version; /* CUPTI_API_VERSION */
#define X(name, parameters, needed) CUptiResult(*name) parameters;
    CUPTI_FUNCTION_TABLE(X)
#undef X
} cupti;

/* CUPTI_API_VERSION by toolkit. */
enum {
    CUPTI_OF_11_0 = 13,
    CUPTI_OF_11_1 = 14,
    CUPTI_OF_11_6 = 17,
    CUPTI_OF_11_8 = 18,
    CUPTI_OF_12_5 = 23,
    CUPTI_OF_12_8 = 26,
    CUPTI_OF_13_2 = 130200,
    CUPTI_OLDEST = CUPTI_OF_11_0, /* the oldest version with known records */
    CUPTI_NEWEST = 130499,        /* the newest, of 13.4 */
};

#endif
