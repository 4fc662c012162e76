/* An AMALTHEA model as read, whatever the version of its schema. Names are decoded; references are indices, -1 where
 * there is none. Everything lives in one arena. Below: how values of properties are read, and which scheduler a task
 * has on another core. */
#ifndef AMALTHEA_MODEL_H
#define AMALTHEA_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Where something of a model was read. */
typedef struct am_place {
    const char *file;
    int line;
} am_place;

/* A constraint on which tasks run together. */
typedef struct am_affinity {
    bool together;     /* ProcessPairingConstraint; else ProcessSeparationConstraint */
    const int *tasks;  /* in tasks[] */
    const int *groups; /* of each task */
    size_t task_count;
    const int *units; /* the cores that it applies to, in units[]; none: all */
    size_t unit_count;
    am_place at;
} am_affinity;

typedef struct am_affinities {
    const am_affinity *at;
    size_t count;
} am_affinities;

/* Which targets of a delay belong to which sources: name in the schema. */
#define AM_MAPPING_TABLE(X)                                                                                            \
    X(REACTION, "Reaction") X(ONE_TO_ONE, "OneToOne") X(UNIQUE, "UniqueReaction") X(NOT_SAID, "_undefined_")

typedef enum {
#define X(id, name) AM_MAPPING_##id,
    AM_MAPPING_TABLE(X)
#undef X
        AM_MAPPINGS
} am_mapping_type;

/* What it can mean that a part of a model was not used. */
typedef enum {
    AM_UNUSED_TIME,     /* times may be longer than counted: everything of unknown meaning */
    AM_UNUSED_EITHER,   /* times may be longer or shorter */
    AM_UNUSED_CHECK,    /* a requirement is not checked */
    AM_UNUSED_HARMLESS, /* known to the reader, and without meaning for times and limits, such as a description */
} am_unused;

/* Something in a file that was not used: the first of its kind. */
typedef struct am_unknown {
    const char *what; /* such as "items:CustomEventTrigger" or "tasks, attribute displayName" */
    size_t count;
    am_unused meaning;
    am_place at;
} am_unknown;

/* Kinds of values that vary: name in the schema behind DiscreteValue, ContinuousValue or Time. */
#define AM_DEVIATION_TABLE(X)                                                                                          \
    X(CONSTANT, "Constant")                                                                                            \
    X(HISTOGRAM, "Histogram")                                                                                          \
    X(BOUNDARIES, "Boundaries")                                                                                        \
    X(STATISTICS, "Statistics")                                                                                        \
    X(UNIFORM, "UniformDistribution")                                                                                  \
    X(GAUSS, "GaussDistribution")                                                                                      \
    X(BETA, "BetaDistribution")                                                                                        \
    X(WEIBULL, "WeibullEstimatorsDistribution")

typedef enum {
#define X(id, name) AM_##id,
    AM_DEVIATION_TABLE(X)
#undef X
        AM_DEVIATIONS
} am_deviation;

/* A value that varies: ticks, cycles, or a time in picoseconds. */
typedef struct am_value {
    bool given;
    am_deviation kind;
    bool bounded_below, bounded_above; /* a Gauss distribution may have no bounds */
    int64_t lower, upper;              /* where bounded */
    double average;                    /* below 0: not known */
    am_place at;
} am_value;

/* Ticks or cycles of one definition of processing units, or of any (definition -1: the default). */
typedef struct am_ticks {
    int definition; /* in definitions[] */
    am_value value;
} am_ticks;

typedef struct am_property {
    const char *key;
    const char *value; /* as text: numbers as written, times with their unit, lists joined by spaces */
    am_place at;
    bool custom; /* a custom property: it may be for another tool */
} am_property;

/* Items of activity graphs. */
#define AM_ITEM_TABLE(X)                                                                                               \
    X(GROUP) /* of items; in the old schema a sequence of calls */                                                     \
    X(CALL)  /* of a runnable */                                                                                       \
    X(TICKS)                                                                                                           \
    X(ACCESS)  /* of a label */                                                                                        \
    X(TRIGGER) /* InterProcessTrigger */                                                                               \
    X(WAIT_EVENT)                                                                                                      \
    X(SET_EVENT)                                                                                                       \
    X(CLEAR_EVENT)                                                                                                     \
    X(SWITCH) /* ModeSwitch, Switch, ProbabilitySwitch: its items are BRANCHes */                                      \
    X(BRANCH) /* of a switch: a probability, or -1 */                                                                  \
    X(LOOP)   /* WhileLoop: how often is not said */                                                                   \
    X(SEMAPHORE)                                                                                                       \
    X(MODE)        /* ModeLabelAccess and assignments: takes no time */                                                \
    X(SERVER_CALL) /* of a runnable: SynchronousServerCall, AsynchronousServerCall */                                  \
    X(SCHEDULE_POINT)                                                                                                  \
    X(OTHER) /* listed as not understood */

typedef enum {
#define X(id) AM_ITEM_##id,
    AM_ITEM_TABLE(X)
#undef X
        AM_ITEMS
} am_item_kind;

typedef struct am_item am_item;
struct am_item {
    am_item_kind kind;
    const char *name;     /* of a group or branch, or "" */
    bool unordered;       /* GROUP: its items happen in any order */
    bool is_default;      /* BRANCH: taken where no other is */
    double probability;   /* BRANCH: from 0 to 1, scaled to the sum 1 in a switch; -1: not said */
    double odd_sum;       /* SWITCH: the sum of probabilities in the file, where that is neither 1 nor 100; else 0 */
    bool counted;         /* SWITCH: made from a counter: one item, which happens every so many times */
    int64_t least, most;  /* CALL, ACCESS: how often it happens, one after the other */
    const am_item *items; /* GROUP, SWITCH, BRANCH, LOOP */
    size_t item_count;
    const am_ticks *ticks; /* TICKS: at most one default, and one of each definition */
    size_t tick_count;
    int runnable;      /* CALL, SERVER_CALL */
    bool asynchronous; /* SERVER_CALL */
    int label;         /* ACCESS */
    bool write;        /* ACCESS */
    int stimulus;      /* TRIGGER */
    const int *events; /* WAIT_EVENT, SET_EVENT, CLEAR_EVENT: in os_events[] */
    size_t event_count;
    bool wait_all; /* WAIT_EVENT: for all of the events, not for one */
    bool active;   /* WAIT_EVENT: the core is held (waitingBehaviour="active") */
    bool unsaid;   /* WAIT_EVENT: active or passive is not said. BRANCH: no probability, unlike other branches */
    int process;   /* SET_EVENT: in tasks[] */
    int semaphore; /* SEMAPHORE: in semaphores[] */
    bool request;  /* SEMAPHORE: asks for it; else gives it back */
    am_place at;
};

typedef struct am_runnable {
    const char *name;
    const am_item *items;
    size_t item_count;
    bool callback;
    const am_property *properties;
    size_t property_count;
    am_place at;
} am_runnable;

#define AM_PREEMPTION_TABLE(X) X(PREEMPTIVE, "preemptive") X(COOPERATIVE, "cooperative") X(NONE, "non_preemptive")

typedef enum {
#define X(id, name) AM_PREEMPTION_##id,
    AM_PREEMPTION_TABLE(X)
#undef X
        AM_PREEMPTIONS
} am_preemption;

typedef struct am_task {
    const char *name;
    bool isr;
    am_preemption preemption;
    bool preemption_unsaid; /* and taken as preemptive */
    const int *stimuli;     /* in stimuli[] */
    size_t stimulus_count;
    int activation_limit; /* multipleTaskActivationLimit; 0: not said */
    const am_item *items;
    size_t item_count;
    const am_property *properties;
    size_t property_count;
    am_place at;
} am_task;

#define AM_STIMULUS_TABLE(X)                                                                                           \
    X(PERIODIC, "PeriodicStimulus")                                                                                    \
    X(RELATIVE, "RelativePeriodicStimulus") /* next_ps is the distance to the next occurrence */                       \
    X(SPORADIC, "SporadicStimulus")         /* of the old schema, or an ArrivalCurve for two occurrences */            \
    X(SINGLE, "SingleStimulus")                                                                                        \
    X(SYNTHETIC, "PeriodicSyntheticStimulus") /* a list of occurrences, over and over */                               \
    X(ARRIVAL_CURVE, "ArrivalCurveStimulus")  /* or a PeriodicBurstStimulus, which has a recurrence */                 \
    X(VARIABLE_RATE, "VariableRateStimulus")                                                                           \
    X(INTER_PROCESS, "InterProcessStimulus")                                                                           \
    X(EVENT, "EventStimulus")                                                                                          \
    X(CUSTOM, "CustomStimulus")

typedef enum {
#define X(id, name) AM_STIMULUS_##id,
    AM_STIMULUS_TABLE(X)
#undef X
        AM_STIMULI
} am_stimulus_kind;

typedef struct am_stimulus {
    const char *name;
    am_stimulus_kind kind;
    int64_t recurrence_ps;      /* PERIODIC, SYNTHETIC; -1: not said */
    int64_t offset_ps;          /* 0 where not said */
    am_value jitter;            /* PERIODIC; may be below 0 */
    int64_t min_distance_ps;    /* PERIODIC; -1: not said */
    am_value next_ps;           /* RELATIVE: nextOccurrence. SPORADIC, VARIABLE_RATE: distance */
    int64_t occurrence_ps;      /* SINGLE */
    const int64_t *occurrences; /* SYNTHETIC: times in ps. ARRIVAL_CURVE: least time in ps that 2, 3, ... span */
    size_t occurrence_count;
    const int *events; /* EVENT: in events[] */
    size_t event_count;
    am_place at;
} am_stimulus;

typedef struct am_label {
    const char *name;
    int64_t bits; /* -1: not said */
    bool constant;
    int memory; /* in units[], from the mapping */
    am_place at;
} am_label;

#define AM_PU_TABLE(X) X(CPU, "CPU") X(GPU, "GPU") X(ACCELERATOR, "Accelerator") X(UNKNOWN, "_undefined_")

typedef enum {
#define X(id, name) AM_PU_##id,
    AM_PU_TABLE(X)
#undef X
        AM_PUS
} am_pu_type;

typedef struct am_feature {
    const char *category, *name;
    double value;
} am_feature;

/* A definition of processing units, memories, caches or connection handlers. */
typedef enum { AM_UNIT_PROCESSOR, AM_UNIT_MEMORY, AM_UNIT_CACHE, AM_UNIT_CONNECTION } am_unit_kind;

typedef struct am_definition {
    const char *name;
    am_unit_kind kind;
    am_pu_type pu;
    const am_feature *features;
    size_t feature_count;
    int64_t size_bits;                    /* of memories and caches; -1: not said */
    int64_t line_bits;                    /* of caches; -1 */
    am_value access_latency;              /* of memories and caches: cycles of their own clock */
    double data_rate;                     /* bits per second; 0: not said */
    am_value read_latency, write_latency; /* of connection handlers */
    am_place at;
} am_definition;

typedef struct am_access_element {
    int destination;                      /* in units[]: a memory */
    am_value read_latency, write_latency; /* cycles of the processing unit */
    double data_rate;                     /* bits per second; 0: not said */
    bool has_path;                        /* an accessPath is given, from which latencies may follow */
    const int *path;                      /* units of the path, where they are known */
    size_t path_count;
    am_place at;
} am_access_element;

/* A processing unit, memory, cache or connection handler of the hardware. */
typedef struct am_unit {
    const char *name;
    am_unit_kind kind;
    int definition;   /* in definitions[] */
    double frequency; /* Hz, from its domain; 0: not said */
    const am_access_element *accesses;
    size_t access_count;
    am_place at;
} am_unit;

/* Algorithms of schedulers: their class before 2.0.0, the name of their definition since. */
#define AM_SCHEDULING_TABLE(X)                                                                                         \
    X(FIXED_PRIORITY, "FixedPriorityPreemptive")                                                                       \
    X(OSEK, "OSEK")                                                                                                    \
    X(RATE_MONOTONIC, "RateMonotonic")                                                                                 \
    X(DEADLINE_MONOTONIC, "DeadlineMonotonic")                                                                         \
    X(EDF, "EarliestDeadlineFirst")                                                                                    \
    X(ROUND_ROBIN, "PriorityBasedRoundRobin")                                                                          \
    X(GROUPING, "Grouping")                                                                                            \
    X(OTHER, "")

typedef enum {
#define X(id, name) AM_SCHEDULING_##id,
    AM_SCHEDULING_TABLE(X)
#undef X
        AM_SCHEDULINGS
} am_scheduling;

typedef am_property am_parameter; /* of a scheduler or of an allocation; keys without "extended: " */

typedef struct am_scheduler {
    const char *name;
    const char *algorithm_name; /* as the file writes it */
    am_scheduling algorithm;
    bool interrupts;                /* an interrupt controller */
    int parent;                     /* in schedulers[] */
    const am_parameter *parameters; /* its own, then those towards its parent */
    size_t parameter_count;
    const int *units; /* its responsibility: in units[] */
    size_t unit_count;
    int executing_unit;
    am_place at;
} am_scheduler;

typedef struct am_allocation {
    int task;
    int scheduler;
    const int *affinity; /* in units[] */
    size_t affinity_count;
    bool has_priority;
    int64_t priority;               /* a higher number first */
    const am_parameter *parameters; /* all of them, priority too */
    size_t parameter_count;
    am_place at;
} am_allocation;

typedef struct am_runnable_allocation {
    int runnable, scheduler;
    am_place at;
} am_runnable_allocation;

/* Events of event chains. */
typedef enum { AM_EVENT_PROCESS, AM_EVENT_RUNNABLE, AM_EVENT_LABEL, AM_EVENT_STIMULUS, AM_EVENT_OTHER } am_event_kind;

typedef struct am_event {
    const char *name;
    am_event_kind kind;
    int entity;       /* in tasks[], runnables[], labels[] or stimuli[] */
    int process;      /* LABEL, RUNNABLE: the task it happens in; -1 */
    int runnable;     /* LABEL: the runnable that does it; -1 */
    const char *type; /* "activate", "start", "terminate", "read", "write"; "": any */
    am_place at;
} am_event;

typedef struct am_chain am_chain;
struct am_chain {
    const char *name;
    int stimulus, response; /* in events[] */
    bool parallel;          /* its items are strands (any of them), not segments */
    const am_chain *items;
    size_t item_count;
    am_place at;
};

#define AM_METRIC_TABLE(X) X(RESPONSE, "ResponseTime") X(END_TO_END, "EndToEnd") X(OTHER, "")

typedef enum {
#define X(id, name) AM_METRIC_##id,
    AM_METRIC_TABLE(X)
#undef X
        AM_METRICS
} am_metric;

typedef enum {
    AM_LIMIT_PROCESS,
    AM_LIMIT_RUNNABLE,
    AM_LIMIT_PROCESS_CHAIN,
    AM_LIMIT_REACTION,
    AM_LIMIT_AGE,
    AM_LIMIT_DELAY
} am_limit_kind;

/* A limit on a time: a requirement or a timing constraint. */
typedef struct am_limit {
    const char *name;
    am_limit_kind kind;
    am_metric metric;           /* PROCESS, RUNNABLE, PROCESS_CHAIN */
    int entity;                 /* in tasks[], runnables[], process_chains[], or chains[] (REACTION, AGE) */
    int source, target;         /* DELAY: in events[] */
    am_mapping_type mapping;    /* DELAY */
    int64_t lower_ps, upper_ps; /* -1: none */
    const char *severity;       /* or "" */
    am_place at;
} am_limit;

typedef struct am_process_chain {
    const char *name;
    const int *tasks;
    size_t task_count;
    am_place at;
} am_process_chain;

typedef struct am_model {
    const char *version; /* of the schema: "2.0.0"; of the first file */
    const char *const *files;
    const uint32_t *crcs; /* of the files: CRC-32 of their bytes */
    size_t file_count;
    const am_task *tasks; /* ISRs too */
    size_t task_count;
    const am_runnable *runnables;
    size_t runnable_count;
    const am_label *labels;
    size_t label_count;
    const am_stimulus *stimuli;
    size_t stimulus_count;
    const char *const *os_events; /* names */
    size_t os_event_count;
    const char *const *semaphores; /* names */
    size_t semaphore_count;
    const am_definition *definitions;
    size_t definition_count;
    const am_unit *units;
    size_t unit_count;
    const am_scheduler *schedulers;
    size_t scheduler_count;
    const am_allocation *allocations;
    size_t allocation_count;
    const am_runnable_allocation *runnable_allocations;
    size_t runnable_allocation_count;
    const am_event *events;
    size_t event_count;
    const am_chain *chains;
    size_t chain_count;
    const am_process_chain *process_chains;
    size_t process_chain_count;
    const am_limit *limits;
    size_t limit_count;
    am_affinities affinities;
    const am_unknown *unknown;
    size_t unknown_count;
    arena memory;
} am_model;

/* Custom properties and parameters are found by key, and read as numbers, sizes and times. */

/* The property with this key, whatever its case; NULL: there is none. */
const am_property *property_find(const am_property *properties, size_t count, const char *key);
/* These read the value; false where it is not what the comment says. */

/* A whole number that is not negative. */
bool property_number(const am_property *p, int64_t *value);
/* One number, or a minimum and a maximum. */
bool property_range(const am_property *p, int64_t *least, int64_t *most);
/* One to three numbers of at least 1, with blanks, commas or "x" between them; the others are 1. */
bool property_dim3(const am_property *p, uint32_t out[3]);
/* A size such as 8KiB, 8 KiB, 8K or 8192. */
bool property_size(const am_property *p, int64_t *bytes);
/* A time such as 50000us, with a micro sign too, and a blank before the unit or none; rounded down to ns. */
bool property_time(const am_property *p, int64_t *ns);

/* A task that moves to another core may get another scheduler. */

/* How a scheduler orders its tasks. */
typedef enum { BY_PRIORITY, BY_PERIOD, BY_DEADLINE, BY_OTHER } scheduler_order;

/* A scheduler without an algorithm is taken to go by priorities. */
scheduler_order scheduler_order_of(const am_scheduler *s);
bool scheduler_has(const am_scheduler *s, int unit);
/* The scheduler of a task on this unit: its own (in schedulers[], or -1) where that is responsible for the unit; else
 * the first that is, has no parent and the same order; -1: there is none. On a GPU any responsible one will do. */
int scheduler_for(const am_model *m, int own, int unit, bool interrupts, bool gpu);

#endif
