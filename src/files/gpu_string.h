/* Shared by the two descriptions of a GPU, JSON and a line of text. */
#ifndef FILES_GPU_STRING_H
#define FILES_GPU_STRING_H

#include <stdbool.h>

#define GPU_CC_EXPECTED "must be a known compute capability such as 6.2"
#define GPU_TIES_EXPECTED "must be ascending, descending, even_odd or a list of SMs"
#define GPU_PLACEMENT_EXPECTED "must be most_room, round_robin, most_threads, fewest_blocks, least_room or first_fit"

/* Parses a compute capability such as "6.2": one or two digits, a point, one digit. */
bool gpu_parse_cc(const char *text, int *major, int *minor);

#endif
