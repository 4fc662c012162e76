/* Which SMs share a GPC, in the JSON of a GPU. */
#ifndef FILES_GPU_GPC_LISTS_H
#define FILES_GPU_GPC_LISTS_H

#include <jansson.h>

#include "gridcast/gpu.h"

/* Reads gpcs of a GPU whose numbers have been read. `path` is that of the object. */
gcast_status gpc_lists_read(json_t *object, const char *path, gcast_gpu *gpu, gcast_error *err);

#endif
