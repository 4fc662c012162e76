/* The assignment of n rows to n columns with the largest gain (the Hungarian method). */
#ifndef ANALYZE_MAPPING_MAPPING_ASSIGN_H
#define ANALYZE_MAPPING_MAPPING_ASSIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* gain[i * count + k]: of row i with column k, from 0 to 2^31. chosen[i]: the column of row i. Of equal gains it takes
 * the first columns. False without memory. */
bool map_assign(const int64_t *gain, size_t count, int *chosen);

#endif
