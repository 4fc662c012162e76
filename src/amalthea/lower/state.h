/* What is known while a model becomes a system. */
#ifndef AMALTHEA_LOWER_STATE_H
#define AMALTHEA_LOWER_STATE_H

#include "amalthea/amalthea.h"
#include "amalthea/lower/time/tick_time.h"
#include "base/vec.h"

/* Processing units that take the same time for everything: a kind of core, or the GPU. */
typedef struct processor {
    int unit;         /* one of them, in units[] of the model */
    int definition;   /* in definitions[], or -1 */
    const char *name; /* of the definition, or of the unit where it has none */
    tick_clock clock; /* how long a tick takes; not known: no ticks can be counted */
} processor;

/* What a task does in order, before it is known where. */
typedef enum { RAW_RUN, RAW_TRIGGER, RAW_WAIT, RAW_SET, RAW_CLEAR } raw_kind;

typedef struct raw_step {
    raw_kind kind;
    const char *name;            /* RUN: of what runs */
    const am_item *const *items; /* RUN: what is done; else the item itself */
    size_t item_count;
    int runnable; /* RUN: the only runnable that it calls; -1: several, or the task's own code */
    int of;       /* the runnable whose code it is; -1: the task's */
    bool spare;   /* RUN: one call more of several in a row, which need not be */
    bool loose;   /* it is in a group without order, with others */
    bool maybe;   /* of a switch. RUN: it may take no time; TRIGGER: it need not happen */
    /* of a task that is not preemptive; see yield_points.h */
    bool sure;      /* RUN: it surely gives way before it, or begins with it */
    bool point;     /* a SchedulePoint is right behind it */
    bool scattered; /* . in a group without order: it may be elsewhere in that */
    bool yields;    /* it may give way inside of it or right behind it, which those that wait for it do not count on */
} raw_step;

/* What is to be told of where a task gives way: steps, or NULL. */
typedef struct yield_doubts {
    const raw_step *inner;  /* the first that yields */
    const raw_step *unsure; /* the first before which a cooperative task need not give way */
    const raw_step *late;   /* a SchedulePoint is behind it, and before a trigger or the end */
} yield_doubts;

/* A call of a runnable that has raw steps of its own: from first, before end. */
typedef struct raw_span {
    int runnable;
    size_t first, end;
    bool repeated; /* it may be called several times in a row, or not at all */
} raw_span;

/* A task of the model. */
typedef struct lowered_task {
    int index;          /* in the system; -1: it takes no part */
    bool walked;        /* `raw` is what it does */
    const char *absent; /* why it takes no part, where that is not a finding by itself */
    const raw_step *raw;
    size_t raw_count;
    yield_doubts yields;
    const raw_span *spans; /* calls */
    size_t span_count;
    size_t *step_of;         /* for each raw step, and one more: its first step in the system */
    int stimulus;            /* the one that starts it, in stimuli[]; -1: none */
    int trigger;             /* started by this task of the model; -1 */
    size_t trigger_raw;      /* by this raw step */
    const int *units;        /* where the model or the side file puts it: processing units, the first it can run on */
    size_t unit_count;       /* 0: nowhere */
    int allocation;          /* in allocations[], or -1 */
    bool gpu_candidate;      /* it may run on the GPU, if the shapes of its kernels are known */
    const char *why_not_gpu; /* a candidate that cannot run there: why; NULL */
    am_place why_at;
} lowered_task;

typedef enum { COST_OPEN, COST_BUSY, COST_DONE } cost_state;

/* The time of a runnable on a processor, once it is known. */
typedef struct cost_entry {
    cost_state state;
    fine_cost cost;
} cost_entry;

typedef VEC(sys_finding) finding_list;

/* Names in a sentence: "A", "A and B", "A, B and C", "A, B, C and 4 more". */
typedef struct name_list {
    char text[300];
    size_t count;
    const char *last; /* not yet in the text */
} name_list;

/* A raw step in a list. */
typedef struct task_link {
    int task;
    size_t raw;
    int next; /* in links, or LINK_END */
} task_link;

typedef VEC(task_link) link_list;

typedef struct lowering {
    const am_model *m;
    const gcast_gpu *gpu;   /* or NULL */
    const sys_given *given; /* never NULL */
    gcast_error *err;
    sys_system *s;         /* being made; all that it needs is in its arena */
    arena scratch;         /* what is needed until it is made */
    finding_list findings; /* so far */
    processor *processors; /* kinds of cores, then the GPU where there is one */
    size_t processor_count;
    int gpu_processor;   /* in processors[], or -1 */
    int gpu_unit;        /* in units[], or -1 */
    int *core_of;        /* for each unit: its core, or -1 */
    int only_memory;     /* in units[]; -1: there are several, or none */
    int64_t line_bytes;  /* of an access to memory */
    cost_entry *costs;   /* processors x runnables */
    bool *waited;        /* for each event of the OS: somebody waits for it */
    uint32_t *seen;      /* for each runnable: the last walk that has seen it */
    uint32_t walks;      /* walks so far; see item_walk.c */
    char *syncs;         /* for each runnable, see raw_steps.c */
    char *yields[2];     /* see yield_points.c: calls are no points, or are */
    link_list links;     /* see links.h */
    int *first_send;     /* for each stimulus: the first step that sends it, in links */
    int *first_set;      /* for each event of the OS: the first step that sets it */
    int *first_listener; /* for each stimulus: the first task that it starts */
    int *next_listener;  /* for each task: the next that the same stimulus starts */
    size_t raw_total;    /* raw steps of all tasks */
    bool loose;          /* switches that trigger tasks: executions of the system need not be ones of the model */
    lowered_task *tasks; /* one per task of the model */
    sys_task *made;      /* the tasks of the system */
    int *origin;         /* for each of them: the task of the model */
    sys_place *places;
    int *label_reader;       /* for each label: the only task that reads it, see event_tasks.c */
    int *label_writer;       /* . */
    int *label_user;         /* reads or writes */
    int *caller;             /* for each runnable: the only task that calls it */
    int *started;            /* for each stimulus: the only task that has it */
    unsigned char *found_in; /* for each runnable, see step_places.c */
    size_t looked_at;        /* by searches for steps that limits are on */
    bool *device_label;      /* for each label: only tasks that may run on the GPU access it */
    bool told_free_access;   /* findings that are made once */
    bool told_contention;    /* . */
    bool told_path;          /* . */
    bool told_rates;         /* . */
    bool told_label_size;    /* . */
    bool told_copy_size;     /* . */
    bool told_bandwidth;     /* . */
    bool told_direction;     /* . */
    bool told_counter;       /* . */
    bool told_switch;        /* . */
    bool told_sum;           /* . */
    bool told_probability;   /* . */
    bool told_slices;        /* . */
    name_list *asking;       /* for each semaphore: who asks for it */
    am_place *asking_at;     /* where first */
    name_list filling;       /* kernels that are taken to fill the GPU */
    name_list no_registers;  /* whose registers are not said */
    size_t timeless;         /* runnables that are called and say nothing of their time */
    const char *timeless_of; /* the first of them */
    am_place timeless_at;
} lowering;

#endif
