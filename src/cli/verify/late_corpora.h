/* verify --bound: which recorded operations end after their bound. */
#ifndef CLI_VERIFY_LATE_CORPORA_H
#define CLI_VERIFY_LATE_CORPORA_H

#include "cli/args.h"

/* Reads the corpora of the command line, and prints what is late. GCAST_NO where an operation ends after its bound with
 * the longest latencies of the GPU's file. `gpu` NULL: the GPU of the workloads. */
gcast_status late_command(const args *a, const gcast_gpu *gpu);

#endif
