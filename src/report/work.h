/* How much of a report is done, told to whoever asked for it. It travels in the options: work_begin
 * puts it there, work_of finds it. */
#ifndef REPORT_WORK_H
#define REPORT_WORK_H

#include "gridcast/report.h"

typedef struct work {
    const gcast_report_options *asked;
    gcast_report_options options; /* the same, to be handed on */
    gcast_write_fn write;
    void *data;
    uint64_t done, all, next; /* next: when it is told again */
    bool stopped;
} work;

/* Steps a block takes: two looks at it to sort it to its SM, and its share in drawing or writing it. */
enum { WORK_SORT = 1, WORK_SHOW = 8 };

/* `all` steps are to be done. */
void work_begin(work *w, const gcast_report_options *options, uint64_t all, gcast_write_fn write, void *data);
/* NULL: nobody asked. */
work *work_of(const gcast_report_options *options);
void work_tell(work *w);
/* For gcast_write_fn, with the work as its data: tells, and writes. */
bool work_write(void *w, const char *bytes, size_t size);
/* The blocks of all operations. */
uint64_t work_blocks(const gcast_run *run);
/* Whatever came of it, unless it was stopped. */
gcast_status work_end(const work *w, gcast_status status, gcast_error *err);

/* So many steps more; w may be NULL. */
static inline void work_add(work *w, uint64_t steps)
{
    if (w && (w->done += steps) >= w->next)
        work_tell(w);
}

#endif
