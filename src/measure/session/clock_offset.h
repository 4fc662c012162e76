/* The GPU's clock relative to the host's. A kernel answers questions through pinned memory; the time that it gives lies
 * between question and answer. */
#ifndef MEASURE_SESSION_CLOCK_OFFSET_H
#define MEASURE_SESSION_CLOCK_OFFSET_H

#include "measure/driver/kernels.h"

typedef struct alignment {
    int64_t gpu_ns;       /* a time of the GPU's clock */
    int64_t lo_ns, hi_ns; /* times of the host's clock between which it lies */
} alignment;

/* The narrowest interval of many answers. The GPU must be idle. */
gcast_status align_clocks(const device *v, const kernels *k, CUstream stream, alignment *out, gcast_error *err);

#endif
