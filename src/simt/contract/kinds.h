/* What instructions are to contraction. */
#ifndef SIMT_CONTRACT_KINDS_H
#define SIMT_CONTRACT_KINDS_H

#include "ptx/ptx.h"

/* Is it a product that a sum may absorb? The caller excludes products of two constants. */
bool contract_is_product(const ptx_instruction *in);
/* Is it a sum that may absorb a product? */
bool contract_is_sum(const ptx_instruction *in);
/* Does ptxas make a call or branches of it, so that the instructions before and after it are in different runs? */
bool contract_ends_run(const ptx_instruction *in);
/* The value of an operand that is a constant, as type t has it; false: it is none. */
bool contract_number(const ptx_operand *x, ptx_type t, uint64_t *bits);
/* Is it a load from a fixed address that does not change? ptxas makes it an operand. */
bool contract_is_constant_load(const ptx_instruction *in, bool is_entry);

#endif
