/* What an instruction reads, writes and does. Nothing here depends on how it is
 * executed. */
#ifndef PTX_GRAPH_ROLES_H
#define PTX_GRAPH_ROLES_H

#include "ptx/ptx.h"

/* Called for a register; `part`: only a component of it. */
typedef void ptx_visit(void *data, uint32_t reg, bool part);
/* Calls `visit` for each register that an instruction writes, or reads. The guard is read. A guarded instruction leaves
 * its results as they were in some threads: the caller must know. */
void ptx_each_write(const ptx_instruction *in, ptx_visit *visit, void *data);
void ptx_each_read(const ptx_instruction *in, ptx_visit *visit, void *data);
/* Does it do anything but write registers? If not, compilers remove it where nothing reads these. */
bool ptx_has_effect(const ptx_instruction *in);
/* May control go elsewhere than to the next instruction? */
bool ptx_is_jump(const ptx_instruction *in);

#endif
