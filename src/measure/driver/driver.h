/* The CUDA driver, opened at run time, so that one binary serves machines with and without it; and the GPU, opened by
 * it, with all of its SMs or a partition. */
#ifndef MEASURE_DRIVER_DRIVER_H
#define MEASURE_DRIVER_DRIVER_H

#include <stdbool.h>

#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "gridcast/workload.h"
#include "measure/driver/cuda.h"

/* X(name, the version suffix of the symbol, arguments) */
#define DRIVER_REQUIRED(X)                                                                                             \
    X(cuInit, "", (unsigned flags))                                                                                    \
    X(cuGetErrorName, "", (CUresult error, const char **name))                                                         \
    X(cuDeviceGet, "", (CUdevice * device, int ordinal))                                                               \
    X(cuDeviceGetName, "", (char *name, int size, CUdevice device))                                                    \
    X(cuDeviceGetAttribute, "", (int *value, int attribute, CUdevice device))                                          \
    X(cuDevicePrimaryCtxRetain, "", (CUcontext * context, CUdevice device))                                            \
    X(cuDevicePrimaryCtxRelease, "_v2", (CUdevice device))                                                             \
    X(cuCtxSetCurrent, "", (CUcontext context))                                                                        \
    X(cuCtxGetDevice, "", (CUdevice * device))                                                                         \
    X(cuCtxSynchronize, "", (void))                                                                                    \
    X(cuModuleLoadDataEx, "", (CUmodule * module, const void *image, unsigned n, int *options, void **values))         \
    X(cuModuleUnload, "", (CUmodule module))                                                                           \
    X(cuModuleGetFunction, "", (CUfunction * function, CUmodule module, const char *name))                             \
    X(cuModuleGetGlobal, "_v2", (CUdeviceptr * address, size_t * size, CUmodule module, const char *name))             \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, "", (int *blocks, CUfunction function, int threads, size_t shared)) \
    X(cuFuncGetAttribute, "", (int *value, int attribute, CUfunction function))                                        \
    X(cuFuncSetAttribute, "", (CUfunction function, int attribute, int value))                                         \
    X(cuStreamCreateWithPriority, "", (CUstream * stream, unsigned flags, int priority))                               \
    X(cuStreamDestroy, "_v2", (CUstream stream))                                                                       \
    X(cuStreamQuery, "", (CUstream stream))                                                                            \
    X(cuStreamSynchronize, "", (CUstream stream))                                                                      \
    X(cuLaunchKernel, "",                                                                                              \
      (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,     \
       unsigned block_z, unsigned shared, CUstream stream, void **parameters, void **extra))                           \
    X(cuLaunchCooperativeKernel, "",                                                                                   \
      (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,     \
       unsigned block_z, unsigned shared, CUstream stream, void **parameters))                                         \
    X(cuMemAlloc, "_v2", (CUdeviceptr * memory, size_t size))                                                          \
    X(cuMemFree, "_v2", (CUdeviceptr memory))                                                                          \
    X(cuMemHostAlloc, "", (void **memory, size_t size, unsigned flags))                                                \
    X(cuMemFreeHost, "", (void *memory))                                                                               \
    X(cuMemcpyHtoDAsync, "_v2", (CUdeviceptr target, const void *source, size_t size, CUstream stream))                \
    X(cuMemcpyDtoHAsync, "_v2", (void *target, CUdeviceptr source, size_t size, CUstream stream))                      \
    X(cuMemcpyDtoDAsync, "_v2", (CUdeviceptr target, CUdeviceptr source, size_t size, CUstream stream))                \
    X(cuMemsetD8Async, "", (CUdeviceptr target, unsigned char value, size_t size, CUstream stream))                    \
    X(cuEventCreate, "", (CUevent * event, unsigned flags))                                                            \
    X(cuEventDestroy, "_v2", (CUevent event))                                                                          \
    X(cuEventRecord, "", (CUevent event, CUstream stream))                                                             \
    X(cuStreamWaitEvent, "", (CUstream stream, CUevent event, unsigned flags))                                         \
    X(cuEventElapsedTime, "", (float *ms, CUevent start, CUevent end))

/* Partitions; drivers before CUDA 12.4 do not have them. */
#define DRIVER_OPTIONAL(X)                                                                                             \
    X(cuDeviceGetDevResource, "", (CUdevice device, CUdevResource * resource, int type))                               \
    X(cuDevSmResourceSplitByCount, "",                                                                                 \
      (CUdevResource * result, unsigned *groups, const CUdevResource *input, CUdevResource *remaining, unsigned flags, \
       unsigned min_count))                                                                                            \
    X(cuDevResourceGenerateDesc, "", (CUdevResourceDesc * description, CUdevResource * resources, unsigned count))     \
    X(cuGreenCtxCreate, "", (CUgreenCtx * context, CUdevResourceDesc description, CUdevice device, unsigned flags))    \
    X(cuGreenCtxDestroy, "", (CUgreenCtx context))                                                                     \
    X(cuCtxFromGreenCtx, "", (CUcontext * context, CUgreenCtx green))                                                  \
    X(cuGreenCtxStreamCreate, "", (CUstream * stream, CUgreenCtx green, unsigned flags, int priority))

/* Kernels that launch kernels: PTX linked with NVIDIA's device runtime. */
#define DRIVER_LINKING(X)                                                                                              \
    X(cuLinkCreate, "_v2", (unsigned n, int *options, void **values, CUlinkState *state))                              \
    X(cuLinkAddData, "_v2",                                                                                            \
      (CUlinkState state, int type, void *data, size_t size, const char *name, unsigned n, int *options,               \
       void **values))                                                                                                 \
    X(cuLinkAddFile, "_v2", (CUlinkState state, int type, const char *path, unsigned n, int *options, void **values))  \
    X(cuLinkComplete, "", (CUlinkState state, void **image, size_t *size))                                             \
    X(cuLinkDestroy, "", (CUlinkState state))                                                                          \
    X(cuCtxGetLimit, "", (size_t * value, int limit))

/* Launches with attributes; drivers before CUDA 11.8 do not have them. */
#define DRIVER_ATTRIBUTES(X)                                                                                           \
    X(cuLaunchKernelEx, "", (const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra))

/* Graphs; drivers before CUDA 12.0 do not have all of these. */
#define DRIVER_GRAPHS(X)                                                                                               \
    X(cuGraphCreate, "", (CUgraph * graph, unsigned flags))                                                            \
    X(cuGraphDestroy, "", (CUgraph graph))                                                                             \
    X(cuGraphAddKernelNode, "_v2",                                                                                     \
      (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t count, const CUkernelNode *kernel))         \
    X(cuGraphKernelNodeSetAttribute, "", (CUgraphNode node, int attribute, const CUlaunchAttributeValue *value))       \
    X(cuGraphAddMemcpyNode, "",                                                                                        \
      (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t count, const CUcopyNode *copy,              \
       CUcontext context))                                                                                             \
    X(cuGraphAddMemsetNode, "",                                                                                        \
      (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t count, const CUmemsetNode *set,             \
       CUcontext context))                                                                                             \
    X(cuGraphAddEventRecordNode, "",                                                                                   \
      (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t count, CUevent event))                      \
    X(cuGraphAddDependencies, "", (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count))       \
    X(cuGraphInstantiateWithFlags, "", (CUgraphExec * exec, CUgraph graph, unsigned long long flags))                  \
    X(cuGraphUpload, "", (CUgraphExec exec, CUstream stream))                                                          \
    X(cuGraphLaunch, "", (CUgraphExec exec, CUstream stream))                                                          \
    X(cuGraphExecDestroy, "", (CUgraphExec exec))

/* Edges with ports; drivers before CUDA 12.3 do not have them. */
#define DRIVER_PORTS(X)                                                                                                \
    X(cuGraphAddDependencies_v2, "",                                                                                   \
      (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *data, size_t count))

typedef struct driver {
    void *library;   /* of the loader; NULL: it is not open */
    bool partitions; /* all symbols of DRIVER_OPTIONAL are there */
    bool linking;    /* all symbols of DRIVER_LINKING are */
    bool attributes; /* all symbols of DRIVER_ATTRIBUTES are */
    bool graphs;     /* all symbols of DRIVER_GRAPHS are */
    bool ports;      /* all symbols of DRIVER_PORTS are */
#define X(name, version, arguments) CUresult(*name) arguments;
    DRIVER_REQUIRED(X) DRIVER_OPTIONAL(X) DRIVER_LINKING(X) DRIVER_ATTRIBUTES(X) DRIVER_GRAPHS(X) DRIVER_PORTS(X)
#undef X
} driver;

/* `library` is a path or a name that the loader finds. */
gcast_status driver_open(driver *d, const char *library, gcast_error *err);
void driver_close(driver *d);

/* GCAST_GPU with "NAME: CUDA_ERROR_..." unless result is CUDA_SUCCESS. */
gcast_status driver_status(const driver *d, CUresult result, const char *name, gcast_error *err);
#define DRIVER_CALL(d, err, name, ...) driver_status((d), (d)->name(__VA_ARGS__), #name, (err))

#define DRIVER_LOG_BYTES 4096 /* of a compiler's or linker's log */

/* Returns status, and adds the first line of a log to its error. */
gcast_status driver_log_error(char log[DRIVER_LOG_BYTES], gcast_status status, gcast_error *err);
/* Compiles PTX in the current context. An error has the first line of the compiler's log; *module is NULL then. */
gcast_status load_ptx(const driver *d, const char *ptx, CUmodule *module, gcast_error *err);

typedef struct device {
    driver d;          /* the calls */
    CUdevice handle;   /* of the GPU */
    CUcontext primary; /* its primary context */
    CUgreenCtx green;  /* the partition; NULL: all SMs */
    CUcontext context; /* of all calls: the partition's if there is one, else the primary one */
    gcast_gpu *gpu;    /* the GPU that was found, reduced to the partition */
} device;

/* Opens the GPU, or a partition of `sms` SMs (a green context); 0: all SMs. On failure nothing is left open. */
gcast_status device_open(device *v, const char *library, int sms, gcast_error *err);
void device_close(device *v);
/* Memory on the GPU; *memory is 0 on failure or for 0 bytes. */
gcast_status device_alloc(const device *v, CUdeviceptr *memory, uint64_t count, size_t size, gcast_error *err);
gcast_status device_stream(const device *v, unsigned flags, int priority, CUstream *stream, gcast_error *err);

#endif
