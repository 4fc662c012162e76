#include "verify/prediction.h"

#include <stdlib.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "gridcast/verify.h"

gcast_status prediction_options(const gcast_run *run, gcast_simulate_options *options, int64_t **calls,
                                gcast_error *err)
{
    int64_t *releases = *calls = malloc((run->op_count + 1) * sizeof *releases);
    if (!releases)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < run->op_count; i++)
        releases[i] = run->ops[i].call_ns;
    *options = gcast_simulate_options_default();
    options->releases = releases;
    options->as_measured = strcmp(run->source, "measured") == 0; /* kernels of a program do not sleep */
    options->release_count = run->op_count;
    return GCAST_OK;
}

gcast_status gcast_scenario_predict(const gcast_scenario *scenario, size_t index, const gcast_gpu *gpu,
                                    bool record_blocks, gcast_run **prediction, gcast_error *err)
{
    if (prediction)
        *prediction = NULL;
    if (!scenario || !prediction)
        return argument_missing(err);
    if (index >= scenario->run_count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the scenario has %zu runs, and none has the number %zu",
                               scenario->run_count, index);
    gcast_simulate_options options;
    int64_t *calls;
    gcast_status status = prediction_options(scenario->runs[index], &options, &calls, err);
    if (status != GCAST_OK)
        return status;
    options.record_blocks = record_blocks;
    status = gcast_workload_simulate(scenario->workload, gpu, &options, prediction, err);
    free(calls);
    return status;
}
