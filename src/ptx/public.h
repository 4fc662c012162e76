/* The struct behind the public handle gcast_ptx, for the rooms that use the parsed module. */
#ifndef PTX_PUBLIC_H
#define PTX_PUBLIC_H

#include "gridcast/ptx.h"
#include "ptx/ptx.h"

struct gcast_ptx {
    ptx_module *module;    /* the parsed text */
    uint32_t kernels;      /* kernels with a body */
    ptx_function **kernel; /* in the order of the text */
};

bool gcast_ptx_same(const gcast_ptx *a, const gcast_ptx *b);

/* NN of .target sm_NN; 0: it names none. */
int gcast_ptx_sm(const gcast_ptx *p);

/* The number of a kernel's parameters; and of a parameter the bytes, the type name ("u64") and, for an array or a
 * structure (mostly an array of .b8), the number of elements; 0: it is neither. */
uint32_t gcast_ptx_params(const gcast_ptx *p, uint32_t kernel);

uint64_t gcast_ptx_param_bytes(const gcast_ptx *p, uint32_t kernel, uint32_t param);

const char *gcast_ptx_param_type(const gcast_ptx *p, uint32_t kernel, uint32_t param);

uint64_t gcast_ptx_param_elements(const gcast_ptx *p, uint32_t kernel, uint32_t param);

/* Do blocks of this kernel's grid meet, as this_grid().sync() of cooperative groups makes them? */
gcast_status gcast_ptx_cooperative(const gcast_ptx *p, uint32_t kernel, bool *out, gcast_error *err);

/* The bytes of a variable of the module in global or constant memory; false: it has none of this name. */
bool gcast_ptx_variable_bytes(const gcast_ptx *p, const char *name, uint64_t *bytes);

#endif
