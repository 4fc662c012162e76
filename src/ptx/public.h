/* What is behind the public handle: the rooms above look into the module. */
#ifndef PTX_PUBLIC_H
#define PTX_PUBLIC_H

#include "gridcast/ptx.h"
#include "ptx/ptx.h"

struct gcast_ptx {
    ptx_module *module;
    uint32_t kernels;
    ptx_function **kernel; /* entries with a body, in the order of the text */
};

#endif
