/* A program: the kernel of a launch and all functions that it can reach, decoded
 * into ops, with the memory that they use. In all structs a plural is a count,
 * and the singular beside it is the array: `ops` and `op`. */
#ifndef SIMT_PROGRAM_PROGRAM_H
#define SIMT_PROGRAM_PROGRAM_H

#include "base/arena.h"
#include "base/index.h"
#include "base/vec.h"
#include "gridcast/simt.h"
#include "simt/program/op.h"

#define MAX_LOCAL_BYTES (512 << 10) /* of local memory per thread */
#define MAX_PARAM_BYTES 32764       /* of a kernel's parameters since PTX 8.1, from sm_70 on */

/* A function's code: ops first to first + count - 1 of the program. */
typedef struct function_code {
    const ptx_function *source; /* what it was decoded from */
    uint32_t first, count;      /* its ops */
    uint32_t row_bytes;         /* size of the rows of a frame */
    uint32_t local_bytes;       /* size of a frame of local memory: .local and .param variables */
    char *constants;            /* rows of the constants that its ops name */
    uint32_t registers;         /* 32-bit registers that the PTX uses */
    const uint32_t *param_at;   /* by parameter: its offset in the frame of local memory */
    const uint32_t *ret_at;     /* by result: its offset in the frame of local memory */
} function_code;

/* A range of global memory: a buffer of the launch, a variable of the module, or memory that the system provides. */
typedef struct region {
    const char *name;              /* for messages */
    uint64_t base;                 /* its address */
    uint64_t bytes;                /* its size */
    char *data;                    /* its bytes on this computer */
    bool constant;                 /* kernels cannot write it */
    struct word_marks *word_marks; /* by 4-byte word: which blocks accessed it; NULL: conflicts are not tracked */
} region;

/* Where a variable is. */
typedef struct variable {
    const ptx_var *source; /* its declaration */
    uint64_t address;      /* in its state space, or its offset in the frame */
    bool in_frame;         /* it is in the frame of a call: .local, and .param of functions */
} variable;

typedef struct program {
    arena memory;                 /* owns all arrays below, but for `variables` */
    const ptx_module *module;     /* what it was decoded from */
    gcast_simt_contract contract; /* whether products and sums become fma */
    VEC(variable) variables;      /* all variables with their places */
    hash_index variable_index;    /* by declaration: its number in `variables` */
    uint32_t ops, functions;      /* function 0 is the kernel */
    op *op;                       /* of all functions, one after the other */
    function_code *function;      /* in the order in which they were reached */
    char *params;                 /* the kernel's parameters, as bytes */
    uint32_t param_bytes;         /* their size */
    uint32_t static_shared;       /* bytes of shared memory with a size in the text */
    uint32_t shared_bytes;        /* bytes of shared memory per block: static, dynamic and reserved */
    uint32_t regions;             /* of global memory */
    region *region;               /* buffers of the launch first, then variables, then memory of the system */
    uint32_t sections;            /* of 1 << MEMORY_SECTION bytes, from address 0 on */
    uint32_t *section;            /* by section: 1 + the region that is in it; 0: none */
    uint32_t heap;                /* 1 + the region that malloc takes memory from; 0: nothing calls it */
    uint32_t workspace;           /* 1 + the region at which blocks of a cooperative grid meet; 0: they do not */
    uint32_t reserved_shared;     /* bytes of shared memory that the system keeps, at the end */
} program;

#endif
