#include "cli/analyze/conditions/gpu_notes.h"

#include "cli/say.h"
#include "model/workload/mask.h"

#define MAX_MASKS 3 /* kernels of which a note is made */

static void say_priorities(const gcast_workload *w, const gcast_gpu *gpu)
{
    int lowest = 1 - gpu->priority_levels;
    for (size_t i = 0; i < w->stream_count; i++) {
        int p = w->streams[i].priority;
        if (p > 0 || p < lowest)
            say(GCAST_OK, "note: stream %d: priority %d is taken as %d, the nearest the GPU has", w->streams[i].id, p,
                p > 0 ? 0 : lowest);
    }
}

static void say_masks(const gcast_workload *w, const gcast_gpu *gpu)
{
    for (size_t i = 0, noted = 0; i < w->op_count && noted < MAX_MASKS; i++) {
        int beyond = w->ops[i].mask == GCAST_ALL_SMS ? 0 : mask_beyond(&w->masks[w->ops[i].mask], gpu->sms);
        if (beyond)
            say(GCAST_OK, "note: " MASK_BEYOND_NOTE, w->ops[i].label, beyond, gpu->sms);
        noted += beyond > 0;
    }
}

void gpu_notes_say(const gcast_workload *w, const gcast_gpu *gpu)
{
    say_priorities(w, gpu);
    say_masks(w, gpu);
}
