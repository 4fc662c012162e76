/* gridcast import --replay: simulates the workload, and compares it with the profile that it was made of. */
#ifndef CLI_COMMANDS_IMPORT_REPLAY_H
#define CLI_COMMANDS_IMPORT_REPLAY_H

#include "profile/make/prof_make.h"

/* Simulates the workload made of the trace on this GPU, and prints JSON or tables. Errors are printed. */
gcast_status replay_run(const prof_trace *t, const prof_made *made, const gcast_gpu *gpu, bool is_json);

#endif
