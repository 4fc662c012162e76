/* Types and state spaces. */
#ifndef PTX_TYPE_H
#define PTX_TYPE_H

#include "ptx/ptx.h"

const char *ptx_type_name(ptx_type t);
int ptx_type_bytes(ptx_type t);
/* u unsigned, s signed, f float, b bits, p predicate */
char ptx_type_kind(ptx_type t);
/* PTX_NO_TYPE: the word, without its dot, names no type. */
ptx_type ptx_type_of(const char *word);
/* Zero in an initializer of this type. */
ptx_value ptx_zero(ptx_type t);
const char *ptx_space_name(ptx_space s);
/* PTX_SPACE_NONE: the word names no space. */
ptx_space ptx_space_of(const char *word);

#endif
