/* The GPU of a profile: by its name among the presets. */
#ifndef CLI_IMPORT_PROFILE_GPU_H
#define CLI_IMPORT_PROFILE_GPU_H

#include "gridcast/gpu.h"
#include "profile/trace.h"

/* The preset whose name, as the driver says it, the profile tells, with as many SMs or more: a process may have a part
 * of them (MPS). NULL: there is none. Errors are printed. */
gcast_status profile_gpu_find(const prof_gpu *told, gcast_gpu **gpu);
/* That a GPU must be named, and what the profile tells of it (NULL: nothing). */
/* An error where the profile is of a GPU of another maker than NVIDIA, whatever --gpu says. Errors are printed. */
gcast_status profile_gpu_check(const prof_trace *t, const prof_gpu *told);
gcast_status profile_gpu_ask(const prof_gpu *told);
/* That one of the GPUs must be named, or that nothing ran on the one that was (PROF_UNKNOWN: none was). */
gcast_status profile_gpu_ask_device(const prof_trace *t, int64_t asked);

#endif
