/* GPUs that other files name or contain. */
#ifndef FILES_GPU_LOAD_H
#define FILES_GPU_LOAD_H

#include "files/json/object.h"
#include "gridcast/gpu.h"

/* The GPU at the key "gpu" of a root: the name of a preset, or an object. NULL after an error, which the document
 * keeps. */
gcast_gpu *gpu_from_node(const node *n);

#endif
