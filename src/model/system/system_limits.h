/* Limits on times of a system beside deadlines of tasks and limits of chains: on responses from below, on runnables,
 * and on the delay from one event to another. */
#ifndef MODEL_SYSTEM_SYSTEM_LIMITS_H
#define MODEL_SYSTEM_SYSTEM_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYS_NO_LIMIT (-1) /* as the least or the most that is allowed: any */

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

/* Steps of a task that belong together: what a runnable does. */
typedef struct sys_span {
    int task;
    size_t first, end; /* its steps: from first, before end; none of them: it takes no time */
    bool inside;       /* it is only a part of this one step, and may not happen at all */
} sys_span;

/* When something happens in a job. */
typedef enum {
    SYS_AT_RELEASE, /* of the job */
    SYS_AT_START,   /* the step executes for the first time */
    SYS_AT_END,     /* the step ends */
    SYS_AT_ANY      /* at any times between these two, as often as it likes */
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
    sys_data data; /* it is an access to data: then, with implicit communication and LET, all happens at one time */
    const sys_point *points; /* where it may happen; at least one */
    size_t point_count;
} sys_event;

typedef struct sys_limit {
    const char *name; /* of the requirement or constraint */
    sys_limit_kind kind;
    int64_t min_ns, max_ns; /* SYS_NO_LIMIT */
    const char *on;         /* of the task or runnable that it limits; DELAY: "" */
    int task;               /* RESPONSE */
    const sys_span *spans;  /* RUNNABLE: every time that it is called, by any task */
    size_t span_count;
    sys_event source, target; /* DELAY */
    sys_mapping mapping;
    unsigned effects; /* of what is assumed of it alone (sys_effect) */
} sys_limit;

#endif
