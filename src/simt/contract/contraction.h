/* The result of contraction for one instruction. */
#ifndef SIMT_CONTRACT_CONTRACTION_H
#define SIMT_CONTRACT_CONTRACTION_H

#include "ptx/ptx.h"
#include "simt/program/lanes.h"

typedef struct contraction {
    uint32_t product;    /* a sum: 1 + the item of the product that becomes part of it; 0: none does */
    uint8_t operand;     /* a sum: which of its operands is that product, 1 or 2 */
    bool negate_product; /* a sum: the product enters with the other sign */
    bool negate_addend;  /* a sum: the other operand enters with the other sign */
    bool absorbed;       /* a product: all its uses are such sums */
    bool keep;           /* a product: its factors may change before a sum uses them, so they must be copied */
    slot kept[2];        /* a product with `keep`: rows of the copies + 2; 0: none yet */
} contraction;

#endif
