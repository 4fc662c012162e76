/* Response times of the tasks of a system, and latencies of its chains of tasks. Cores have fixed priorities, the GPU
 * is analyzed by the methods for workloads, and both are iterated to a fixed point. Proofs: docs/amalthea.md.
 */
#ifndef ANALYZE_SYSTEM_SYSTEM_ANALYSIS_H
#define ANALYZE_SYSTEM_SYSTEM_ANALYSIS_H

#include "model/system_answer.h"

/* Keeps analyses of the GPU and memory, for many analyses of one system with the same options by one thread. */
typedef struct sys_gpu_cache sys_gpu_cache;

sys_gpu_cache *system_gpu_cache_create(void); /* NULL without memory */
void system_gpu_cache_free(sys_gpu_cache *cache);

typedef struct sys_analyze_options {
    /* BOUND, EXPLORE or EXACT; GCAST_METHODS: the tightest of all that answer. Without offsets always BOUND. */
    gcast_method gpu_method;
    gcast_analyze_options gpu;         /* of the analysis of the GPU */
    gcast_communication communication; /* for the verdicts of chains */
    gcast_reaction reaction;           /* where limits on reactions count from */
    bool ignore_offsets;               /* tasks may have any phase */
    /* For searches: no chains, no texts, no times of steps (steps is NULL). To need fewer analyses of the GPU, releases
     * on it are rounded and their offsets left out: bounds hold, but are usually a little larger. */
    bool tasks_only;
    bool asked_chains;    /* with tasks_only: chains too, but only for `communication` */
    sys_gpu_cache *cache; /* NULL: none */
} sys_analyze_options;

sys_analyze_options system_analyze_options_default(void);
/* `places` NULL: those of the system. GCAST_OK also where something has no bound. */
gcast_status system_analyze(const sys_system *s, const sys_place *places, const sys_analyze_options *options,
                            sys_answer **out, gcast_error *err);
void system_answer_free(sys_answer *a);

/* The GPU's part of a system of one context as a workload. Each task on the GPU has a stream of its own, the period of
 * its root, and releases from release_min_ns to release_max_ns of `tasks` after the root's (NULL: at the root's
 * release). Task i of the workload is task index[i] of the system; `index` (may be NULL) has room for task_count. */
gcast_status system_gpu_workload(const sys_system *s, const sys_place *places, const sys_task_answer *tasks,
                                 gcast_workload **w, int *index, gcast_error *err);

/* For comparison: LET latencies of a chain by the formulas of APP4RTA, from the periods of its tasks alone. worst_ns is
 * our age for any phase; a reaction may be one period of the last task longer. */
typedef struct sys_app4rta_let {
    int64_t best_ns, worst_ns; /* "reaction" */
    int64_t initial_ns;        /* "initial" worst */
} sys_app4rta_let;

sys_app4rta_let system_app4rta_let(const sys_system *s, const sys_chain *chain);

/* As system_analyze, but without trying other values for assumed numbers of the GPU. `any_phase`: analyzes the GPU only
 * by bound for any phase, whose times never shrink where times of the GPU grow. */
gcast_status system_analyze_once(const sys_system *s, const sys_place *places, const sys_analyze_options *options,
                                 bool any_phase, sys_answer **out, gcast_error *err);

#endif
