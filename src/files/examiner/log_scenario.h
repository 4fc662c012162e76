/* Logs that the CUDA scheduling examiner wrote on a GPU, as recorded runs. */
#ifndef FILES_EXAMINER_LOG_SCENARIO_H
#define FILES_EXAMINER_LOG_SCENARIO_H

#include <stddef.h>

#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "model/scenario.h"

/* The text of a file; it need not end in NUL. */
typedef struct gcast_log_file {
    const char *text;
    size_t size;
    const char *name; /* the file's path, for errors; logs of one benchmark have the same name in different folders */
} gcast_log_file;

/* A scenario of all logs of one configuration, which may be one of the files. Each execution is a run, or each
 * iteration where all benchmarks end one before any begins the next. Without the configuration, the workload has what
 * the logs tell; its notes say what that leaves open. `gpu` is the one that the logs are of, which they do not name. */
gcast_status gcast_scenario_read_logs(const gcast_log_file *files, size_t count, const gcast_gpu *gpu,
                                      gcast_scenario **scenario, gcast_error *err);

#endif
