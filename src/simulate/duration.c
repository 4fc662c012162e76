/* The duration of a block, as a public function. */
#include "simulate/duration.h"

int64_t gcast_op_block_duration(const gcast_op *op, size_t op_index, uint32_t job, uint64_t block,
                                const gcast_simulate_options *options)
{
    gcast_simulate_options defaults = gcast_simulate_options_default();
    if (!op || (op->block_ns && block >= op->blocks))
        return 0;
    return duration_of(op, op_index, job, block, options ? options : &defaults);
}
