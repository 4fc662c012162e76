/* Response times of a system: each core by fixed priorities, the GPU by the methods for workloads, both together to a
 * fixed point; and the latencies of chains of tasks. docs/amalthea.md proves what is claimed. */
#ifndef ANALYZE_SYSTEM_SYSTEM_ANALYSIS_H
#define ANALYZE_SYSTEM_SYSTEM_ANALYSIS_H

#include "model/system/system_answer.h"

typedef struct sys_analyze_options {
    gcast_method gpu_method;         /* BOUND, EXPLORE or EXACT; GCAST_METHODS: the tightest of all that answer */
    gcast_analyze_options gpu;       /* of the analysis of the GPU */
    sys_communication communication; /* for the verdicts of chains */
    bool ignore_offsets;             /* tasks may have any phase */
    bool tasks_only;                 /* no chains, no texts: for searches */
} sys_analyze_options;

sys_analyze_options system_analyze_options_default(void);
/* `places` NULL: those of the system. GCAST_OK also where something has no bound. */
gcast_status system_analyze(const sys_system *s, const sys_place *places, const sys_analyze_options *options,
                            sys_answer **out, gcast_error *err);
void system_answer_free(sys_answer *a);

/* The GPU's part as a workload: one task for each task on the GPU, with a stream of its own, the period of its root,
 * and releases from release_min_ns to release_max_ns of `tasks` after that of the root (NULL: at the root's release).
 * Its task i is task index[i] of the system; `index` (may be NULL) has room for task_count. For a system of one
 * context. */
gcast_status system_gpu_workload(const sys_system *s, const sys_place *places, const sys_task_answer *tasks,
                                 gcast_workload **w, int *index, gcast_error *err);

#endif
