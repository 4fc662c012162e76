/* PTX in tests: parse text that must, or must not, be right. */
#ifndef TESTS_SUPPORT_PTX_H
#define TESTS_SUPPORT_PTX_H

#include "ptx/ptx.h"

#define PTX_HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
/* A kernel around `body`, which starts in line 5, column 1. */
#define PTX_KERNEL(body)                                                                                               \
    PTX_HEAD ".visible .entry k(.param .u64 out) { .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 "    \
             "%f<9>;\n" body "\n}\n"

ptx_module *support_ptx(const char *source);
/* Fails unless `text` is refused there, with a message that contains `part`. */
void support_ptx_error(const char *source, int line, int column, const char *part);
/* Instruction `index` of the function that has the last body. */
const ptx_instruction *support_ptx_instruction(const ptx_module *m, uint32_t index);

#endif
