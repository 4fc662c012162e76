/* `sources` of gridcast.gpu/1: where numbers of a GPU are from. */
#ifndef FILES_GPU_SOURCES_H
#define FILES_GPU_SOURCES_H

#include "files/json/jansson.h"
#include "gridcast/gpu.h"

/* Reads them, if `object` has them. `path` is that of the object. */
gcast_status sources_read(const json_t *object, const char *path, gcast_gpu *gpu, gcast_error *err);

#endif
