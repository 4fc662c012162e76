/* Contraction: PTX lets a compiler replace a product and a sum without rounding modifiers by one fma, and ptxas does.
 * Which pairs ptxas contracts was found from its output for many programs (tests/data/ptxas). */
#ifndef SIMT_PTXAS_CONTRACT_H
#define SIMT_PTXAS_CONTRACT_H

#include "ptx/ptx.h"
#include "simt/program/lanes.h"

/* The result for one instruction. */
typedef struct contraction {
    uint32_t product;    /* a sum: 1 + the item of the product that it absorbs; 0: none */
    uint8_t operand;     /* a sum: which of its operands is that product, 1 or 2 */
    bool negate_product; /* a sum: the product enters with the other sign */
    bool negate_addend;  /* a sum: the other operand enters with the other sign */
    bool absorbed;       /* a product: all its uses are sums that absorb it */
    bool keep;           /* a product: its factors may change before a sum uses them, so they must be copied */
    slot kept[2];        /* a product with `keep`: rows of the copies + 2; 0: none yet */
} contraction;

/* Fills `out`, which has a zeroed element for each item of the function. */
gcast_status contract_function(const ptx_function *fn, contraction *out, gcast_error *err);

/* Is it a product that a sum may absorb? The caller excludes products of two constants. */
bool contract_is_product(const ptx_instruction *in);
/* Is it a sum that may absorb a product? */
bool contract_is_sum(const ptx_instruction *in);

/* Is it a load of constant memory or of a parameter at a fixed address? ptxas makes that an operand. */
bool contract_is_constant_load(const ptx_instruction *in, bool is_entry);

#endif
