/* Kernels of float cases on a GPU, through the CUDA driver. */
#ifndef TESTS_FLOAT_GPU_H
#define TESTS_FLOAT_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/driver/driver.h"

typedef struct gpu {
    driver cuda;       /* the CUDA driver */
    CUmodule module;   /* the kernels of the cases */
    gcast_error error; /* of the driver */
} gpu;

bool gpu_open(gpu *g, const char *kernels); /* a file of PTX or machine code */
bool gpu_run(gpu *g, const char *entry, const uint64_t *in, uint64_t *out, uint32_t count);

#endif
