/* The GPU of a profile, found among the presets by its name. */
#ifndef PROFILE_PROFILE_GPUS_H
#define PROFILE_PROFILE_GPUS_H

#include "gridcast/gpu.h"
#include "profile/trace.h"

/* Chooses the GPU of a workload that is made of the profile: *gpu where the caller gives one, else *gpu becomes that of
 * the profile, of which *partition_sms SMs are used (0: all). *recorded_on: the GPU of the profile; NULL: not known.
 * `device`: its number in the profile, or PROF_UNKNOWN. The caller frees both, also on failure. GCAST_INPUT: there is
 * none, there are several, or it is not by NVIDIA. */
gcast_status profile_gpus_choose(const prof_trace *t, int64_t device, gcast_gpu **gpu, gcast_gpu **recorded_on,
                                 int *partition_sms, gcast_error *err);

#endif
