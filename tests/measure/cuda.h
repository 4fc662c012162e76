/* What examples/smc_launch.c uses of NVIDIA's cuda.h, so that it is compiled and run, against the stub, where there is
 * no toolkit. Names and values are NVIDIA's. */
#ifndef TESTS_CUDA_H
#define TESTS_CUDA_H

#include <stddef.h>

typedef enum { CUDA_SUCCESS = 0 } CUresult;
typedef enum { CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16 } CUdevice_attribute;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;

/* The symbols of these have versions. */
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemFree cuMemFree_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2

CUresult cuInit(unsigned flags);
CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuMemAlloc(CUdeviceptr *memory, size_t size);
CUresult cuMemFree(CUdeviceptr memory);
CUresult cuMemcpyHtoD(CUdeviceptr target, const void *source, size_t size);
CUresult cuMemcpyDtoH(void *target, CUdeviceptr source, size_t size);

#endif
