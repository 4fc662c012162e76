/* The progress of a report, for the callback in its options. The writers get a copy of the options, made by
 * report_progress_begin, in which report_progress_of finds the progress. */
#ifndef REPORT_REPORT_PROGRESS_H
#define REPORT_REPORT_PROGRESS_H

#include "gridcast/report.h"

typedef struct report_progress {
    const gcast_report_options *caller_options; /* the caller's options */
    gcast_report_options options;               /* a copy for the writers, whose progress_data is this */
    gcast_write_fn write;                       /* the caller's sink */
    void *data;                                 /* for write */
    uint64_t done, total;                       /* steps that are done, and all steps */
    uint64_t next;                              /* steps done at which the callback is called again */
    bool stopped;                               /* by the callback */
} report_progress;

/* Steps per block: for each of two passes that sort it to its SM, and for drawing or writing it. */
enum { STEPS_TO_SORT = 1, STEPS_TO_SHOW = 8 };

/* For a report of `total` steps. */
void report_progress_begin(report_progress *progress, const gcast_report_options *options, uint64_t total,
                           gcast_write_fn write, void *data);
/* The progress that the options carry; NULL: none. */
report_progress *report_progress_of(const gcast_report_options *options);
/* Calls the callback. */
void report_progress_notify(report_progress *progress);
/* A gcast_write_fn whose data is a report_progress: calls the callback, and writes to the caller's sink. */
bool report_progress_write(void *progress, const char *bytes, size_t size);
/* The blocks of all operations, also of children. */
uint64_t report_progress_blocks(const gcast_run *run);
/* `status`, or an error where the callback stopped the report. */
gcast_status report_progress_end(const report_progress *progress, gcast_status status, gcast_error *err);

/* Counts further steps as done; progress may be NULL. */
static inline void report_progress_add(report_progress *progress, uint64_t steps)
{
    if (progress && (progress->done += steps) >= progress->next)
        report_progress_notify(progress);
}

#endif
