/* A system: cores and a GPU, and the tasks that they run. A task is a row of steps. Steps run code on the task's core,
 * or copies and kernels where the task is on the GPU; they trigger other tasks, and wait for these to end.
 *
 * Cores are preemptive, and the ready task of the highest priority runs. What differs between mappings is in sys_place,
 * all else is the same for all of them. Everything lives in one arena. */
#ifndef MODEL_SYSTEM_SYSTEM_H
#define MODEL_SYSTEM_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "gridcast/gpu.h"
#include "gridcast/workload.h"
#include "model/system/system_affinity.h"
#include "model/system/system_limits.h"

#define SYS_GPU (-1)   /* as a core: the GPU */
#define SYS_NONE (-1)  /* no task */
#define SYS_NEVER (-1) /* as a least time: it cannot run there */

/* A time from a least to a most. */
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
    const sys_range *on; /* time on a core, by kind of core, accesses to memory included; min SYS_NEVER: it cannot */
    const sys_range *access; /* the part of `on` that accesses to memory take */
    bool on_gpu;             /* it can run on the GPU, as `op` */
    gcast_op op;             /* a copy or a kernel; its durations (min_ns, max_ns) are given; stream and task are not */
    sys_range alone;         /* on_gpu: the time on an idle GPU, from the start of the copy or first block */
    /* TRIGGER and WAIT */
    int task;    /* in tasks[]: it is released; this task goes on when that one has ended */
    bool maybe;  /* TRIGGER: it need not happen; an execution of the system always does it */
    bool yields; /* in it or right behind it a task that is not preemptive may give way; no execution of the system does
                  */
} sys_step;

typedef enum { SYS_PERIODIC, SYS_SPORADIC, SYS_TRIGGERED } sys_arrival;
typedef enum { SYS_PREEMPTIVE, SYS_COOPERATIVE, SYS_NON_PREEMPTIVE } sys_preemption;

typedef struct sys_task {
    const char *name;
    bool isr; /* runs before all tasks that are none */
    sys_arrival arrival;
    bool once;                 /* SPORADIC: it is released at its offset, and never again; its period is a day */
    int64_t longest_ns;        /* SPORADIC: the greatest distance, which executions keep; 0: none is said */
    int64_t period_ns;         /* SPORADIC: the least distance. TRIGGERED: that of its root (filled in) */
    int64_t offset_ns;         /* of the first release */
    int64_t jitter_ns;         /* a release may be so much later */
    int trigger;               /* TRIGGERED: the task that has the step, else SYS_NONE */
    size_t trigger_step;       /* TRIGGERED: which step */
    int root;                  /* the task whose release starts it all: itself unless TRIGGERED */
    int waiter;                /* TRIGGERED: the task that waits for its end, or SYS_NONE */
    int activation_limit;      /* so many jobs of it may be pending, more are lost; 0: none is said */
    int64_t deadline_ns;       /* from its own release; 0: none */
    const char *deadline_name; /* of the requirement, or "" */
    sys_preemption preemption;
    const sys_step *steps;
    size_t step_count;
    int64_t slice_ns; /* on a GPU that is shared by slices of time; 0: not said */
} sys_task;

/* Where a task runs, before whom, and how it waits: what a mapping chooses. */
typedef struct sys_place {
    int core;         /* in cores[], or SYS_GPU */
    int64_t priority; /* a higher number first; equal ones in any order */
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
    SYS_SLICES       /* each GPU task is a context; kernels take turns by slices of time */
} sys_sharing;

/* What a finding means for answers: id, bit, name. A finding with none of these is harmless: no time can be longer for
 * it, and nothing is left unchecked. */
#define SYS_EFFECT_TABLE(X)                                                                                            \
    X(CONDITION, 1, "condition")       /* left out or assumed, and times may be longer: what is met is "met if" */     \
    X(UNCHECKED, 2, "not checked")     /* a requirement that nothing is said about */                                  \
    X(APPROXIMATED, 4, "approximated") /* the system can do more than the model: no execution shows a miss */          \
    X(ELSEWHERE, 8, "elsewhere")       /* a task may run on another core: nor does a least time */                     \
    X(LEFT_OUT, 16, "left out")        /* times are longer, not only may be: nothing shows that one is too short */

typedef enum {
#define X(id, bit, name) SYS_##id = (bit),
    SYS_EFFECT_TABLE(X)
#undef X
} sys_effect;

#define SYS_ALL_TASKS (-1) /* as the task of a finding */
#define SYS_GPU_TASKS (-3) /* as the task of a finding: all on the GPU, wherever a mapping puts them */
#define SYS_NO_TASKS (-2)  /* as the task of a finding: it is about limits, which say so themselves */

/* Something about the model that its reader should know, in one sentence. */
typedef struct sys_finding {
    const char *text;
    const char *file; /* or "" */
    int line;
    bool doubtful;    /* probably a mistake in the model, such as two swapped deadlines */
    unsigned effects; /* of sys_effect */
    int task;         /* whom they reach, with all that share cores or the GPU with it or are triggered with it */
    size_t count;     /* UNCHECKED: of requirements */
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
    int64_t slice_ns;  /* SLICES: of tasks that say nothing */
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
    bool loose; /* triggers need not happen (maybe), so that executions of all tasks show nothing: APPROXIMATED */
    arena memory;
} sys_system;

/* Is it sound: indices in range, no task triggers itself in a circle, every place possible? For what reads or makes
 * systems; the error names the task. */
gcast_status system_check(const sys_system *s, gcast_error *err);
/* Can each task run where it is to? A part of system_check. */
gcast_status system_check_places(const sys_system *s, const sys_place *places, gcast_error *err);
/* The system is the first thing in its arena. */
void system_free(sys_system *s);
/* Requirements that nothing is said about. */
size_t system_unchecked(const sys_system *s);
/* Can all steps of a task run there? */
bool system_can_run(const sys_system *s, const sys_task *t, int core);

/* Is its root released only once? */
bool system_runs_once(const sys_system *s, int task);
/* Is a task started each time that its root is released? */
bool system_always_starts(const sys_system *s, int task);

/* The time of a RUN step on this place, from a core's kind; the GPU: alone. */
sys_range system_step_time(const sys_system *s, const sys_step *step, int core);

#endif
