/* Errors. Every call that can fail returns a gcast_status and fills the
 * gcast_error it is given (NULL is fine). The status of an error is also the
 * exit status of the command. */
#ifndef GRIDCAST_ERROR_H
#define GRIDCAST_ERROR_H

#include "gridcast/api.h"

GCAST_BEGIN_DECLS

/* name, exit status, what it means */
#define GCAST_STATUS_TABLE(X)                                                                                          \
    X(OK, 0, "done")                                                                                                   \
    X(NO, 1, "the answer is no")                                                                                       \
    X(USAGE, 2, "an argument or an option is wrong")                                                                   \
    X(INPUT, 3, "an input is wrong")                                                                                   \
    X(RESOURCE, 4, "not enough memory, or an output cannot be written")                                                \
    X(GPU, 5, "no usable GPU, or a CUDA error")                                                                        \
    X(CONDITION, 6, "the answer is yes, on a condition")                                                               \
    X(INTERNAL, 70, "an internal check failed")

typedef enum {
#define GCAST_X(name, value, text) GCAST_##name = value,
    GCAST_STATUS_TABLE(GCAST_X)
#undef GCAST_X
} gcast_status;

/* What the caller must add so that the call can succeed: name, text. */
#define GCAST_HINT_TABLE(X)                                                                                            \
    X(NONE, "no known remedy")                                                                                         \
    X(GPU, "a GPU, to the call or in the workload")                                                                    \
    X(CAPABILITY, "a compute capability of gcast_limits_table")                                                        \
    X(DURATION, "how long the op takes, with gcast_workload_set_duration")                                             \
    X(DURATIONS, "how long the op and others take, with gcast_workload_set_duration")                                  \
    X(HORIZON, "a horizon, in the options")                                                                            \
    X(ITERATIONS, "a number of iterations, in the options")                                                            \
    X(PROCESSES, "permission to treat several processes as one, in the options")                                       \
    X(LIMIT, "a longer limit, in the options")                                                                         \
    X(DEVICE, "the number of a GPU of the profile, in the options")

typedef enum {
#define GCAST_X(id, text) GCAST_HINT_##id,
    GCAST_HINT_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_HINTS
} gcast_hint;

typedef struct gcast_error {
    gcast_status code;
    gcast_hint hint;
    int line, column; /* 0: not known */
    char file[256];   /* "": no file */
    char path[256];   /* such as /ops/3/grid; "": no path */
    char name[256];   /* of an op, with a hint to its duration; "": none */
    char message[512];
} gcast_error;

#if defined(__GNUC__)
#define GCAST_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define GCAST_PRINTF(fmt, first)
#endif

/* Fill err (may be NULL) and return code. Text longer than the buffers is cut.
 * `path` may be NULL. Line, column, file, hint and name are cleared. */
GCAST_API gcast_status gcast_error_set(gcast_error *err, gcast_status code, const char *path, const char *format, ...)
    GCAST_PRINTF(4, 5);

/* Fills err with "no memory" and returns its status. */
GCAST_API gcast_status gcast_error_set_memory(gcast_error *err);

/* What a status means, from the table above. */

GCAST_END_DECLS

#endif
