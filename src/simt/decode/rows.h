/* Rows of a function's frame and of its constants. Shapes are as in shape_of. */
#ifndef SIMT_DECODE_ROWS_H
#define SIMT_DECODE_ROWS_H

#include "simt/decode/state.h"

/* Bytes that a row of a shape takes. */
uint32_t row_bytes(char shape);
/* A row of its own for an intermediate value. */
bool scratch(decoder *d, char shape, slot *out);
/* The row of the carry bit. */
slot carry_row(decoder *d);
/* A row with this value in all lanes, of 64 bits if wide. */
bool constant_row(decoder *d, uint64_t bits, bool wide, slot *out);
/* The row of a register, and its type. */
bool register_row(decoder *d, const ptx_operand *x, slot *out, ptx_type *type);

#endif
