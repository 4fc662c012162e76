/* The assignment of things to as many others that gains most (the Hungarian method). */
#ifndef ANALYZE_MAPPING_MAPPING_ASSIGN_H
#define ANALYZE_MAPPING_MAPPING_ASSIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* gain[i * count + k]: of thing i with other k, from 0 to 2^31. chosen[i]: the other of thing i. Of equal gains the
 * first others are taken. False without memory. */
bool map_assign(const int64_t *gain, size_t count, int *chosen);

#endif
