/* What a kernel can reach: the functions that it calls or takes the address of,
 * and those in variables that it uses, such as tables of virtual functions.
 * Functions that only other kernels use need not be supported. Also what the
 * kernel needs of the system: a heap, a workspace of the grid, reserved shared
 * memory. */
#ifndef PTX_GRAPH_REACHABLE_H
#define PTX_GRAPH_REACHABLE_H

#include "ptx/ptx.h"

typedef struct ptx_reached {
    uint32_t functions;            /* that can be reached */
    const ptx_function **function; /* those with a body; the kernel is the first */
    bool heap;                     /* they call malloc or free */
    bool grid;     /* they use the workspace at which blocks of a cooperative launch meet (%envreg1, %envreg2) */
    bool reserved; /* they use the part of a block's shared memory that the system keeps */
} ptx_reached;

/* False without memory. The list is allocated in `memory`. */
bool ptx_reach(const ptx_module *m, const ptx_function *kernel, arena *memory, ptx_reached *out);

#endif
