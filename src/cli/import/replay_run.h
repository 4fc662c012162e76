/* gridcast import --replay: the workload is simulated, and compared with the profile that it was made of. */
#ifndef CLI_IMPORT_REPLAY_RUN_H
#define CLI_IMPORT_REPLAY_RUN_H

#include "profile/make/prof_make.h"

/* Simulates what was made of the trace on this GPU, and prints, as JSON or as tables. Errors are printed. */
gcast_status replay_run(const prof_trace *t, const prof_made *made, const gcast_gpu *gpu, bool is_json);

#endif
