#include "cli/analyze/priority_notes.h"

#include "cli/say.h"

void priority_notes_say(const gcast_workload *w, const gcast_gpu *gpu)
{
    int lowest = 1 - gpu->priority_levels;
    for (size_t i = 0; i < w->stream_count; i++) {
        int p = w->streams[i].priority;
        if (p > 0 || p < lowest)
            say(GCAST_OK, "note: stream %d: priority %d is taken as %d, the nearest the GPU has", w->streams[i].id, p,
                p > 0 ? 0 : lowest);
    }
}
