/* A system: cores and a GPU, and the tasks that they run. A task is a row of steps. Steps run code on the task's core,
 * or copies and kernels where the task is on the GPU; they trigger other tasks, and wait for these to end.
 *
 * Cores are preemptive, and the ready task of the highest priority runs. What differs between mappings is in sys_place,
 * all else is the same for all of them. Everything lives in one arena. */
#ifndef MODEL_SYSTEM_H
#define MODEL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "gridcast/gpu.h"
#include "gridcast/workload.h"

/* Which tasks of a system must be on one core, and which must not be. */

typedef struct sys_affinity {
    const char *words; /* the requirement: "A and B on different cores" */
    bool together;     /* all tasks must be on one core; else tasks of different groups must not share one */
    const int *tasks;
    const int *groups; /* for each of the tasks */
    size_t task_count;
    const bool *cores; /* by core, the GPU last; NULL: all. together: allowed cores; else: cores that count */
} sys_affinity;

struct sys_system;
struct sys_place;

bool system_affinity_holds(const struct sys_system *s, const sys_affinity *a, const struct sys_place *places);
/* How many affinities do not hold. */
size_t system_broken(const struct sys_system *s, const struct sys_place *places);

/* Besides deadlines of tasks and limits of chains, times of a system may have these limits: a response from below, a
 * runnable, and the delay from one event to another. */

#define SYS_NO_LIMIT (-1) /* as the minimum or the maximum of a limit */

/* id, name, what is limited */
#define SYS_LIMIT_TABLE(X)                                                                                             \
    X(RESPONSE, "response", "from the release of a task to its end")                                                   \
    X(RUNNABLE, "runnable", "from the start of a runnable to its end")                                                 \
    X(DELAY, "delay", "from an event to another")

typedef enum {
#define X(id, name, text) SYS_LIMIT_##id,
    SYS_LIMIT_TABLE(X)
#undef X
        SYS_LIMITS
} sys_limit_kind;

/* Which targets belong to a source: name in models. */
#define SYS_MAPPING_TABLE(X)                                                                                           \
    X(REACTION, "Reaction")     /* each source is followed by a target within the limits */                            \
    X(ONE_TO_ONE, "OneToOne")   /* the n-th target belongs to the n-th source */                                       \
    X(UNIQUE, "UniqueReaction") /* each source is followed by exactly one target within the limits */

typedef enum {
#define X(id, name) SYS_MAPPING_##id,
    SYS_MAPPING_TABLE(X)
#undef X
        SYS_MAPPINGS
} sys_mapping;

/* The steps of a task in which a runnable executes. */
typedef struct sys_span {
    int task;
    size_t first, end; /* steps from first to before end; none: the runnable takes no time */
    bool inside;       /* it is only a part of this one step, and need not happen */
} sys_span;

/* When an event happens in a job. */
typedef enum {
    SYS_AT_RELEASE, /* of the job */
    SYS_AT_START,   /* the step executes for the first time */
    SYS_AT_END,     /* the step ends */
    SYS_AT_ANY      /* at any times between start and end, any number of times */
} sys_instant;

typedef struct sys_point {
    sys_instant at;
    size_t step;
    bool sure; /* it happens in every job */
} sys_point;

typedef enum { SYS_NO_DATA, SYS_READ, SYS_WRITE } sys_data;

/* Something that happens in jobs of a task. */
typedef struct sys_event {
    const char *name;
    int task;
    sys_data data;           /* an access to data happens at one time with implicit communication and LET */
    const sys_point *points; /* where it may happen; at least one */
    size_t point_count;
} sys_event;

typedef struct sys_limit {
    const char *name; /* of the requirement or constraint */
    sys_limit_kind kind;
    int64_t min_ns, max_ns; /* SYS_NO_LIMIT */
    const char *on;         /* of the task or runnable that it limits; DELAY: "" */
    int task;               /* RESPONSE */
    const sys_span *spans;  /* RUNNABLE: its calls by all tasks */
    size_t span_count;
    sys_event source, target; /* DELAY */
    sys_mapping mapping;
    unsigned effects; /* of what is assumed of it alone (sys_effect) */
} sys_limit;

#define SYS_GPU (-1)   /* as a core: the GPU */
#define SYS_NONE (-1)  /* no task */
#define SYS_NEVER (-1) /* as a minimum time: it cannot run there */

typedef struct sys_range {
    int64_t min_ns, max_ns;
} sys_range;

typedef struct sys_core {
    const char *name;
    int kind; /* in kinds[]: cores of one kind take the same time */
} sys_core;

typedef enum { SYS_RUN, SYS_TRIGGER, SYS_WAIT } sys_step_kind;

typedef struct sys_step {
    sys_step_kind kind;
    const char *name; /* RUN: of the runnable, the copy or the kernel; else of the other task */
    /* RUN */
    const sys_range *on;     /* time by kind of core, with accesses to memory; min_ns SYS_NEVER: it cannot run there */
    const sys_range *access; /* the part of `on` that accesses to memory take */
    bool on_gpu;             /* it can run on the GPU, as `op` */
    gcast_op op;             /* a copy or a kernel with durations (min_ns, max_ns), but no stream or task */
    sys_range alone;         /* on_gpu: the time on an idle GPU, from the start of the copy or first block */
    /* TRIGGER and WAIT */
    int task;    /* TRIGGER: releases it; WAIT: goes on when it has ended */
    bool maybe;  /* TRIGGER: it need not happen; simulated executions always do it */
    bool yields; /* a task that is not preemptive may yield in the step or right behind it; simulated ones never do */
} sys_step;

typedef enum { SYS_PERIODIC, SYS_SPORADIC, SYS_TRIGGERED } sys_arrival;
typedef enum { SYS_PREEMPTIVE, SYS_COOPERATIVE, SYS_NON_PREEMPTIVE } sys_preemption;

typedef struct sys_task {
    const char *name;
    bool isr; /* ISRs precede tasks */
    sys_arrival arrival;
    bool once;                 /* SPORADIC: it is released at its offset, and never again; its period is a day */
    int64_t longest_ns;        /* SPORADIC: the greatest distance, which executions keep; 0: not said */
    int64_t period_ns;         /* SPORADIC: the least distance. TRIGGERED: the period of its root (filled in) */
    int64_t offset_ns;         /* of the first release */
    int64_t jitter_ns;         /* how much later a release may be */
    int trigger;               /* TRIGGERED: the task that has the step, else SYS_NONE */
    size_t trigger_step;       /* TRIGGERED: which step */
    int root;                  /* the task whose release starts it all: itself unless TRIGGERED */
    int waiter;                /* TRIGGERED: the task that waits for its end, or SYS_NONE */
    int activation_limit;      /* jobs that may be pending, further ones are lost; 0: not said */
    int64_t deadline_ns;       /* from its own release; 0: none */
    const char *deadline_name; /* of the requirement, or "" */
    sys_preemption preemption;
    const sys_step *steps;
    size_t step_count;
    int64_t slice_ns; /* on a GPU with time slices; 0: not said */
} sys_task;

/* What a mapping chooses for a task: its core, its priority, and how it waits. */
typedef struct sys_place {
    int core;         /* in cores[], or SYS_GPU */
    int64_t priority; /* higher numbers first; equal ones in any order */
    bool busy;        /* it holds its core while it waits for others */
} sys_place;

/* What a mapping may choose for a task. */
typedef struct sys_choice {
    const int *cores; /* cores that it may run on, SYS_GPU among them; not empty */
    size_t core_count;
    bool may_busy, may_suspend;
} sys_choice;

/* Tasks whose data goes from one to the next. */
typedef struct sys_chain {
    const char *name;
    const int *tasks;
    size_t task_count;
    int64_t reaction_ns, age_ns; /* limits; 0: none */
    unsigned effects;            /* of what is assumed of it alone (sys_effect) */
} sys_chain;

/* How several contexts share the GPU. */
typedef enum {
    SYS_ONE_CONTEXT, /* all kernels are of one context, each GPU task has its own stream */
    SYS_SLICES       /* each GPU task is a context; contexts take turns by time slices */
} sys_sharing;

/* What a finding means for answers: id, bit, name. A finding without effects is harmless: it makes no time longer, and
 * leaves nothing unchecked. */
#define SYS_EFFECT_TABLE(X)                                                                                            \
    X(CONDITION, 1, "condition")       /* left out or assumed, and times may be longer: what is met is "met if" */     \
    X(UNCHECKED, 2, "not checked")     /* a requirement has no answer */                                               \
    X(APPROXIMATED, 4, "approximated") /* the system can do more than the model: no execution shows a miss */          \
    X(ELSEWHERE, 8, "elsewhere")       /* a task may run on another core: nothing shows a miss */                      \
    X(LEFT_OUT, 16, "left out")        /* times are longer for certain: nothing shows that one is too short */

typedef enum {
#define X(id, bit, name) SYS_##id = (bit),
    SYS_EFFECT_TABLE(X)
#undef X
} sys_effect;

#define SYS_ALL_TASKS (-1) /* as the task of a finding */
#define SYS_GPU_TASKS (-3) /* as the task of a finding: all on the GPU, wherever a mapping puts them */
#define SYS_NO_TASKS (-2)  /* as the task of a finding: it is about limits, which have its effects themselves */

/* Something about the model that its reader should know, in one sentence. */
typedef struct sys_finding {
    const char *text;
    const char *file; /* or "" */
    int line;
    bool doubtful;    /* probably a mistake in the model, such as two swapped deadlines */
    unsigned effects; /* of sys_effect */
    int task;         /* reached by the effects, with all that share its cores or GPU or are triggered with it */
    size_t count;     /* UNCHECKED: requirements */
} sys_finding;

/* A file that a system was made of, with the CRC-32 (of zlib) of its bytes. */
typedef struct sys_source {
    const char *path;
    uint32_t crc;
} sys_source;

typedef struct sys_system {
    const char *name, *source;
    const sys_source *sources;
    size_t source_count;
    const char *const *kinds; /* names of kinds of cores */
    size_t kind_count;
    const sys_core *cores;
    size_t core_count;
    const gcast_gpu *gpu; /* NULL: there is none; must outlive the system */
    const char *gpu_name; /* of the processing unit in the model, or "" */
    sys_sharing sharing;
    int64_t slice_ns;  /* SLICES: of tasks that have no slice of their own */
    int64_t switch_ns; /* SLICES: from one context to the next */
    const sys_task *tasks;
    size_t task_count;
    const sys_place *places;   /* one per task: the mapping of the model */
    const sys_choice *choices; /* one per task */
    bool fixed_priorities;     /* a mapping cannot choose priorities: schedulers give them */
    const sys_chain *chains;
    size_t chain_count;
    const sys_limit *limits;
    size_t limit_count;
    const sys_affinity *affinities;
    size_t affinity_count;
    const sys_finding *findings;
    size_t finding_count;
    bool loose; /* some triggers need not happen (maybe): all tasks are APPROXIMATED */
    arena memory;
} sys_system;

/* Is the system sound: indices in range, no circle of triggers, every place possible? The error names the task. */
gcast_status system_check(const sys_system *s, gcast_error *err);
/* Can each task run where it is to? A part of system_check. */
gcast_status system_check_places(const sys_system *s, const sys_place *places, gcast_error *err);
/* The system is the first thing in its arena. */
void system_free(sys_system *s);
/* How many requirements have no answer. */
size_t system_unchecked(const sys_system *s);
/* Can all steps of a task run there? */
bool system_can_run(const sys_system *s, const sys_task *t, int core);

/* Is the task's root released only once? */
bool system_runs_once(const sys_system *s, int task);
/* Is a task started each time that its root is released? */
bool system_always_starts(const sys_system *s, int task);

/* The time of a RUN step on a core, or alone on the GPU. */
sys_range system_step_time(const sys_system *s, const sys_step *step, int core);

/* Adds a task on the GPU to a workload, the same for simulation and analysis: a stream, of the place's priority with
 * the sign changed as far as the GPU has levels, and a task with the copies and kernels of `of`, called one after the
 * other at its release. `when` has its period, offset, jitter and whether it is sporadic; `number` counts the tasks
 * added. */
gcast_status system_add_gpu_task(const sys_system *s, const sys_place *place, const sys_task *of,
                                 const gcast_task *when, int number, gcast_workload *w, gcast_error *err);

#endif
