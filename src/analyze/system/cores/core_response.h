/* Response times of tasks on cores. */
#ifndef ANALYZE_SYSTEM_CORES_CORE_RESPONSE_H
#define ANALYZE_SYSTEM_CORES_CORE_RESPONSE_H

#include "analyze/system/state.h"

/* Cuts tasks on cores into pieces and bursts, and finds least times. */
void cores_prepare(system_work *x);
/* Response times of a task on a core, from what is known of others; marks what depends on what has changed. */
void core_respond(system_work *x, int task);
/* The end of a task or of its steps has changed: what depends on it is to be looked at again. */
void task_changed(system_work *x, int task);

#endif
