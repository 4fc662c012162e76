/* --save-launch: the launch file with what was measured. */
#ifndef CLI_MEASURE_LAUNCHES_SAVE_LAUNCH_H
#define CLI_MEASURE_LAUNCHES_SAVE_LAUNCH_H

#include "cli/args.h"
#include "gridcast/launch_file.h"

/* Can it be written, to a file that is none of -o? Asked before the GPU is opened. Errors are printed. */
gcast_status save_launch_check(const args *a);
/* Are the files that its arguments name found from the folder of --save-launch? Errors are printed. */
gcast_status save_launch_check_args(const args *a, const gcast_launch_file *launch);
/* Writes the launch to the file of --save-launch, with these times and `job_count` durations in the place of those that
 * it has. Its PTX is found from there. Errors are printed. */
gcast_status save_launch(const args *a, const gcast_launch_file *launch, const gcast_launch_time *times,
                         size_t time_count, const int64_t *job_ns, size_t job_count);

#endif
