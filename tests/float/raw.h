/* Files of raw results: a line "NAME COUNT BYTES", then so many values of so
 * many bytes, lowest first; and how results compare with src/simt. */
#ifndef TESTS_FLOAT_RAW_H
#define TESTS_FLOAT_RAW_H

#include <stdio.h>

#include "support/float_case.h"

void raw_write(FILE *f, const float_case *c, const uint64_t *out, uint32_t count);
/* The number of values, 0 at the end. */
uint32_t raw_read(FILE *f, float_case *c, uint64_t *out, uint32_t max_count);
uint64_t raw_hash(const uint64_t *out, uint32_t count);

/* Prints how many of the results differ, apart those with a NaN, the first of them, and the largest distance in units
 * of the last place. */
void raw_compare(const float_case *c, const uint64_t *out, uint32_t count);

#endif
