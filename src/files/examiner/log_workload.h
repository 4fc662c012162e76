/* The workload of logs: their kernels, without host threads, like the workloads of corpora. */
#ifndef FILES_EXAMINER_LOG_WORKLOAD_H
#define FILES_EXAMINER_LOG_WORKLOAD_H

#include "files/examiner/read_log.h"

/* The configuration of the program that wrote the logs, as far as it concerns their kernels. */
typedef struct log_config {
    const char *file;         /* its path */
    gcast_workload *workload; /* the workload of the configuration */
    VEC(size_t) ops;          /* its ops for all kernels of the first execution, benchmark by benchmark */
    VEC(size_t) first;        /* by benchmark: index in `ops` of its first kernel */
    bool has_other_ops;       /* it also has copies or memsets, which leave no record */
} log_config;

/* Reads a configuration, and finds the ops of the kernels in the logs, by the names of the logs, else by labels. It is
 * an error if the logs have another configuration. `config` is zeroed before; the caller frees it, also on failure. */
gcast_status log_config_read(const char *text, size_t size, const char *file, const log_set *set, const gcast_gpu *gpu,
                             log_config *config, gcast_error *err);
void log_config_free(log_config *config);

/* Creates the workload. Its notes say what the logs lack. `config` is NULL if the configuration is unknown. *w is NULL
 * where this fails. */
gcast_status log_workload_create(const log_set *set, const log_config *config, const gcast_gpu *gpu, gcast_workload **w,
                                 gcast_error *err);

#endif
