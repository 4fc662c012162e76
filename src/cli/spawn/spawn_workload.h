/* The workload of gridcast spawn: a file, or an application. */
#ifndef CLI_SPAWN_SPAWN_WORKLOAD_H
#define CLI_SPAWN_SPAWN_WORKLOAD_H

#include "cli/spawn/state.h"

/* The GPU of --app: that of --gpu, else the one that the paper simulates. */
gcast_status spawn_gpu_open(spawn_request *r);
/* A benchmark or an application as a workload. */
gcast_status spawn_app_open(const spawn_request *r, const char *name, gcast_workload **w);
/* The only workload: the operand, with its GPU, or the application of --app. */
gcast_status spawn_workload_open(spawn_request *r, gcast_workload **w);
/* --save: the workload as gridcast.workload/1, with its GPU. */
gcast_status spawn_workload_save(const spawn_request *r, gcast_workload *w);

#endif
