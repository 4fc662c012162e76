/* A plan in a line of a table. */
#ifndef CLI_SMC_PLAN_TABLE_H
#define CLI_SMC_PLAN_TABLE_H

#include "base/text/text.h"
#include "cli/smc/state.h"

/* A row per kernel of `p` that does not stay as it is, by `stays`; with p NULL one row without a kernel. */
void plan_table(const smc_request *r, const gcast_ptx *p, const bool *stays, text *out);

#endif
