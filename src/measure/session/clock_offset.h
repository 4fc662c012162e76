/* Where the GPU's clock stands on the host's. A kernel answers questions through
 * pinned memory; the time it gives lies between the question and the answer. */
#ifndef MEASURE_SESSION_CLOCK_OFFSET_H
#define MEASURE_SESSION_CLOCK_OFFSET_H

#include "measure/driver/kernels.h"

typedef struct alignment {
    int64_t gpu_ns;         /* of the GPU's clock */
    int64_t from_ns, to_ns; /* of the host's: the GPU's time lies between */
} alignment;

/* The narrowest of many answers. The GPU must be idle. */
gcast_status align_clocks(const device *v, const kernels *k, CUstream stream, alignment *out, gcast_error *err);

#endif
