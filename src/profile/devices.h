/* The GPUs of a profile. */
#ifndef PROFILE_DEVICES_H
#define PROFILE_DEVICES_H

#include "profile/trace.h"

/* The numbers of the GPUs on which something ran, ascending; at most `max` of them. Returns how many there are. */
size_t prof_devices(const prof_trace *t, int64_t *devices, size_t max);
/* What is told of a GPU; NULL: nothing. */
const prof_gpu *prof_gpu_of(const prof_trace *t, int64_t device);

#endif
