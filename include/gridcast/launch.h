/* One launch of one kernel with its arguments and buffers: what the SIMT
 * machine and a real GPU are given alike. Everything belongs to the caller. */
#ifndef GRIDCAST_LAUNCH_H
#define GRIDCAST_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Global memory: goes in with `data`, comes back in `data`. */
typedef struct gcast_buffer {
    const char *name; /* for messages and reports; NULL: "a buffer" */
    void *data;       /* NULL: only with 0 bytes */
    size_t bytes;
} gcast_buffer;

typedef struct gcast_argument {
    int buffer;        /* its address is the argument; -1: `value` is */
    const void *value; /* `bytes` of it, little-endian */
    size_t bytes;
} gcast_argument;

/* A variable of the module in global or constant memory: comes back in `data`. */
typedef struct gcast_variable {
    const char *name;
    void *data;
    size_t bytes; /* all of it */
    bool is_set;  /* `data` goes in before the launch; else it starts with what the module gives it */
} gcast_variable;

typedef struct gcast_launch {
    const char *kernel; /* NULL: the only one there is */
    uint32_t grid[3], block[3];
    uint32_t shared_bytes; /* dynamic */
    bool cooperative;      /* its blocks meet, so a GPU must hold all of them at once */
    uint32_t arguments, buffers;
    gcast_argument *argument;
    gcast_buffer *buffer;
    uint32_t variables;
    gcast_variable *variable;
} gcast_launch;

#endif
