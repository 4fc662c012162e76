/* Notes on what a workload asks for and a GPU does not have: priorities, and SMs. */
#ifndef CLI_ANALYZE_CONDITIONS_GPU_NOTES_H
#define CLI_ANALYZE_CONDITIONS_GPU_NOTES_H

#include "gridcast/workload.h"

/* Says them as simulate does. */
void gpu_notes_say(const gcast_workload *w, const gcast_gpu *gpu);

#endif
