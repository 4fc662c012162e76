/* The configuration that logs were written with, as far as their kernels are concerned. */
#ifndef FILES_EXAMINER_LOG_LOG_CONFIG_H
#define FILES_EXAMINER_LOG_LOG_CONFIG_H

#include "files/examiner/log/state.h"

typedef struct log_config {
    const char *file;         /* its path */
    gcast_workload *workload; /* what it says is run */
    VEC(size_t) ops;          /* of the workload: those of all kernels of the first execution, benchmark by benchmark */
    VEC(size_t) first;        /* by benchmark: where its kernels begin in `ops` */
    bool has_other_ops;       /* it has copies or memsets, too, which leave no record */
} log_config;

/* Reads a configuration and finds the ops of the kernels in the logs, by the names of the logs, else by labels. An
 * error where it is not the configuration of the logs. `config` is zeroed, and is freed by the caller also on failure.
 */
gcast_status log_config_read(const char *text, size_t size, const char *file, const log_set *set, const gcast_gpu *gpu,
                             log_config *config, gcast_error *err);
void log_config_free(log_config *config);

#endif
