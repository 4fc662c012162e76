/* gridcast simulate: predict the schedule of a workload. */
#include "cli/queues/queue_view.h"
#include "cli/run/outputs.h"
#include "cli/run/simulated.h"
#include "cli/run/timing_races.h"
#include "cli/run/workload_args.h"
#include "cli/system/simulate_system.h"

static gcast_status run_command(const args *a)
{
    simulated s;
    run_outputs outputs;
    bool queues = args_has(a, "queues");
    gcast_status status = system_options_check(a);
    if (status != GCAST_OK)
        return status;
    if (system_wanted(a))
        return simulate_system(a);
    status = queues ? queues_check(a) : GCAST_OK;
    if (status == GCAST_OK)
        status = run_outputs_from_args(a, &outputs);
    if (status == GCAST_OK)
        status = simulated_from_args(a, queues ? BLOCKS_ALL : outputs.needs_blocks, true, &s);
    if (status != GCAST_OK)
        return status;
    outputs.report.each_block = simulated_each_block;
    outputs.report.each_block_data = &s;
    status = queues ? queues_write(a, s.run) : run_outputs_write(a, &outputs, s.run);
    if (status == GCAST_OK)
        status = run_deadlines_status(s.run);
    simulated_free(&s);
    return status;
}

static const option_spec options[] = {
    WORKLOAD_OPTIONS, SIMULATE_OPTIONS, RACES_OPTION, REPORT_OPTIONS, QUEUES_OPTION, {NULL, 0, NULL, NULL},
};

static const option_spec system_options[] = {SIMULATE_SYSTEM_OPTIONS, {NULL, 0, NULL, NULL}};

const command cmd_simulate = {
    .name = "simulate",
    .operands = "WORKLOAD|MODEL.amxmi...",
    .min_operands = 1,
    .max_operands = -1,
    .summary = "predict the schedule of a workload",
    .options = options,
    .system_options = system_options,
    .shared_options = simulate_system_shared,
    .system_example = "gridcast simulate examples/12-car.amxmi --gpu tx2 -o car.svg",
    .examples = {"gridcast simulate examples/thesis.json -o timeline.svg",
                 "gridcast simulate examples/thesis.json --gpu h200 --sms 2 --json --blocks"},
    .run = run_command,
};
