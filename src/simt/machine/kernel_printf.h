/* printf of kernels. */
#ifndef SIMT_MACHINE_KERNEL_PRINTF_H
#define SIMT_MACHINE_KERNEL_PRINTF_H

#include "simt/machine/machine.h"

/* vprintf(format, values) of one lane; both are addresses. *count is its result. False with the error set. */
bool print_format(core *c, warp *w, const op *o, uint32_t lane, uint64_t format, uint64_t values, int32_t *count);

#endif
