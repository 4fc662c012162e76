/* PTX types as the machine stores and computes them. */
#ifndef SIMT_PROGRAM_VALUE_TYPES_H
#define SIMT_PROGRAM_VALUE_TYPES_H

#include "ptx/ptx.h"
#include "simt/float/float.h"

/* The shape of a row that holds values of a type: w up to 32 bits, h 16 bits, x 64 bits, p a predicate. */
char shape_of(ptx_type t);
/* The type as instructions of floats see it, of packed types the type of a half; FLOAT_TYPES: none. */
float_type float_type_of(ptx_type t);
/* Alignment of a variable in bytes: as declared, or that of its type. */
uint32_t variable_alignment(const ptx_var *v);

#endif
