/* Operands that are addresses: [register + offset], [variable + offset]. */
#ifndef SIMT_DECODE_ADDRESS_H
#define SIMT_DECODE_ADDRESS_H

#include "simt/decode/state.h"

/* Fills space, address_bytes, a, imm, is_uniform and in_frame of a memory op. */
bool decode_address(decoder *d, const ptx_operand *x, ptx_space space, op *o);

#endif
