/* The steps of a comparison. */
#ifndef PROFILE_REPLAY_REPLAY_STEPS_H
#define PROFILE_REPLAY_REPLAY_STEPS_H

#include "profile/replay/replay.h"

typedef struct replaying {
    const prof_trace *t;
    const prof_made *made;
    prof_replay *r;
} replaying;

/* What operation i is in the profile. */
static inline const prof_op *replay_trace_op(const replaying *x, size_t i)
{
    return &x->t->ops[x->made->ops[i].op];
}

/* These are false without memory. */
bool replay_find_causes(replaying *x); /* late, own_error_ns */
bool replay_find_names(replaying *x);  /* names, slowed */

#endif
