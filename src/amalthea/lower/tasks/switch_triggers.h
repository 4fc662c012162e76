/* Tasks that a switch triggers: which, whether in every branch, and whether code comes after a trigger. */
#ifndef AMALTHEA_LOWER_TASKS_SWITCH_TRIGGERS_H
#define AMALTHEA_LOWER_TASKS_SWITCH_TRIGGERS_H

#include "amalthea/lower/state.h"

/* A trigger in branches of a switch. */
typedef struct switch_send {
    const am_item *item;
    size_t ways; /* branches that surely do it */
} switch_send;

typedef struct switch_sends {
    VEC(switch_send) sends;
    size_t ways;     /* branches that can be taken, with the one that does nothing */
    bool goes_on;    /* code follows a trigger in its branch */
    const char *bad; /* something else that others see is in it, such as "waits for events"; NULL: nothing */
    am_place bad_at;
} switch_sends;

/* `out` is zero before, and freed by the caller (sends). A stimulus that several branches send is one trigger, one that
 * a branch sends twice is two. Circles of calls have been refused before (l->syncs is known). */
gcast_status switch_triggers(lowering *l, const am_item *item, switch_sends *out);

#endif
