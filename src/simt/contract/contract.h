/* Contraction: PTX lets a compiler make one fma of a product and a sum that
 * have no rounding modifier, and ptxas does. Which ones it takes was found by
 * looking at what it makes of many programs (tests/data/ptxas). */
#ifndef SIMT_CONTRACT_CONTRACT_H
#define SIMT_CONTRACT_CONTRACT_H

#include "simt/contract/contraction.h"

/* Fills `out`, which has a zeroed element for each item of the function. */
gcast_status contract_function(const ptx_function *fn, contraction *out, gcast_error *err);

#endif
