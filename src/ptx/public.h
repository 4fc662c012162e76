/* The struct behind the public handle, for the rooms above, which use the
 * module. */
#ifndef PTX_PUBLIC_H
#define PTX_PUBLIC_H

#include "gridcast/ptx.h"
#include "ptx/ptx.h"

struct gcast_ptx {
    ptx_module *module;    /* the parsed text */
    uint32_t kernels;      /* with a body */
    ptx_function **kernel; /* kernels with a body, in the order of the text */
};

#endif
