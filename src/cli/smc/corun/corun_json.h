/* What a co-run's search found, as gridcast.corun/1. */
#ifndef CLI_SMC_CORUN_CORUN_JSON_H
#define CLI_SMC_CORUN_CORUN_JSON_H

#include "base/text/text.h"
#include "cli/smc/corun/state.h"

void corun_json(const corun_request *c, text *out);

#endif
