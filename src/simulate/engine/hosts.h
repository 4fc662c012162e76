#ifndef SIMULATE_ENGINE_HOSTS_H
#define SIMULATE_ENGINE_HOSTS_H

#include "simulate/state/state.h"

/* Schedule the first call of each host. */
void host_start(sim *s);
/* The time of the call o has come. */
void host_event(sim *s, uint32_t o);
/* Make every call that is due now. */
void host_calls(sim *s);
/* o is complete: calls that waited for it return. */
void host_complete(sim *s, uint32_t o);
/* The next release of an operation without a host; INT64_MAX: there is none. */
int64_t host_next_time(const sim *s);

#endif
