/* The progress of a report, for the callback in its options. A `work` is handed to the writers in the options:
 * work_begin puts it there, work_of finds it. */
#ifndef REPORT_WORK_H
#define REPORT_WORK_H

#include "gridcast/report.h"

typedef struct work {
    const gcast_report_options *caller_options; /* the caller's options */
    gcast_report_options options;               /* a copy that carries this work, for the writers */
    gcast_write_fn write;                       /* the caller's sink */
    void *data;                                 /* for write */
    uint64_t done, total;                       /* steps */
    uint64_t next;                              /* the callback is called when so many steps are done */
    bool stopped;                               /* by the callback */
} work;

/* Steps per block: for each of two passes that sort it to its SM, and for drawing or writing it. */
enum { WORK_SORT = 1, WORK_SHOW = 8 };

/* For a report of `all` steps. */
void work_begin(work *w, const gcast_report_options *options, uint64_t all, gcast_write_fn write, void *data);
/* The work in the options; NULL: there is none. */
work *work_of(const gcast_report_options *options);
/* Calls the callback. */
void work_notify(work *w);
/* A gcast_write_fn whose data is the work: calls the callback, and writes to the caller's sink. */
bool work_write(void *w, const char *bytes, size_t size);
/* The blocks of all operations. */
uint64_t work_blocks(const gcast_run *run);
/* `status`, or an error where the callback stopped the report. */
gcast_status work_end(const work *w, gcast_status status, gcast_error *err);

/* So many more steps are done; w may be NULL. */
static inline void work_add(work *w, uint64_t steps)
{
    if (w && (w->done += steps) >= w->next)
        work_notify(w);
}

#endif
