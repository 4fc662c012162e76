/* The waits of children on their launch path, and of parents for their children. */
#ifndef SIMULATE_EXPLAIN_CHILD_WAITS_H
#define SIMULATE_EXPLAIN_CHILD_WAITS_H

#include "simulate/explain/explanation.h"

/* Adds the waits of a child from its call to its entry into the EE queue; false without memory. A rest enters at its
 * call. */
bool explain_child_path(explain *e, const gcast_run *run, size_t subject);
/* Adds the waits from the end of a kernel's last block until its children and rests are complete; false without
 * memory. */
bool explain_children(explain *e, const gcast_run *run, size_t subject);

#endif
