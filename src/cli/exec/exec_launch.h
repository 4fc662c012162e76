/* A launch: its kernel, its grid, its blocks, and one argument per parameter of the kernel. A command line or a launch
 * file describes it. */
#ifndef CLI_EXEC_EXEC_LAUNCH_H
#define CLI_EXEC_EXEC_LAUNCH_H

#include "base/arena.h"
#include "base/vec.h"
#include "cli/args.h"
#include "cli/exec/buffer_fill.h"
#include "cli/exec/value.h"
#include "model/launch_file.h"

typedef struct exec_launch {
    gcast_launch launch;            /* refers to the vectors below */
    VEC(gcast_buffer) buffers;      /* the buffers of the arguments */
    VEC(const value_type *) types;  /* the element type of each buffer */
    VEC(gcast_argument) arguments;  /* one per parameter of the kernel */
    VEC(given_arg) given;           /* each argument as it was given */
    VEC(const value_type *) values; /* the type of each argument that is one value; NULL: a structure or an address */
    VEC(gcast_variable) variables;  /* variables of the module to read after the run */
    uint64_t total_bytes;           /* of all buffers */
    const char *file;               /* the launch file that describes it; NULL: the command line does */
    arena memory;                   /* of names and of arguments passed by value */
} exec_launch;

/* Reads --grid, --block, --shared and --arg, and fills the buffers. Free it also after an error. Errors are printed,
 * here and below. */
gcast_status exec_launch_read(exec_launch *e, const args *a);
/* Reads the launch of a launch file. `ptx` is that of f->ptx. Both must outlive the launch. Free it also after an
 * error, which names the launch file. */
gcast_status exec_launch_of_file(const gcast_launch_file *f, const gcast_ptx *ptx, exec_launch *out);
/* Makes it a launch of this kernel, and checks the arguments against the kernel's parameters. */
gcast_status exec_launch_bind(exec_launch *e, const gcast_ptx *p, uint32_t kernel);
void exec_launch_free(exec_launch *e);

/* The index of the buffer whose name is the first `length` characters; -1: none. */
int exec_buffer_find(const exec_launch *e, const char *name, size_t length);
/* The number of elements of a buffer. */
static inline size_t exec_buffer_count(const exec_launch *e, int buffer)
{
    return e->buffers.at[buffer].bytes / (size_t)e->types.at[buffer]->bytes;
}

/* The number of the kernel `wanted`, also by its name in C++; NULL: the only one. `file` is for messages. */
gcast_status exec_kernel_find(const gcast_ptx *p, const char *wanted, const char *file, uint32_t *kernel);
/* The limits of the GPU; if it is NULL those of the target of the PTX, or else of compute capability 9.0. */
const gcast_limits *exec_limits(const gcast_gpu *gpu, const gcast_ptx *p);

#endif
