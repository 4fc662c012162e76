/* What the text says about an instruction: its opcode, modifiers and types; which registers it reads and writes; and
 * whether it has an effect. Nothing here depends on how it is executed. */
#ifndef PTX_INSTRUCTION_H
#define PTX_INSTRUCTION_H

#include <string.h>

#include "ptx/ptx.h"

/* The first letter is compared first, as most words differ there. */
static inline bool ptx_same_word(const char *a, const char *b)
{
    return *a == *b && strcmp(a, b) == 0;
}

/* Does it have this opcode? */
static inline bool ptx_is(const ptx_instruction *in, const char *opcode)
{
    return ptx_same_word(in->opcode, opcode);
}

/* Does it have one of these opcodes? */
bool ptx_is_any(const ptx_instruction *in, const char *const *opcodes, size_t count);
#define PTX_IS_ANY(in, opcodes) ptx_is_any(in, opcodes, sizeof opcodes / sizeof *opcodes)
/* Does it have this modifier? */
bool ptx_has(const ptx_instruction *in, const char *word);
/* Its first or last modifier that is a type; PTX_NO_TYPE: none is. */
ptx_type ptx_first_type(const ptx_instruction *in);
ptx_type ptx_last_type(const ptx_instruction *in);

/* Called for a register; `part`: only a component of it is read or written. */
typedef void ptx_visit(void *data, uint32_t reg, bool part);
/* Call `visit` for each register that an instruction writes, or reads, its guard included. A guarded instruction keeps
 * the old results in some threads: the caller must allow for that. */
void ptx_each_write(const ptx_instruction *in, ptx_visit *visit, void *data);
void ptx_each_read(const ptx_instruction *in, ptx_visit *visit, void *data);
/* Does it do anything but write registers? If not, compilers remove it where nothing reads the results. */
bool ptx_has_effect(const ptx_instruction *in);
/* May control go elsewhere than to the next instruction? Calls return, so they do not count. */
bool ptx_is_jump(const ptx_instruction *in);

#endif
