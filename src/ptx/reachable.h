/* What a kernel can reach: functions that it calls or takes the address of, and functions in variables that it uses,
 * such as tables of virtual functions. Functions that only other kernels use need not be supported. Also what the
 * kernel needs of the system: a heap, a workspace of the grid, reserved shared memory. */
#ifndef PTX_REACHABLE_H
#define PTX_REACHABLE_H

#include "ptx/ptx.h"

typedef struct ptx_reached {
    uint32_t functions;            /* reached functions with a body */
    const ptx_function **function; /* the kernel is the first */
    bool heap;                     /* malloc or free is called */
    bool grid;                     /* the workspace for barriers of a cooperative launch is used (%envreg1, %envreg2) */
    bool reserved;                 /* the part of a block's shared memory that the system reserves is used */
} ptx_reached;

/* False without memory. The list is allocated in `memory`. */
bool ptx_reach(const ptx_module *m, const ptx_function *kernel, arena *memory, ptx_reached *out);

#endif
