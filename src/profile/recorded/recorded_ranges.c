/* Ranges of NVTX: their begins and ends are frames of their own. */
#include <stdlib.h>

#include "profile/recorded/state.h"

enum { MARKER_START = 2, MARKER_END = 4 }; /* CUpti_ActivityFlag */

static int by_id(const void *a, const void *b)
{
    const recorded_marker *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return x->flags != y->flags ? (x->flags < y->flags ? -1 : 1) : 0; /* starts before ends */
}

static bool add_range(recording *r, const recorded_marker *start, const recorded_marker *end)
{
    prof_range range = {.kind = PROF_RANGE_NVTX,
                        .thread = PROF_NONE,
                        .name = start->name,
                        .start_ns = start->time_ns,
                        .end_ns = end->time_ns};
    if (!range.name)
        return true;
    if (start->thread != PROF_UNKNOWN && !prof_get_thread(r->trace, r->process.pid, start->thread, &range.thread))
        return false;
    return prof_add_range(r->trace, &range);
}

bool recorded_add_ranges(recording *r)
{
    recorded_process *p = &r->process;
    uint64_t open = 0;
    if (p->markers.count)
        qsort(p->markers.at, p->markers.count, sizeof *p->markers.at, by_id);
    for (size_t i = 0; i < p->markers.count; i++) {
        const recorded_marker *m = &p->markers.at[i], *next = m + 1;
        if (!(m->flags & MARKER_START))
            continue;
        if (i + 1 == p->markers.count || next->id != m->id || !(next->flags & MARKER_END))
            open++;
        else if (!add_range(r, m, next))
            return false;
    }
    return !open || prof_find(r->trace, "{range} without an end, left out", NULL, open);
}
