/* Jobs that are related directly or through others: the components of the graph of jobs, and which of them goes into
 * the rest of a cluster. A job without relations is a component of its own. */
#ifndef MODEL_PLAN_AFFINITY_COMPONENTS_H
#define MODEL_PLAN_AFFINITY_COMPONENTS_H

#include "model/plan/affinity/item_index.h"

typedef struct component {
    uint32_t size;   /* jobs in it */
    uint32_t lowest; /* the lowest number of them */
    uint32_t seed;   /* a job at its edge, far from the lowest */
} component;

typedef struct components {
    component *at;     /* larger ones first, then by their lowest job */
    uint32_t count;    /* of them */
    uint32_t *untaken; /* by component, and one more: the next that is not taken, or a step towards it */
} components;

/* `queue` is scratch memory for all jobs. False without memory; must be freed also then. */
bool components_find(components *c, item_index *x, uint32_t *queue);
void components_free(components *c);
/* Takes the largest that has at most `capacity` jobs, or the largest of all where none has; returns its seed. At least
 * one must be left. */
uint32_t components_take(components *c, uint32_t capacity);

#endif
