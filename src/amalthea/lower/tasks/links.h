/* Who sends which stimulus, who is started by it, and who sets which event: lists, so that large models are no more
 * work than they must be. */
#ifndef AMALTHEA_LOWER_TASKS_LINKS_H
#define AMALTHEA_LOWER_TASKS_LINKS_H

#include "amalthea/lower/state.h"

#define LINK_END (-1)

/* Lists of raw steps by stimulus (those that trigger) and by event (those that set it). */
gcast_status links_make(lowering *l);
/* Lists of tasks by the stimulus that starts them; after these have been chosen. */
gcast_status links_listen(lowering *l);

#endif
