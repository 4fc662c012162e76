/* verify --bound: which recorded operations end after their bound. */
#ifndef CLI_COMMANDS_VERIFY_BOUND_H
#define CLI_COMMANDS_VERIFY_BOUND_H

#include "cli/args.h"

/* Reads the corpora of the command line, and prints what is late. GCAST_NO if an operation ends after its bound for the
 * longest latencies of the GPU's file. `gpu` NULL: the GPU of the workloads. */
gcast_status late_command(const args *a, const gcast_gpu *gpu);

#endif
