/* What code that only accesses labels copies: bytes and labels, as often as the model says. */
#ifndef AMALTHEA_LOWER_GPU_COPIED_BYTES_H
#define AMALTHEA_LOWER_GPU_COPIED_BYTES_H

#include "amalthea/lower/state.h"

typedef struct byte_range {
    int64_t least, most;
} byte_range;

typedef struct copied_bytes {
    byte_range read, written;
    int64_t times; /* how often the most accessed label is, at most */
} copied_bytes;

/* Of a step of a task. Labels without a size have no bytes. */
gcast_status copied_bytes_find(lowering *l, size_t task, const raw_step *raw, copied_bytes *out);

#endif
