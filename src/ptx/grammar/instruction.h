/* Instructions. */
#ifndef PTX_GRAMMAR_INSTRUCTION_H
#define PTX_GRAMMAR_INSTRUCTION_H

#include "ptx/parse/state.h"

/* An instruction after its opcode; guard: register of the guard, or -1. */
bool parse_instruction(parser *p, ptx_place at, uint32_t opcode, int32_t guard, bool negated);
/* A guarded instruction, from @ on. */
bool parse_guarded(parser *p);

#endif
