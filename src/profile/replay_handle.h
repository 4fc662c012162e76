/* What the handle of a replay holds (gridcast/profile.h), and the steps that make one. */
#ifndef PROFILE_REPLAY_HANDLE_H
#define PROFILE_REPLAY_HANDLE_H

#include "gridcast/profile.h"
#include "gridcast/simulate.h"
#include "profile/replay.h"

typedef struct replay_handle {
    gcast_replay replay;  /* first, so that a gcast_replay is its handle */
    prof_made made;       /* what was replayed: labels point into it */
    prof_replay compared; /* the replay and the recording */
} replay_handle;

/* Simulates the workload made of the trace on this GPU, and compares. Takes over what *made has, also on failure. */
gcast_status replay_create(const prof_trace *t, prof_made *made, const gcast_gpu *gpu,
                           const gcast_simulate_options *options, gcast_replay **out, gcast_error *err);

#endif
