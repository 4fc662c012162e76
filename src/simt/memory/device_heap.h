/* The heap of a launch, for kernels that call malloc and free. */
#ifndef SIMT_MEMORY_DEVICE_HEAP_H
#define SIMT_MEMORY_DEVICE_HEAP_H

#include "simt/machine/machine.h"

#define HEAP_BYTES ((uint64_t)8 << 20) /* what CUDA gives a kernel unless the host asks for more */

bool heap_make(machine *m); /* an empty one, if the program has a heap; false without memory */
void heap_drop(machine *m);

/* The address of new memory; 0: there is not enough, as malloc says it. */
uint64_t heap_allocate(core *c, uint64_t bytes);
bool heap_release(core *c, uint64_t address); /* false: nothing was allocated there */

#endif
