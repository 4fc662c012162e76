/* The kernel's own text, changed, and its variables. */
#ifndef SMC_CODE_H
#define SMC_CODE_H

#include "gridcast/plan.h"
#include "smc/state.h"

/* The variables of a kernel, before it. plan NULL: the program writes it before it launches. */
void smc_code_variables(const smc_kernel *k, const gcast_plan *plan, text *out);
/* A line of the kernel's body; changes its operands. */
void smc_code_item(smc_kernel *k, ptx_item *item, text *out);

#endif
