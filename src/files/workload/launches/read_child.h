/* The child of a level of launches, in gridcast.workload/1: an object, or the label of one in /children. */
#ifndef FILES_WORKLOAD_LAUNCHES_READ_CHILD_H
#define FILES_WORKLOAD_LAUNCHES_READ_CHILD_H

#include "files/workload/launches/chain.h"

/* Where the child of a level is: the value of the key `child`, or the child of /children that this names. */
node native_child_node(const launch_chain *c, const node *value);
/* Reads a child, but not what it launches: the kernel, and what `l` says of its items. NULL without memory. */
gcast_op *native_child(const launch_chain *c, const node *child, gcast_launches *l);

#endif
