/* The words of an instruction: its opcode, modifiers and types. */
#ifndef PTX_WORDS_H
#define PTX_WORDS_H

#include <string.h>

#include "ptx/ptx.h"

/* Are they the same? Most words differ in their first letter. */
static inline bool ptx_same_word(const char *a, const char *b)
{
    return *a == *b && strcmp(a, b) == 0;
}

/* Does it have this opcode? One of these opcodes? */
static inline bool ptx_is(const ptx_instruction *in, const char *opcode)
{
    return ptx_same_word(in->opcode, opcode);
}

bool ptx_is_any(const ptx_instruction *in, const char *const *opcodes, size_t count);
#define PTX_IS_ANY(in, opcodes) ptx_is_any(in, opcodes, sizeof opcodes / sizeof *opcodes)
/* Does it have this modifier? */
bool ptx_has(const ptx_instruction *in, const char *word);
/* Its first or last modifier that is a type; PTX_NO_TYPE: none is. */
ptx_type ptx_first_type(const ptx_instruction *in);
ptx_type ptx_last_type(const ptx_instruction *in);

#endif
