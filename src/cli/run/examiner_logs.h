/* A folder of logs for the viewers of the CUDA scheduling examiner. */
#ifndef CLI_RUN_EXAMINER_LOGS_H
#define CLI_RUN_EXAMINER_LOGS_H

#include <stdbool.h>

#include "gridcast/run.h"

/* Writes FOLDER/stream-ID.json for each stream that ran a kernel; the folder is created where it does not exist. */
gcast_status examiner_logs_write(const gcast_run *run, const char *folder, bool force);

#endif
