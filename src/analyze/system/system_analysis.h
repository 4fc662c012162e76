/* Response times of a system: each core by fixed priorities, the GPU by the methods for workloads, both together to a
 * fixed point; and the latencies of chains of tasks. docs/amalthea-analysis.md proves what is claimed. */
#ifndef ANALYZE_SYSTEM_SYSTEM_ANALYSIS_H
#define ANALYZE_SYSTEM_SYSTEM_ANALYSIS_H

#include "model/system/system_answer.h"

/* Analyses of the GPU's part that were made before, and memory to use again: for many analyses of one system with the
 * same options. Not for two threads at once. */
typedef struct sys_gpu_cache sys_gpu_cache;

sys_gpu_cache *system_gpu_cache_create(void); /* NULL without memory */
void system_gpu_cache_free(sys_gpu_cache *cache);

typedef struct sys_analyze_options {
    /* BOUND, EXPLORE or EXACT; GCAST_METHODS: the tightest of all that answer. Where offsets are left out, BOUND. */
    gcast_method gpu_method;
    gcast_analyze_options gpu;       /* of the analysis of the GPU */
    sys_communication communication; /* for the verdicts of chains */
    sys_reaction reaction;           /* that limits on reactions count from */
    bool ignore_offsets;             /* tasks may have any phase */
    /* For searches: no chains, no texts, no times of steps (steps is NULL). Releases on the GPU are rounded, and their
     * offsets left out, so that fewer analyses of it are needed: bounds hold, and are somewhat larger as a rule. */
    bool tasks_only;
    bool asked_chains;    /* tasks_only: chains, too, for `communication` only */
    sys_gpu_cache *cache; /* NULL: none */
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

/* LET latencies of a chain by the formulas of APP4RTA, from the periods of its tasks alone, to compare with. worst_ns
 * is what we call the age for any phase; a reaction may be one period of the last task longer. */
typedef struct sys_app4rta_let {
    int64_t best_ns, worst_ns; /* "reaction" */
    int64_t initial_ns;        /* "initial" worst */
} sys_app4rta_let;

sys_app4rta_let system_app4rta_let(const sys_system *s, const sys_chain *chain);

#endif
