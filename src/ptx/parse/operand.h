/* Operands of instructions. */
#ifndef PTX_PARSE_OPERAND_H
#define PTX_PARSE_OPERAND_H

#include "ptx/parse/state.h"

/* is_call: lists in parentheses are possible; is_branch: a name is a label. */
bool parse_operand(parser *p, bool is_call, bool is_branch, ptx_operand *out);

#endif
