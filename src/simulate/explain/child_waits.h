#ifndef SIMULATE_EXPLAIN_CHILD_WAITS_H
#define SIMULATE_EXPLAIN_CHILD_WAITS_H

#include "simulate/explain/state.h"

/* From the call of a child to its entry into the EE queue; false without memory. A rest enters when it is called. */
bool explain_child_path(explain *e, const gcast_run *run, size_t subject);
/* From the end of a kernel's last block until its children and rests are complete, and so the kernel; false without
 * memory. */
bool explain_children(explain *e, const gcast_run *run, size_t subject);

#endif
