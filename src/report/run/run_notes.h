/* The notes of a run: first those of its workload, what could not be carried over into it, as the run rests on that;
 * then its own. */
#ifndef REPORT_RUN_RUN_NOTES_H
#define REPORT_RUN_RUN_NOTES_H

#include "gridcast/run.h"

static inline size_t run_notes_count(const gcast_run *run)
{
    return run->workload->note_count + run->note_count;
}

static inline const char *run_notes_at(const gcast_run *run, size_t i)
{
    const gcast_workload *w = run->workload;
    return i < w->note_count ? w->notes[i] : run->notes[i - w->note_count];
}

#endif
