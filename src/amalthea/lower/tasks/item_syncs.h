/* Does code do what other tasks see: trigger one, wait, set an event that is waited for? */
#ifndef AMALTHEA_LOWER_TASKS_ITEM_SYNCS_H
#define AMALTHEA_LOWER_TASKS_ITEM_SYNCS_H

#include "amalthea/lower/state.h"

/* Notes which events are waited for. */
gcast_status item_syncs_start(lowering *l);
/* Of an item so deep in others; *sync is set where it does. Circles of calls are refused. */
gcast_status item_syncs(lowering *l, const am_item *item, int depth, bool *sync);
/* Of a runnable that was looked at before. */
bool runnable_known_to_sync(const lowering *l, int runnable);

#endif
