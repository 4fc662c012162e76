/* Where --cudadevrt or the environment says that NVIDIA's device runtime, libcudadevrt.a, is. */
#ifndef CLI_MEASURE_CUDADEVRT_H
#define CLI_MEASURE_CUDADEVRT_H

#include "cli/args.h"

#define CUDADEVRT_BYTES 4096 /* of a path */

/* *path is the file of --cudadevrt, or that of CUDA_HOME or CUDA_PATH, whose name is put into `buffer`; NULL: neither
 * says one, and the library looks in the usual places. A file of --cudadevrt that cannot be read is an error. */
gcast_status cudadevrt_path(const args *a, char *buffer, size_t size, const char **path);

#endif
