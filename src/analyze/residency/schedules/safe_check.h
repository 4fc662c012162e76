/* A workload is said to be safe only if it does not hang when it is simulated: as it stands, and in schedules that are
 * drawn. */
#ifndef ANALYZE_RESIDENCY_SCHEDULES_SAFE_CHECK_H
#define ANALYZE_RESIDENCY_SCHEDULES_SAFE_CHECK_H

#include "gridcast/workload.h"

#define SAFE_CHECK_MAX_BLOCKS 20000000 /* workloads with more are not simulated */

/* `in_file_order` as in schedule_draw; `proof_ns` is what the proof took: drawn schedules take up to a tenth of that,
 * at least a hundredth of a second and at most one. *simulated: schedules that were; 0: the workload has too many
 * blocks. GCAST_INTERNAL where one of them hangs: the proof is wrong. GCAST_INPUT where the workload cannot run at all.
 */
gcast_status safe_check(const gcast_workload *w, const gcast_gpu *gpu, bool in_file_order, int64_t proof_ns,
                        size_t *simulated, gcast_error *err);

#endif
