/* Memory that a call gave and that has no free of its own: text and arrays. */
#ifndef GRIDCAST_MEMORY_H
#define GRIDCAST_MEMORY_H

#include "gridcast/api.h"

GCAST_BEGIN_DECLS

/* What C programs may do with free(), for those that have none, or another one. NULL is fine. */
GCAST_API void gcast_memory_free(void *memory);

GCAST_END_DECLS

#endif
