/* What an analysis of a system answers: response times, latencies of chains and verdicts; and what a search for a
 * mapping found. */
#ifndef MODEL_SYSTEM_ANSWER_H
#define MODEL_SYSTEM_ANSWER_H

#include "gridcast/analyze.h"
#include "gridcast/system.h"
#include "model/system.h"

#define SYS_UNBOUNDED INT64_MAX
#define SYS_NO_LEAST INT64_MIN

/* Times of one step, from the release of the task's root. */
typedef struct sys_step_times {
    int64_t start_best_ns;                 /* earliest start */
    int64_t end_best_ns, end_worst_ns;     /* earliest and latest end; SYS_UNBOUNDED */
    int64_t alone_best_ns, alone_worst_ns; /* RUN: its own time; WAIT: how long it waits */
    int64_t own_worst_ns;                  /* GPU: from when it could start to its end; SYS_UNBOUNDED */
} sys_step_times;

/* The parts of own_worst_ns sum up to it. */
typedef struct sys_task_answer {
    int64_t release_min_ns;    /* from the release of its root; 0 unless TRIGGERED */
    int64_t release_max_ns;    /* from the release of its root; its jitter unless TRIGGERED */
    int64_t best_ns, worst_ns; /* from the release of its root to its end; SYS_UNBOUNDED */
    int64_t own_worst_ns;      /* from its own release to its end; SYS_UNBOUNDED */
    int64_t computation_ns;    /* of own_worst_ns: its code without accesses to memory */
    int64_t access_ns;         /* of own_worst_ns: accesses to memory */
    int64_t interference_ns;   /* of own_worst_ns: tasks that go before it on its core; GPU: others on the GPU */
    int64_t blocking_ns;       /* of own_worst_ns: a task of lower priority that cannot be preempted */
    int64_t waiting_ns;        /* of own_worst_ns: for tasks that it triggered */
    gcast_deadline_verdict verdict;
    unsigned effects;      /* of findings that reach it (sys_effect) */
    bool on_gpu;           /* it rests on what is assumed of the GPU's calls */
    bool reaches_gpu;      /* the GPU may delay it */
    int limited_by;        /* the task that adds most to its response beside itself, or SYS_NONE */
    const char *why_not;   /* unbounded: why, a sentence; else NULL */
    sys_step_times *steps; /* one per step of the task */
    int64_t seen_ns;       /* longest response in the executions of tried[]; -1: none was tried */
    int seen_in;           /* its execution in tried[], or SYS_NONE */
    int missed_in;         /* the first execution in tried[] that misses its deadline, or SYS_NONE */
} sys_task_answer;

/* An execution that was tried, as system_simulate was asked for it. */
typedef struct sys_tried {
    bool longest;        /* all steps take as long as they may; else times are drawn */
    bool shortest;       /* all steps take no longer than they must */
    uint64_t seed;       /* of what is drawn */
    bool random_offsets; /* offsets are drawn too */
    int64_t horizon_ns;
} sys_tried;

/* Latencies of one chain with one communication. Reaction: from a change that the first task's previous job just missed
 * to the first output of the last task that shows it. Age: from the reading of the first task to the last output that
 * rests on it. */
typedef struct sys_latency {
    int64_t reaction_best_ns, reaction_worst_ns; /* SYS_UNBOUNDED */
    int64_t age_best_ns, age_worst_ns;
    int64_t first_worst_ns; /* from the release of the first task's job to the first output that rests on it */
    bool any_phase;         /* offsets were not used: the hyperperiod of the tasks is too long, or there is none */
} sys_latency;

typedef struct sys_chain_answer {
    sys_latency by[GCAST_COMMUNICATIONS];
    gcast_deadline_verdict reaction_verdict, age_verdict; /* for the communication that was asked for */
} sys_chain_answer;

/* RUNNABLE: over all its calls. */
typedef struct sys_limit_answer {
    int64_t best_ns;  /* lower bound; SYS_NO_LEAST */
    int64_t worst_ns; /* upper bound; SYS_UNBOUNDED */
    gcast_deadline_verdict verdict;
    const char *why_not; /* open, and not because best_ns or worst_ns pass a limit: why, a sentence; else NULL */
    int64_t seen_ns;     /* its time in an execution that breaks the limit */
    int seen_in;         /* that execution in tried[], or SYS_NONE */
} sys_limit_answer;

typedef struct sys_core_answer {
    double utilization; /* busy waiting counts */
} sys_core_answer;

typedef struct sys_answer {
    const sys_system *of;
    const sys_place *places;           /* a copy of what was analyzed */
    const sys_task_answer *tasks;      /* one per task */
    const sys_core_answer *cores;      /* one per core */
    const sys_chain_answer *chains;    /* one per chain */
    const sys_limit_answer *limits;    /* one per limit */
    gcast_communication communication; /* verdicts are for this one */
    gcast_reaction reaction;           /* limits on reactions count from here */
    bool gpu_bounded;
    const char *gpu_why_not;        /* of the analysis of the GPU; NULL */
    const char *const *assumptions; /* of the answer, a sentence each */
    size_t assumption_count;
    int iterations;         /* until nothing changed */
    bool all_met;           /* no deadline or limit is missed or open */
    bool rests_on_assumed;  /* something is met only if what is assumed of the GPU holds */
    const sys_tried *tried; /* executions that were tried (system_look_for_late) */
    size_t tried_count;
    arena memory;
} sys_answer;

/* The worst reaction that a limit is compared with. */
static inline int64_t system_reaction_ns(gcast_reaction from, const sys_latency *l)
{
    return from == GCAST_REACTION_CHANGE ? l->reaction_worst_ns : l->first_worst_ns;
}

/* What a search for a mapping did and found, for reports. */

typedef struct sys_search_score {
    int64_t broken;  /* constraints on where tasks run */
    int64_t missed;  /* deadlines and limits of chains that are not met, and tasks that have no bound */
    int64_t late_ns; /* by how much, in sum; SYS_UNBOUNDED */
    int64_t value;   /* of the objective: ns, or millionths; SYS_UNBOUNDED */
} sys_search_score;

typedef struct sys_search {
    const char *how;       /* which mappings were tried, a phrase */
    const char *objective; /* its name */
    const char *value;     /* what the value means, a phrase */
    bool is_time;          /* the value is a time; else a part of a deadline, in millionths */
    uint64_t tried;        /* mappings that were analyzed, or excluded without */
    uint64_t analyzed;     /* mappings that were analyzed */
    uint64_t seed;
    bool is_complete; /* all that was planned was tried */
    bool is_better;   /* than the system's own mapping; else the answer is for that one */
    sys_search_score before, after;
} sys_search;

#endif
