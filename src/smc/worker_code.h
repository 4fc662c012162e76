/* What a worker does before, between and after its jobs, as PTX text. */
#ifndef SMC_WORKER_CODE_H
#define SMC_WORKER_CODE_H

#include "base/text/text.h"
#include "smc/state.h"

/* What comes before the kernel's own instructions, and after them. */
void smc_worker_before(const smc_kernel *k, text *out);
void smc_worker_after(const smc_kernel *k, text *out);

#endif
