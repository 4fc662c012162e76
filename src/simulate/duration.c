/* The public functions about options and durations. */
#include "simulate/duration.h"

gcast_simulate_options gcast_simulate_options_default(void)
{
    return (gcast_simulate_options){.durations = GCAST_DURATIONS_MAX};
}

int64_t gcast_op_block_duration(const gcast_op *op, size_t op_index, uint32_t job, uint64_t block,
                                const gcast_simulate_options *options)
{
    return duration_of(op, op_index, job, block, options);
}
