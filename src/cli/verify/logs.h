/* verify --logs: logs of the CUDA scheduling examiner. */
#ifndef CLI_VERIFY_LOGS_H
#define CLI_VERIFY_LOGS_H

#include "gridcast/corpus.h"

/* The scenario of logs and, where it is among the files, their configuration. Its notes and errors are said. */
gcast_status verify_read_logs(const char *const *paths, size_t count, const gcast_gpu *gpu, gcast_scenario **scenario);

#endif
