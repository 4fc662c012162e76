/* The state while a model becomes a system; and what all parts of that share: findings and errors, memory, lists of
 * names, and walks over items. */
#ifndef AMALTHEA_LOWER_LOWERING_H
#define AMALTHEA_LOWER_LOWERING_H

#include "amalthea/amalthea.h"
#include "amalthea/lower/tick_time.h"
#include "base/vec.h"

#define PS_PER_NS 1000

/* Processing units that take the same time for everything: a kind of core, or the GPU. */
typedef struct processor {
    int unit;         /* one of them, in units[] of the model */
    int definition;   /* in definitions[], or -1 */
    const char *name; /* of the definition, or of the unit where it has none */
    tick_clock clock; /* how long a tick takes; unknown: ticks have no time */
} processor;

/* A raw step is a step of a task before its core is known. */
typedef enum { RAW_RUN, RAW_TRIGGER, RAW_WAIT, RAW_SET, RAW_CLEAR } raw_kind;

typedef struct raw_step {
    raw_kind kind;
    const char *name;            /* RUN: of the code that runs */
    const am_item *const *items; /* RUN: the items that run; else the item itself */
    size_t item_count;
    int runnable; /* RUN: the only runnable that it calls; -1: several, or the task's own code */
    int of;       /* the runnable whose code it is; -1: the task's */
    bool spare;   /* RUN: a call beyond the least number of several in a row; it need not happen */
    bool loose;   /* it is in a group without order, with others */
    bool maybe;   /* in a switch. RUN: it may take no time; TRIGGER: it need not happen */
    /* if the task is not preemptive; see yield_points.h */
    bool sure;      /* RUN: the task surely yields before this step, or begins with it */
    bool point;     /* a SchedulePoint is right behind it */
    bool scattered; /* a SchedulePoint of a group without order is behind it, or elsewhere in the group */
    bool yields;    /* the task may yield inside of it or right behind it; blocking counts it as one section */
} raw_step;

/* Steps for findings about where a task yields, or NULL. */
typedef struct yield_doubts {
    const raw_step *inner;  /* the first that yields */
    const raw_step *unsure; /* the first before which a cooperative task need not yield */
    const raw_step *late;   /* a SchedulePoint is behind it, and before a trigger or the end */
} yield_doubts;

/* The raw steps of a call of a runnable: from first to before end. */
typedef struct raw_span {
    int runnable;
    size_t first, end;
    bool repeated; /* it may be called several times in a row, or not at all */
} raw_span;

/* A task of the model. */
typedef struct lowered_task {
    int index; /* in the system; -1: it is left out */
    const raw_step *raw;
    size_t raw_count;
    yield_doubts yields;
    const raw_span *spans; /* calls of runnables */
    size_t span_count;
    size_t *step_of;         /* for each raw step, and one more: its first step in the system */
    int stimulus;            /* the one that starts it, in stimuli[]; -1: none */
    int trigger;             /* the task of the model that triggers it; -1 */
    size_t trigger_raw;      /* the raw step that does */
    const int *units;        /* processing units where the model or the side file puts it */
    size_t unit_count;       /* 0: nowhere */
    int allocation;          /* in allocations[], or -1 */
    bool gpu_candidate;      /* it may run on the GPU, if the shapes of its kernels are known */
    const char *why_not_gpu; /* why it cannot run there, though it has times for the GPU; NULL */
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

/* A raw step in a linked list. */
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
    sys_system *s;         /* being made; its memory is in its arena */
    arena scratch;         /* memory that is needed until the system is made */
    finding_list findings; /* so far */
    processor *processors; /* kinds of cores, then the GPU where there is one */
    size_t processor_count;
    int gpu_processor;   /* in processors[], or -1 */
    int gpu_unit;        /* in units[], or -1 */
    int *core_of;        /* for each unit: its core, or -1 */
    int only_memory;     /* in units[]; -1: there are several, or none */
    int64_t line_bytes;  /* of an access to memory */
    cost_entry *costs;   /* processors x runnables */
    bool *waited;        /* for each event of the OS: a task waits for it */
    uint32_t *seen;      /* for each runnable: the last walk over items that has seen it */
    uint32_t walks;      /* walks over items so far */
    char *syncs;         /* for each runnable: whether it triggers, waits or sets events (raw_steps.c) */
    char *yields[2];     /* states behind runnables (yield_points.c): if calls are no points, and if they are */
    link_list links;     /* entries of the lists of raw steps below (activations.c) */
    int *first_send;     /* for each stimulus: the first step that sends it, in links */
    int *first_set;      /* for each event of the OS: the first step that sets it */
    int *first_listener; /* for each stimulus: the first task that it starts */
    int *next_listener;  /* for each task: the next that the same stimulus starts */
    size_t raw_total;    /* raw steps of all tasks */
    bool loose;          /* a switch triggers tasks: executions of the system need not be possible in the model */
    lowered_task *tasks; /* one per task of the model */
    sys_task *made;      /* the tasks of the system */
    int *origin;         /* for each of them: the task of the model */
    sys_place *places;
    int *label_reader;       /* for each label: the only task that reads it, or EVENT_NO_TASK or EVENT_AMBIGUOUS */
    int *label_writer;       /* the only task that writes it */
    int *label_user;         /* the only task that reads or writes it */
    int *caller;             /* for each runnable: the only task that calls it */
    int *started;            /* for each stimulus: the only task that has it */
    unsigned char *found_in; /* for each runnable: whether it contains what is looked for (event_points.c) */
    size_t looked_at;        /* items, steps and runnables that searches of event_points.c have looked at */
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
    name_list *asking;       /* for each semaphore: tasks and runnables that ask for it */
    am_place *asking_at;     /* where the first does */
    name_list filling;       /* kernels that are taken to fill the GPU */
    name_list no_registers;  /* kernels whose registers are not said */
    size_t timeless;         /* runnables that are called and say nothing of their time */
    const char *timeless_of; /* the first of them */
    am_place timeless_at;
} lowering;

/* An error at a place of the model. */
gcast_status lower_error(lowering *l, am_place at, const char *format, ...) GCAST_PRINTF(3, 4);
/* An error in what was given beside the model. */
gcast_status lower_given_error(lowering *l, const char *format, ...) GCAST_PRINTF(2, 3);
gcast_status lower_no_memory(lowering *l);

/* A finding is something that the user should know, with its effects on answers (sys_effect), 0: none. docs/amalthea.md
 * lists all findings. */

/* About all tasks. */
gcast_status finding_add(lowering *l, am_place at, unsigned effects, const char *format, ...) GCAST_PRINTF(4, 5);
/* About a task of the model. */
gcast_status finding_of_task(lowering *l, am_place at, size_t task, unsigned effects, const char *format, ...)
    GCAST_PRINTF(5, 6);
/* About all tasks on the GPU. */
gcast_status finding_of_gpu(lowering *l, am_place at, unsigned effects, const char *format, ...) GCAST_PRINTF(4, 5);
/* As finding_add and finding_of_task, for a probable mistake in the model. */
gcast_status finding_doubt(lowering *l, am_place at, unsigned effects, const char *format, ...) GCAST_PRINTF(4, 5);
gcast_status finding_doubt_of_task(lowering *l, am_place at, size_t task, unsigned effects, const char *format, ...)
    GCAST_PRINTF(5, 6);
/* About `count` requirements that are not checked. */
gcast_status finding_unchecked(lowering *l, am_place at, size_t count, const char *format, ...) GCAST_PRINTF(4, 5);
/* An assumption about limits or chains, which have the effects themselves. */
gcast_status finding_of_limits(lowering *l, am_place at, unsigned effects, const char *format, ...) GCAST_PRINTF(4, 5);
/* No place in particular. */
am_place lower_nowhere(void);
/* The place of a task of the system. */
am_place lower_at_task(const lowering *l, size_t task);

/* A copy of a text in the system's arena; NULL without memory, and then the error is set. */
const char *lower_keep(lowering *l, const char *text);
/* Arrays in the system's arena and in the scratch arena; NULL without memory, and then the error is set. */
void *lower_array(lowering *l, size_t count, size_t size);
void *lower_scratch(lowering *l, size_t count, size_t size);

void names_add(name_list *n, const char *name);
/* The list as part of a sentence. */
const char *names_text(name_list *n);

#define LOWER_DEPTH 200 /* items in items, and runnables in runnables */

/* Called for every item; `runnable` is the one that has it, or -1. */
typedef gcast_status (*item_visitor)(lowering *l, const am_item *item, int runnable, void *data);

/* Visits the items of a task, through groups, switches and the runnables that are called, each runnable once. Visitors
 * must not start another walk. */
gcast_status walk_task(lowering *l, int task, item_visitor visit, void *data);
/* As walk_task, for items behind pointers, such as those of a raw step. */
gcast_status walk_pointers(lowering *l, const am_item *const *items, size_t count, item_visitor visit, void *data);

#endif
