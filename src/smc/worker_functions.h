/* Functions that a transformed kernel calls now and then. The fewer instructions the kernel itself has, the less its
 * own ones are compiled in another way. */
#ifndef SMC_WORKER_FUNCTIONS_H
#define SMC_WORKER_FUNCTIONS_H

#include "base/text/text.h"
#include "smc/state.h"

/* Their text, before the kernel's. */
void smc_worker_functions(const smc_kernel *k, text *out);

#endif
