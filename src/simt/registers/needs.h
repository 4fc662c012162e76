/* Which PTX registers need a register of the GPU. */
#ifndef SIMT_REGISTERS_NEEDS_H
#define SIMT_REGISTERS_NEEDS_H

#include "ptx/graph/live.h"
#include "simt/registers/state.h"

/* False without memory. */
bool registers_view_make(register_view *v, const ptx_graph *g);
void registers_view_free(register_view *v);
/* What instructions read and write in this view. */
ptx_roles registers_roles(const register_view *v);

#endif
