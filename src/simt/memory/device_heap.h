/* The heap of a launch, for kernels that call malloc and free. */
#ifndef SIMT_MEMORY_DEVICE_HEAP_H
#define SIMT_MEMORY_DEVICE_HEAP_H

#include "simt/machine/machine.h"

#define HEAP_BYTES ((uint64_t)8 << 20) /* default of CUDA */

bool heap_make(machine *m); /* makes an empty heap, if the program has one; false without memory */
void heap_drop(machine *m);

/* The address of new memory; 0, as from malloc: there is not enough. */
uint64_t heap_allocate(core *c, uint64_t bytes);
bool heap_release(core *c, uint64_t address); /* false: nothing was allocated there */

#endif
