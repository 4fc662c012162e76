/* The GPU: found, opened, and if the workload asks for it reduced to a partition of its SMs (a green context). */
#ifndef MEASURE_DRIVER_DEVICE_H
#define MEASURE_DRIVER_DEVICE_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"
#include "measure/driver/driver.h"

typedef struct device {
    driver d;          /* the calls */
    CUdevice handle;   /* of the GPU */
    CUcontext primary; /* its primary context */
    CUgreenCtx green;  /* the partition; NULL: all SMs */
    CUcontext context; /* that calls use: of the partition if there is one */
    gcast_gpu *gpu;    /* what was found, reduced to the partition */
} device;

/* `sms` 0: all SMs. On failure nothing is left open. */
gcast_status device_open(device *v, const char *library, int sms, gcast_error *err);
void device_close(device *v);
/* Memory on the GPU; *memory is 0 where size is 0 or it fails. */
gcast_status device_alloc(const device *v, CUdeviceptr *memory, uint64_t count, size_t size, gcast_error *err);
gcast_status device_stream(const device *v, unsigned flags, int priority, CUstream *stream, gcast_error *err);

#endif
