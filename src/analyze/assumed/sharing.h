/* Assumptions about how blocks share the GPU: the number of SMs and what one holds, where blocks are placed, and
 * whether each quarter of an SM has its own registers and warps. */
#ifndef ANALYZE_ASSUMED_SHARING_H
#define ANALYZE_ASSUMED_SHARING_H

#include "analyze/answer.h"
#include "analyze/assumed/moved_trial.h"

#define SHARING_MAX 16 /* how many such numbers a GPU has at most */

/* Lists the assumed numbers among the count of SMs and what one holds; less of them may delay anything. */
size_t sharing_assumed_rooms(const gcast_workload *w, const gcast_gpu *gpu, const char *found[SHARING_MAX]);
/* Is the placement of blocks assumed, and can it matter? */
bool sharing_assume_placement(const gcast_gpu *gpu);
/* Is it assumed whether an SM is divided into quarters, and can it be otherwise? */
bool sharing_assume_quarters(const gcast_gpu *gpu);
/* Adds numbers on which deadlines rest to the answer's list, which has room for them, and marks these deadlines. */
gcast_status sharing_try(owned_answer *o, moved_trial *t, gcast_error *err);

#endif
