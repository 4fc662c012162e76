/* GPCs: which SMs of a GPU share one. The blocks of a cluster run on one GPC. */
#ifndef MODEL_GPU_GPCS_GPCS_H
#define MODEL_GPU_GPCS_GPCS_H

#include "gridcast/gpu.h"

/* Are the lists there, of at most as many GPCs as SMs? */
bool gpcs_are_there(const gcast_gpu *gpu);
/* Is each SM in exactly one GPC, where GPCs are known? */
gcast_status gpcs_check(const gcast_gpu *gpu, gcast_error *err);
/* Gives `gpu`, a copy of `original`, memory of its own for its GPCs; false without. */
bool gpcs_copy(const gcast_gpu *original, gcast_gpu *gpu);
/* Of each GPC the SMs below `sms` stay; GPCs without any are gone. False without memory. */
bool gpcs_keep_first(gcast_gpu *gpu, int sms);

/* Is a GPC of this many SMs no more than a TPC? */
static inline bool gpc_is_lone(const gcast_gpu *gpu, int sms)
{
    return sms <= gpu->sms_per_tpc;
}

#endif
