/* Sums with a product that ptxas makes one instruction (simt/contract): fma of the
 * product's factors and the other operand, rounded once. */
#ifndef SIMT_ISA_CONTRACTED_H
#define SIMT_ISA_CONTRACTED_H

#include "simt/decode/state.h"

/* Emits the fma of such a sum, whose own operands are in o->a and o->b. */
bool decode_contracted(decoder *d, op *o, ptx_type t);
/* Emits copies of a product's factors, which may change before its sums are computed. */
bool keep_factors(decoder *d, const op *product, ptx_type t);

#endif
