/* Which operation was called before another in its stream. */
#ifndef WHATIF_PATH_STREAM_ORDER_H
#define WHATIF_PATH_STREAM_ORDER_H

#include "gridcast/run.h"

typedef struct stream_order {
    size_t *before; /* by operation: the one called before it in its stream; SIZE_MAX: none, or it is not on the GPU */
} stream_order;

/* False without memory. */
bool stream_order_init(stream_order *s, const gcast_run *run);
void stream_order_free(stream_order *s);

#endif
