#include "profile/replay_handle.h"

#include <stdio.h>
#include <stdlib.h>

static gcast_status simulate_and_compare(replay_handle *h, const prof_trace *t, const gcast_gpu *gpu,
                                         const gcast_simulate_options *options, gcast_error *err)
{
    gcast_run *run = NULL;
    gcast_status status = gcast_workload_simulate(h->made.workload, gpu, options, &run, err);
    if (status == GCAST_OK)
        status = prof_replay_compare(t, &h->made, run, &h->compared, err);
    gcast_run_free(run);
    if (status != GCAST_OK && err)
        snprintf(err->file, sizeof err->file, "%s", t->source);
    return status;
}

gcast_status replay_create(const prof_trace *t, prof_made *made, const gcast_gpu *gpu,
                           const gcast_simulate_options *options, gcast_replay **out, gcast_error *err)
{
    *out = NULL;
    replay_handle *h = calloc(1, sizeof *h);
    if (!h) {
        prof_made_free(made);
        return gcast_error_set_memory(err);
    }
    h->made = *made;
    *made = (prof_made){0};
    h->replay.memory = h;
    gcast_status status = simulate_and_compare(h, t, gpu, options, err);
    if (status != GCAST_OK) {
        gcast_replay_free(&h->replay);
        return status;
    }
    const prof_replay *r = &h->compared;
    h->replay = (gcast_replay){.name = h->made.workload->name,
                               .op_count = r->op_count,
                               .recorded_ns = r->recorded_ns,
                               .replayed_ns = r->replayed_ns,
                               .start_median_ns = r->start.median_ns,
                               .start_p90_ns = r->start.p90_ns,
                               .duration_median_ns = r->duration.median_ns,
                               .duration_p90_ns = r->duration.p90_ns,
                               .memory = h};
    *out = &h->replay;
    return GCAST_OK;
}

void gcast_replay_free(gcast_replay *replay)
{
    if (!replay)
        return;
    replay_handle *h = replay->memory;
    prof_replay_free(&h->compared);
    prof_made_free(&h->made);
    free(h);
}
