/* Memory that a call gave and that has no free of its own: text and arrays. */
#ifndef GRIDCAST_MEMORY_H
#define GRIDCAST_MEMORY_H

#include "gridcast/api.h"

GCAST_BEGIN_DECLS

/* Calls free(), for programs in other languages or with another allocator. NULL is fine. */
GCAST_API void gcast_memory_free(void *memory);

GCAST_END_DECLS

#endif
