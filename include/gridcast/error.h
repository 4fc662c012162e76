/* Errors. Every call that can fail returns a gcast_status and fills the
 * gcast_error it is given (NULL is fine). The status of an error is also the
 * exit status of the command. */
#ifndef GRIDCAST_ERROR_H
#define GRIDCAST_ERROR_H

/* name, exit status, what it means */
#define GCAST_STATUS_TABLE(X)                                                                                          \
    X(OK, 0, "done")                                                                                                   \
    X(NO, 1, "the answer is no")                                                                                       \
    X(USAGE, 2, "the command line is wrong")                                                                           \
    X(INPUT, 3, "an input is wrong")                                                                                   \
    X(RESOURCE, 4, "no memory, or an output cannot be written")                                                        \
    X(GPU, 5, "no usable GPU, or a CUDA error")                                                                        \
    X(INTERNAL, 70, "an internal check failed")

typedef enum {
#define X(name, value, text) GCAST_##name = value,
    GCAST_STATUS_TABLE(X)
#undef X
} gcast_status;

typedef struct gcast_error {
    gcast_status code;
    int line, column; /* 0: not known */
    char file[256];   /* "": no file */
    char path[256];   /* such as /ops/3/grid; "": no path */
    char message[512];
} gcast_error;

#if defined(__GNUC__)
#define GCAST_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define GCAST_PRINTF(fmt, first)
#endif

/* Fill err (may be NULL) and return code. Text longer than the buffers is cut.
 * `path` may be NULL. Line, column and file are cleared. */
gcast_status gcast_error_set(gcast_error *err, gcast_status code, const char *path, const char *format, ...)
    GCAST_PRINTF(4, 5);

/* The same for "no memory". */
gcast_status gcast_error_set_memory(gcast_error *err);

/* What a status means, from the table above. */
const char *gcast_status_text(gcast_status status);

#endif
