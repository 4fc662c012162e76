/* The GPU: found, opened, and where the workload asks for it cut down to a
 * partition of its SMs (a green context). */
#ifndef MEASURE_DRIVER_DEVICE_H
#define MEASURE_DRIVER_DEVICE_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"
#include "measure/driver/driver.h"

typedef struct device {
    driver d;
    CUdevice handle;
    CUcontext primary;
    CUgreenCtx green;  /* NULL: the whole GPU */
    CUcontext context; /* what calls use: the green one where there is one */
    gcast_gpu *gpu;    /* what was found; a partition is already taken */
} device;

/* `sms` 0: the whole GPU. On failure nothing is left open. */
gcast_status device_open(device *v, const char *library, int sms, gcast_error *err);
void device_close(device *v);
gcast_status device_stream(const device *v, unsigned flags, int priority, CUstream *stream, gcast_error *err);

#endif
