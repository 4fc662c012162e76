/* How blocks share the GPU, where that is assumed: how many SMs there are and what one holds, where blocks are placed,
 * and whether registers and warps are held by quarters of an SM. */
#ifndef ANALYZE_ASSUMED_SHARING_H
#define ANALYZE_ASSUMED_SHARING_H

#include "analyze/answer.h"
#include "analyze/assumed/moved.h"

#define SHARING_MAX 16 /* numbers of a GPU that say so */

/* Lists what is assumed of how many SMs there are, and of what one holds: less of either may make anything later.
 * Returns the number. */
size_t sharing_assumed_rooms(const gcast_workload *w, const gcast_gpu *gpu, const char *found[SHARING_MAX]);
/* Is it assumed where blocks are placed, and may it matter? */
bool sharing_assume_placement(const gcast_gpu *gpu);
/* Is it assumed whether an SM is held by quarters, and may it be otherwise? */
bool sharing_assume_quarters(const gcast_gpu *gpu);
/* Lists those on which deadlines of the answer rest, and notes the deadlines. The answer's list has room for them. */
gcast_status sharing_try(owned_answer *o, moved_trial *t, gcast_error *err);

#endif
