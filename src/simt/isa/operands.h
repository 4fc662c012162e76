/* Operands become rows: registers are in the frame, constants beside the code, and a hidden op fills a row with a
 * special register or an address. Shapes are as in shape_of. */
#ifndef SIMT_ISA_OPERANDS_H
#define SIMT_ISA_OPERANDS_H

#include "simt/isa/decoder.h"

/* The row of an operand that is read. */
bool source(decoder *d, const ptx_operand *x, char shape, slot *out);
/* The row of an operand of a type; constants are converted to it. */
bool typed_source(decoder *d, const ptx_operand *x, ptx_type t, slot *out);
/* The row of an operand that is written. */
bool destination(decoder *d, const ptx_operand *x, char shape, slot *out);
/* The row of a register of at least so many bytes, for ld, st and cvt; *width is its size: 2, 4 or 8. */
bool any_width(decoder *d, const ptx_operand *x, bool write, uint32_t min_bytes, slot *out, int *width);
/* The value of an operand that must be an integer constant. */
bool immediate(decoder *d, const ptx_operand *x, uint64_t *bits);

/* A new row for an intermediate value. */
bool scratch(decoder *d, char shape, slot *out);
/* The row of the carry bit. */
slot carry_row(decoder *d);
/* A row with this value in all lanes, of 64 bits if wide. */
bool constant_row(decoder *d, uint64_t bits, bool wide, slot *out);

/* Decodes [register + offset] or [variable + offset]: fills space, address_bytes, a, imm, is_uniform and in_frame of a
 * memory op. */
bool decode_address(decoder *d, const ptx_operand *x, ptx_space space, op *o);

#endif
