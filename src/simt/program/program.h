/* A program: the kernel of a launch and all functions that it can reach, decoded into ops, with the memory that they
 * use and its address space. In all structs a plural is a count, and the singular beside it is the array: `ops` and
 * `op`. */
#ifndef SIMT_PROGRAM_PROGRAM_H
#define SIMT_PROGRAM_PROGRAM_H

#include "base/arena.h"
#include "base/index.h"
#include "base/vec.h"
#include "gridcast/simt.h"
#include "ptx/ptx.h"
#include "simt/float/float.h"
#include "simt/program/op.h"

#define MAX_LOCAL_BYTES (512 << 10) /* of local memory per thread */
#define MAX_PARAM_BYTES 32764       /* of all parameters of a kernel, from PTX 8.1 and sm_70 on */

/* A function's code: ops first to first + count - 1 of the program. */
typedef struct function_code {
    const ptx_function *source; /* the PTX */
    uint32_t first, count;      /* its ops */
    uint32_t row_bytes;         /* size of the rows of a frame */
    uint32_t local_bytes;       /* size of a frame of local memory: .local and .param variables */
    char *constants;            /* rows of its constants */
    uint32_t registers;         /* 32-bit registers that the PTX uses */
    const uint32_t *param_at;   /* by parameter: its offset in the frame of local memory */
    const uint32_t *ret_at;     /* by result: its offset in the frame of local memory */
} function_code;

/* A range of global memory: a buffer of the launch, a variable of the module, or memory that the system provides. */
typedef struct region {
    const char *name;              /* for messages */
    uint64_t base, bytes;          /* its address and size */
    char *data;                    /* its bytes on this computer */
    bool constant;                 /* kernels cannot write it */
    struct word_marks *word_marks; /* by 4-byte word: which blocks accessed it; NULL: conflicts are not tracked */
} region;

/* The place of a variable. */
typedef struct variable {
    const ptx_var *source; /* its declaration */
    uint64_t address;      /* in its state space, or its offset in the frame */
    bool in_frame;         /* in the frame of a call: .local, and .param of functions */
} variable;

typedef struct program {
    arena memory;                 /* owns all arrays below except `variables` */
    const ptx_module *module;     /* the PTX */
    gcast_simt_contract contract; /* whether products and sums become fma */
    VEC(variable) variables;      /* all variables with their places */
    hash_index variable_index;    /* by declaration: its number in `variables` */
    uint32_t ops, functions;      /* function 0 is the kernel */
    op *op;                       /* of all functions, one after the other */
    function_code *function;      /* in the order in which the search reached them */
    char *params;                 /* the kernel's parameters, as bytes */
    uint32_t param_bytes;         /* their size */
    uint32_t static_shared;       /* bytes of shared memory with a size in the text */
    uint32_t shared_bytes;        /* bytes of shared memory per block: static, dynamic and reserved */
    uint32_t regions;             /* of global memory */
    region *region;               /* buffers of the launch first, then variables, then memory of the system */
    uint32_t sections;            /* of 1 << MEMORY_SECTION bytes, from address 0 on */
    uint32_t *section;            /* by section: 1 + its region; 0: none */
    uint32_t heap;                /* 1 + the region that malloc takes memory from; 0: malloc is not called */
    uint32_t workspace;           /* 1 + the region for barriers of a cooperative grid; 0: there are none */
    uint32_t reserved_shared;     /* bytes of shared memory that the system reserves, at the end */
} program;

/* Gives a variable its place; false without memory, with the error set. */
bool place_variable(program *p, const ptx_var *v, uint64_t address, bool in_frame, gcast_error *err);
/* The place of a variable; NULL: it has none. */
const variable *find_variable(const program *p, const ptx_var *v);

/* The source file of an op; NULL: not known. */
const char *source_file_of(const program *p, const op *o);
/* " (file:line)" for messages, or "". */
void source_place(const program *p, const op *o, char *out, size_t size);

/* Generic addresses have 64 bits. Global memory (buffers of the launch and variables of the module) is divided into
 * sections that hold one region each, so far apart that a wrong 32-bit index reaches no other region. Shared, local and
 * parameter memory have offsets from 0 in their own spaces, and windows among the generic addresses. */

#define WINDOW_BYTES ((uint64_t)1 << 32)
#define SHARED_WINDOW ((uint64_t)1 << 32)
#define LOCAL_WINDOW ((uint64_t)2 << 32)
#define PARAM_WINDOW ((uint64_t)3 << 32)
#define FUNCTION_BASE ((uint64_t)4 << 32)           /* address of function 0; the others are FUNCTION_STEP apart */
#define FUNCTION_STEP 16                            /* bytes from one function's address to the next */
#define MEMORY_SECTION 38                           /* bits of an address within a section: 256 GiB */
#define MEMORY_BASE ((uint64_t)1 << MEMORY_SECTION) /* the first section holds the windows */
#define MIN_REGION_DISTANCE ((uint64_t)64 << 30)    /* minimum distance from a region to the next */
#define NULL_PAGE_BYTES ((uint64_t)1 << 20)         /* an address below this comes from a pointer that was not set */

/* Gives the regions their addresses. */
gcast_status memory_map(program *p, region *r, uint32_t count, gcast_error *err);

/* The region of the section that an address is in; NULL: none. The caller checks its bounds. */
static inline region *memory_region(const program *p, uint64_t address)
{
    uint64_t section = address >> MEMORY_SECTION;
    uint32_t i = section < p->sections ? p->section[section] : 0;
    return i ? &p->region[i - 1] : NULL;
}

/* The shape of a row of a type: w up to 32 bits, h 16 bits, x 64 bits, p a predicate. */
char shape_of(ptx_type t);
/* The type in float/float.h; of a packed type the type of one half; FLOAT_TYPES: none. */
float_type float_type_of(ptx_type t);
/* Alignment of a variable in bytes: as declared, or that of its type. */
uint32_t variable_alignment(const ptx_var *v);

#endif
