/* The code that a worker runs before, between and after its jobs, as PTX text. */
#ifndef SMC_WORKER_CODE_H
#define SMC_WORKER_CODE_H

#include "base/text.h"
#include "smc/transformed_kernel.h"

/* Prints the code before the kernel's own instructions, and after them. */
void smc_worker_before(const smc_kernel *k, text *out);
void smc_worker_after(const smc_kernel *k, text *out);

/* Prints functions that a transformed kernel calls now and then. They come before the kernel. Code in functions changes
 * less how the kernel's own instructions are compiled. */
void smc_worker_functions(const smc_kernel *k, text *out);

#endif
