/* Numbers and places that src/record/cupti.h and the headers of CUDA must have alike. Both sides list them in this
 * order: first these names, then the places of fields. */
#ifndef TESTS_RECORD_LAYOUT_H
#define TESTS_RECORD_LAYOUT_H

#include <stddef.h>

#define LAYOUT_NAMES(X)                                                                                                \
    X(CUPTI_SUCCESS)                                                                                                   \
    X(CUPTI_ERROR_MAX_LIMIT_REACHED)                                                                                   \
    X(CUPTI_ACTIVITY_KIND_MEMCPY)                                                                                      \
    X(CUPTI_ACTIVITY_KIND_MEMSET)                                                                                      \
    X(CUPTI_ACTIVITY_KIND_KERNEL)                                                                                      \
    X(CUPTI_ACTIVITY_KIND_DRIVER)                                                                                      \
    X(CUPTI_ACTIVITY_KIND_RUNTIME)                                                                                     \
    X(CUPTI_ACTIVITY_KIND_DEVICE)                                                                                      \
    X(CUPTI_ACTIVITY_KIND_CONTEXT)                                                                                     \
    X(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)                                                                           \
    X(CUPTI_ACTIVITY_KIND_MARKER)                                                                                      \
    X(CUPTI_ACTIVITY_KIND_OVERHEAD)                                                                                    \
    X(CUPTI_ACTIVITY_KIND_MEMCPY2)                                                                                     \
    X(CUPTI_ACTIVITY_KIND_CUDA_EVENT)                                                                                  \
    X(CUPTI_ACTIVITY_KIND_STREAM)                                                                                      \
    X(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)                                                                             \
    X(CUPTI_CB_DOMAIN_DRIVER_API)                                                                                      \
    X(CUPTI_CB_DOMAIN_RUNTIME_API)                                                                                     \
    X(CUPTI_CB_DOMAIN_RESOURCE)                                                                                        \
    X(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED)                                                                           \
    X(CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED)                                                                \
    X(CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_DESTROY_STARTING)                                                       \
    X(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED)                                                                           \
    X(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED)                                                                            \
    X(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx)                                                                        \
    X(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz)                                                                   \
    X(CUPTI_ACTIVITY_OBJECT_THREAD)                                                                                    \
    X(CUPTI_API_ENTER)                                                                                                 \
    X(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM)                                                                            \
    X(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED)                                                                                \
    X(CU_LAUNCH_ATTRIBUTE_COOPERATIVE)                                                                                 \
    X(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)                                                                           \
    X(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)                                                           \
    X(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT)                                                                          \
    X(CU_LAUNCH_ATTRIBUTE_PRIORITY)

extern const long layout_theirs[];
extern const size_t layout_their_count;

#endif
