/* Gives back memory for programs that cannot call free() themselves. */
#include <stdlib.h>

#include "gridcast/memory.h"

void gcast_memory_free(void *memory)
{
    free(memory);
}
