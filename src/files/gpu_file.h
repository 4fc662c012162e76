/* A GPU as a JSON object, in a file of its own or inside a workload. */
#ifndef FILES_GPU_FILE_H
#define FILES_GPU_FILE_H

#include <jansson.h>

#include "files/document.h"
#include "gridcast/gpu.h"

/* Reads the object. `path` is its path ("" at the top, "/gpu" in a workload), for errors. */
gcast_status gpu_from_json(json_t *object, const char *path, gcast_gpu **gpu, gcast_error *err);

/* Reads the value of the key "gpu" of another file: the name of a preset, or an object. NULL after an error, which the
 * document keeps. */
gcast_gpu *gpu_from_node(const node *n);

#endif
