/* Smaller workloads from one that shows a difference: without an op, or with fewer items. */
#ifndef PROPERTY_SHRINK_H
#define PROPERTY_SHRINK_H

#include "property/generate.h"

/* Does a workload show what is looked for? It is valid. */
typedef bool (*shrink_test)(void *data, const gcast_workload *w);

/* Takes away from the workload of g, as long as the rest passes the test. */
void shrink(generated *g, shrink_test test, void *data);

#endif
