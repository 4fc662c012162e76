/* Operands become rows: registers in the frame, constants beside the code, and
 * special registers and addresses by a hidden op that fills a row. */
#ifndef SIMT_DECODE_OPERANDS_H
#define SIMT_DECODE_OPERANDS_H

#include "simt/decode/state.h"

/* The row of an operand that is read, as a shape (see shape_of). */
bool source(decoder *d, const ptx_operand *x, char shape, slot *out);
/* The row of an operand of a type; constants are converted to it. */
bool typed_source(decoder *d, const ptx_operand *x, ptx_type t, slot *out);
/* The row of an operand that is written. */
bool destination(decoder *d, const ptx_operand *x, char shape, slot *out);
/* The row of a register of at least so many bytes, for ld, st and cvt; *width is its size: 2, 4 or 8. */
bool any_width(decoder *d, const ptx_operand *x, bool write, uint32_t min_bytes, slot *out, int *width);
/* The value of an operand that must be an integer constant. */
bool immediate(decoder *d, const ptx_operand *x, uint64_t *bits);

#endif
