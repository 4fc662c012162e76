/* A folder of logs for the viewers of the CUDA scheduling examiner. */
#ifndef CLI_RUN_EXAMINER_LOGS_H
#define CLI_RUN_EXAMINER_LOGS_H

#include "cli/command.h"

/* DIR/stream-ID.json for each stream that ran a kernel; DIR is made where it is not there. */
gcast_status examiner_logs_write(const gcast_run *run, const char *folder, bool force);

#endif
