/* What a co-run's search found, as a table. */
#ifndef CLI_SMC_CORUN_CORUN_TABLE_H
#define CLI_SMC_CORUN_CORUN_TABLE_H

#include "base/text/text.h"
#include "cli/smc/corun/state.h"

void corun_table(const corun_request *c, text *out);

#endif
