/* A GPU as a JSON object, in a file of its own or inside a workload. */
#ifndef FILES_GPU_JSON_H
#define FILES_GPU_JSON_H

#include <jansson.h>

#include "gridcast/gpu.h"

/* `path` is that of the object ("" at the top, "/gpu" in a workload), for errors. */
gcast_status gpu_from_json(json_t *object, const char *path, gcast_gpu **gpu, gcast_error *err);

/* Is it a key of gridcast.gpu/1? */
bool gpu_is_key(const char *key);

#endif
