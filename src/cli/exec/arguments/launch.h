/* A launch: its grid, its blocks, and one argument per parameter of the kernel. A command line describes it, or a
 * launch file (launch_of_file.h). */
#ifndef CLI_EXEC_ARGUMENTS_LAUNCH_H
#define CLI_EXEC_ARGUMENTS_LAUNCH_H

#include "base/arena.h"
#include "base/vec.h"
#include "cli/args.h"
#include "cli/exec/arguments/given_arg.h"
#include "cli/exec/arguments/value.h"

typedef struct exec_launch {
    gcast_launch launch;            /* refers to the vectors */
    VEC(gcast_buffer) buffers;      /* the buffers of the arguments */
    VEC(const value_type *) types;  /* the element type of each buffer */
    VEC(gcast_argument) arguments;  /* one per parameter of the kernel */
    VEC(given_arg) given;           /* each argument as it was given */
    VEC(const value_type *) values; /* the type of each argument that is one value; NULL: a structure or an address */
    VEC(gcast_variable) variables;  /* of the module, that come back */
    uint64_t total_bytes;           /* of all buffers */
    const char *file;               /* the launch file that describes it; NULL: the command line does */
    arena memory;                   /* of names and of arguments passed by value */
} exec_launch;

/* Reads --grid, --block, --shared and --arg, and fills the buffers. Free it also after an error, which is printed. */
gcast_status exec_launch_read(exec_launch *e, const args *a);
/* Adds an argument, and fills its buffer. Errors are printed. */
gcast_status exec_argument_add(exec_launch *e, const given_arg *arg);
void exec_launch_free(exec_launch *e);

/* The index of the buffer whose name is the first `length` characters; -1: none. */
int exec_buffer_find(const exec_launch *e, const char *name, size_t length);
/* The number of elements of a buffer. */
static inline size_t exec_buffer_count(const exec_launch *e, int buffer)
{
    return e->buffers.at[buffer].bytes / (size_t)e->types.at[buffer]->bytes;
}

#endif
