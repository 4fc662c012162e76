#include "cli/import/replay_run.h"

#include <stdio.h>

#include "cli/import/replay_print.h"
#include "cli/output/print_text.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "gridcast/simulate.h"

static gcast_status simulate(const prof_trace *t, const gcast_workload *w, const gcast_gpu *gpu, gcast_run **run)
{
    gcast_error err;
    progress shown;
    gcast_simulate_options options = gcast_simulate_options_default();
    progress_start(&shown, "simulating");
    options.progress = progress_show;
    options.progress_data = &shown;
    gcast_status status = gcast_workload_simulate(w, gpu, &options, run, &err);
    progress_end(&shown);
    if (status == GCAST_OK)
        return GCAST_OK;
    snprintf(err.file, sizeof err.file, "%s", t->source);
    return say_error(&err);
}

gcast_status replay_run(const prof_trace *t, const prof_made *made, const gcast_gpu *gpu, bool is_json)
{
    gcast_error err;
    gcast_run *run = NULL;
    prof_replay r = {0};
    gcast_status status = simulate(t, made->workload, gpu, &run);
    if (status != GCAST_OK)
        return status;
    status = prof_replay_compare(t, made, run, &r, &err);
    gcast_run_free(run);
    if (status != GCAST_OK) {
        snprintf(err.file, sizeof err.file, "%s", t->source);
        return say_error(&err);
    }
    text out;
    text_open(&out, NULL, NULL);
    if (is_json)
        replay_json(&out, made->workload->name, &r);
    else
        replay_table(&out, &r);
    prof_replay_free(&r);
    return print_text(&out, GCAST_OK);
}
