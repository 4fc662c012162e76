/* A level of launches that is being read, and the levels above it. */
#ifndef FILES_WORKLOAD_LAUNCHES_CHAIN_H
#define FILES_WORKLOAD_LAUNCHES_CHAIN_H

#include "files/workload/state.h"

#define CHAIN_ENDLESS INT32_MAX

typedef struct launch_chain {
    native_reader *r;                 /* of the file */
    const struct launch_chain *above; /* the level that launches this one's parent; NULL: a kernel of /ops does */
    const json_t *launches;           /* the object that is read */
    const gcast_op *parent;           /* the kernel that launches */
    uint64_t launchers;               /* of this level; where only the form is checked, not known */
    int level;                        /* 0: what a kernel of /ops launches */
    int levels_left;                  /* that may be read, this one included; CHAIN_ENDLESS: no depth is given */
    bool is_repeated;                 /* the object is that of a level above */
    bool is_form_only;                /* a child of /children by itself: only its keys and values are checked */
} launch_chain;

#endif
