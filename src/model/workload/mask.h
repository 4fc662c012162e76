/* On which SMs the blocks of an operation may run. */
#ifndef MODEL_WORKLOAD_MASK_H
#define MODEL_WORKLOAD_MASK_H

#include "gridcast/workload.h"

/* `mask` NULL: all SMs. */
static inline bool mask_has_sm(const gcast_mask *mask, int sm)
{
    return !mask || mask->word[sm / 64] >> (sm % 64) & 1;
}

/* The mask with this index, as an op has it; NULL for GCAST_ALL_SMS. */
static inline const gcast_mask *mask_at(const gcast_workload *w, int mask)
{
    return mask == GCAST_ALL_SMS ? NULL : &w->masks[mask];
}

/* How many of the first `sms` SMs are in the mask. */
static inline int mask_sm_count(const gcast_mask *mask, int sms)
{
    int n = 0;
    for (int sm = 0; sm < sms; sm++)
        n += mask_has_sm(mask, sm);
    return n;
}

/* How many of its SMs are not among the first `sms`. */
static inline int mask_beyond(const gcast_mask *mask, int sms)
{
    int n = 0;
    for (int sm = sms; sm < GCAST_MAX_SMS; sm++)
        n += mask_has_sm(mask, sm);
    return n;
}

/* What is said of it: the label of the kernel, that number, and how many SMs there are. */
#define MASK_BEYOND_NOTE "%.200s: %d of its allowed_sms are left out, the GPU has %d SMs"

#endif
