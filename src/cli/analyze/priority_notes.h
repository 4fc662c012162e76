/* Notes on priorities that a GPU does not have. */
#ifndef CLI_ANALYZE_PRIORITY_NOTES_H
#define CLI_ANALYZE_PRIORITY_NOTES_H

#include "gridcast/workload.h"

/* Says them as simulate does. */
void priority_notes_say(const gcast_workload *w, const gcast_gpu *gpu);

#endif
