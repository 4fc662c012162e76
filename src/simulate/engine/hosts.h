/* Host threads and the GPU memory that their mallocs take. */
#ifndef SIMULATE_ENGINE_HOSTS_H
#define SIMULATE_ENGINE_HOSTS_H

#include "simulate/engine/state.h"

/* Makes the table of the GPU's memory; false without memory. A free gives back the last malloc of its host that has not
 * been freed, as stream_action of the examiner does. */
bool memory_init(sim *s);

/* Schedule the first call of each host. */
void host_start(sim *s);
/* The time of the call o has come: it is due. */
void host_event(sim *s, uint32_t o);
/* Make every call that is due now. */
void host_calls(sim *s);
/* o is complete: calls that waited for it return. */
void host_complete(sim *s, uint32_t o);
/* The next release of an operation without a host; INT64_MAX: there is none. */
int64_t host_next_time(const sim *s);

#endif
