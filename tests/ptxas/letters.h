/* What becomes of the sums and products of a function, a letter each, in the
 * order of the text. Sums without a rounding modifier: F one instruction with a
 * product, A not, M both in copies of the code, x not there. Products: - not
 * there, m there. */
#ifndef TESTS_LETTERS_H
#define TESTS_LETTERS_H

#include "ptx/ptx.h"
#include "ptxas/cubin.h"

#define MOST_LETTERS 4000

/* As src/simt/ptxas/contract.c has it: F, A, - and m. */
void letters_predicted(const ptx_function *fn, char out[MOST_LETTERS]);
/* As ptxas made it. */
void letters_recorded(const ptx_function *fn, const cubin_line *line, size_t lines, char out[MOST_LETTERS]);

#endif
