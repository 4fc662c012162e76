/* Which logs belong together: executions of a configuration, and the runs in them. */
#ifndef FILES_EXAMINER_LOG_EXECUTIONS_H
#define FILES_EXAMINER_LOG_EXECUTIONS_H

#include "files/examiner/log/state.h"

/* Orders the logs of a set, and decides whether iterations are runs. Logs of one file name, in different folders, are
 * of the same benchmark in different executions, in the order in which they were given. An error where an execution
 * lacks a log, or logs are not of the same configuration. */
gcast_status log_set_order(log_set *set, gcast_error *err);

#endif
