/* What ptxas made of each line of PTX, from a cubin compiled with -lineinfo. */
#ifndef TESTS_CUBIN_H
#define TESTS_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Instructions of floats that carry a line. */
typedef struct cubin_line {
    uint32_t fused, sums, products; /* instructions of each kind */
} cubin_line;

/* Fills line[1 .. lines]; false if the bytes are no such cubin. */
bool cubin_lines(const char *bytes, size_t size, cubin_line *line, size_t lines);

#endif
