/* The recordings of all processes in one file. */
#ifndef CLI_RECORD_KEEP_RECORDING_H
#define CLI_RECORD_KEEP_RECORDING_H

#include <stdbool.h>

#include "cli/record/record_folder.h"

/* Errors are printed. */
gcast_status keep_recording(const record_folder *f, const char *path, bool force);

#endif
