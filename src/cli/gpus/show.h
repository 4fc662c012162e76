/* One GPU in full, for gridcast gpus NAME. */
#ifndef CLI_GPUS_SHOW_H
#define CLI_GPUS_SHOW_H

#include "base/text/text.h"
#include "gridcast/gpu.h"

/* Every field with its value, where the value is from, and its meaning. */
void gpu_show(text *t, const gcast_gpu *gpu);

#endif
