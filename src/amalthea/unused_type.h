/* What of a model was not used, and what that can mean. */
#ifndef AMALTHEA_UNUSED_TYPE_H
#define AMALTHEA_UNUSED_TYPE_H

#include <stddef.h>

#include "amalthea/am_place.h"

typedef enum {
    AM_UNUSED_TIME,     /* times may be longer than those counted: all that is not known to be something else */
    AM_UNUSED_EITHER,   /* longer, or shorter */
    AM_UNUSED_CHECK,    /* it is a requirement */
    AM_UNUSED_HARMLESS, /* known to the reader, and without meaning for times and limits, such as a description */
} am_unused;

/* Something in a file that was not used: the first of its kind. */
typedef struct am_unknown {
    const char *what; /* such as "items:CustomEventTrigger" or "tasks, attribute displayName" */
    size_t count;
    am_unused meaning;
    am_place at;
} am_unknown;

#endif
