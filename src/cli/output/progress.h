/* A line on stderr that shows how far long work is: only on a terminal, and only after half a second. It is erased
 * before anything else is printed. */
#ifndef CLI_OUTPUT_PROGRESS_H
#define CLI_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    const char *activity;      /* what is done now, such as "simulating" */
    bool may_show;             /* stderr is a terminal that can erase a line */
    bool shown;                /* the line has been shown at least once */
    int64_t start_ns;          /* of all work; all times here are of the monotonic clock */
    int64_t part_start_ns;     /* start of the current part */
    int64_t fraction_start_ns; /* when the fraction last began at 0 */
    double fraction;           /* the last fraction that the work reported; below 0: not known */
    int64_t last_shown_ns;     /* 0: not yet */
    int64_t max_part_ns;       /* the part is given up after this time; 0: never */
    int64_t delay_ns;          /* from the start until the line is first shown */
    int64_t interval_ns;       /* minimum between two updates of the line */
} progress;

void progress_start(progress *p, const char *activity);
/* The next part of the work begins, with a fraction of its own. It is given up after `max_ms`; 0: never. */
void progress_next(progress *p, const char *activity, int64_t max_ms);
/* The `progress` callback of the library's options. `fraction` is how much is done; below 0: not known. Returns true:
 * the work goes on. */
bool progress_show(void *p, double fraction);
void progress_end(progress *p);
/* Erases the line, if one is shown, before something else is printed. */
void progress_hide(void);

#endif
