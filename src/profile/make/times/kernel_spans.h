/* How long kernels took, and whether others ran beside them. */
#ifndef PROFILE_MAKE_TIMES_KERNEL_SPANS_H
#define PROFILE_MAKE_TIMES_KERNEL_SPANS_H

#include "profile/make/state.h"

/* Sets `beside` of the operations, by all kernels of the GPU. False without memory. */
bool spans_find_beside(making *m);

/* Launches of one kernel with the same grid, block and resources. */
typedef struct span_shape {
    uint32_t first;         /* one of them: index in ops[] */
    int64_t alone_ns;       /* the shortest of those that ran alone; INT64_MAX: none did */
    int64_t shortest_ns;    /* of all */
    int64_t min_ns, max_ns; /* of a block, over the launches of it */
} span_shape;

typedef struct span_shapes {
    VEC(span_shape) list;
    uint32_t *shape_of; /* by ops[]; PROF_NONE: no kernel */
} span_shapes;

/* False without memory. */
bool spans_collect(const making *m, span_shapes *s);
void spans_free(span_shapes *s);

#endif
