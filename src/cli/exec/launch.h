/* The launch that a command line describes: its grid, its blocks, and an --arg for
 * each parameter of the kernel. */
#ifndef CLI_EXEC_LAUNCH_H
#define CLI_EXEC_LAUNCH_H

#include "base/arena.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/exec/value.h"

typedef struct exec_launch {
    gcast_launch launch;
    VEC(gcast_buffer) buffers;
    VEC(const value_type *) types; /* of the buffers */
    VEC(gcast_argument) arguments;
    VEC(const char *) words;        /* of the arguments, as given */
    VEC(const value_type *) values; /* of the arguments: single values; NULL: elements of a structure, or an address */
    uint64_t total;                 /* bytes of all buffers */
    arena memory;
} exec_launch;

/* From --grid, --block, --shared and --arg; buffers are filled. Free it in any case. */
gcast_status exec_launch_read(exec_launch *e, const args *a);
/* Which kernel, and are these its arguments? `file` is for messages. */
gcast_status exec_launch_fits(exec_launch *e, const gcast_ptx *p, const char *wanted, const char *file);
void exec_launch_free(exec_launch *e);

/* The index of the buffer whose name is the first `length` characters; -1: none. */
int exec_buffer_find(const exec_launch *e, const char *name, size_t length);
static inline size_t exec_buffer_count(const exec_launch *e, int buffer)
{
    return e->buffers.at[buffer].bytes / (size_t)e->types.at[buffer]->bytes;
}

#endif
