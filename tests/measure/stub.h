/* What the two files of the driver without a GPU share. */
#ifndef TESTS_STUB_H
#define TESTS_STUB_H

#include <stdatomic.h>

#include "measure/driver/cuda.h"

#define FAILURE 999
#define NO_MEMORY 2

/* Defines an exported call of the driver. */
#define CALL(name, arguments)                                                                                          \
    __attribute__((visibility("default"))) CUresult name arguments;                                                    \
    CUresult name arguments
#define MAY_FAIL                                                                                                       \
    if (stub_failing())                                                                                                \
    return FAILURE

/* The rest of a call that makes a thing. */
#define CREATED(object) (object) ? CUDA_SUCCESS : NO_MEMORY

/* Is this the call that is to fail? */
int stub_failing(void);
/* A number from the environment; 0 where it is not set. */
int stub_setting(const char *name);
int64_t stub_gpu_now(void);
/* Things that the program must give back, and how many it has not; NULL without memory. */
extern atomic_int stub_made;
void *stub_make(size_t size);
CUresult stub_destroy(void *object);

#endif
