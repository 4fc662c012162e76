/* printf of kernels. */
#ifndef SIMT_WARP_KERNEL_PRINTF_H
#define SIMT_WARP_KERNEL_PRINTF_H

#include "simt/machine/machine.h"

/* Prints for one lane what vprintf(format, values) prints, by their addresses; *count is what it returns. False with
 * the error set. */
bool print_format(core *c, warp *w, const op *o, uint32_t lane, uint64_t format, uint64_t values, int32_t *count);

#endif
