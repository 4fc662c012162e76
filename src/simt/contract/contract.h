/* Contraction: PTX lets a compiler make one fma of a product and a sum that
 * have no rounding modifier, and ptxas does. Which ones it takes was found by
 * looking at what it makes of many programs (tests/data/ptxas). */
#ifndef SIMT_CONTRACT_CONTRACT_H
#define SIMT_CONTRACT_CONTRACT_H

#include "ptx/ptx.h"
#include "simt/isa/lanes.h"

typedef struct contraction {
    uint32_t product; /* of a sum: 1 + the item of the product that is part of it; 0: none is */
    uint8_t operand;  /* of the sum that is the product: 1 or 2 */
    bool negate_product, negate_addend;
    bool absorbed; /* of a product: all that need it are such sums */
    bool keep;     /* of a product: its factors may change before a sum takes them */
    slot kept[2];  /* of a product with `keep`: where they are, + 2; 0: not decided yet */
} contraction;

/* Fills `out`, of one for each item of the function and zeroed. */
gcast_status contract_function(const ptx_function *fn, contraction *out, gcast_error *err);

/* What instructions are to contraction. */
bool contract_is(const ptx_instruction *in, const char *opcode);
bool contract_is_product(const ptx_instruction *in); /* two constants make none, which is for the caller to see */
bool contract_is_sum(const ptx_instruction *in);
/* Does ptxas make a call or branches of it, so that what comes before and after are not one run? */
bool contract_ends_run(const ptx_instruction *in);
/* The number that an operand writes out, as type t has it. */
bool contract_number(const ptx_operand *x, ptx_type t, uint64_t *bits);
/* A load from a place that is known and does not change: ptxas reads it as an operand. */
bool contract_is_constant_load(const ptx_instruction *in, bool is_entry);

#endif
