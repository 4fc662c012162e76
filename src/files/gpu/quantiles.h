/* Latencies of calls, as they were measured, in the JSON of a GPU. */
#ifndef FILES_GPU_QUANTILES_H
#define FILES_GPU_QUANTILES_H

#include <jansson.h>

#include "gridcast/gpu.h"

/* Reads launch_quantiles and copy_quantiles of a GPU whose numbers have been read. `path` is that of the object. */
gcast_status quantiles_read(json_t *object, const char *path, gcast_gpu *gpu, gcast_error *err);

#endif
