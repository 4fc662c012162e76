/* A line on stderr that shows how far long work is: only on a terminal, and only after
 * half a second. It is gone before anything else is printed. */
#ifndef CLI_OUTPUT_PROGRESS_H
#define CLI_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct progress {
    const char *what;          /* "simulating" */
    double start, next, since; /* of all work, of its part, and of what the fraction is of; seconds */
    double last, fraction;     /* when it was shown, and what was told last */
    double limit;              /* the part is given up so many seconds after its start; 0: never */
    double delay, interval;    /* before it is first shown, and until it is again */
    bool on, shown;
} progress;

void progress_start(progress *p, const char *what);
/* Something else begins, with a fraction of its own, that is given up after `max_ms`; 0: never. */
void progress_next(progress *p, const char *what, int64_t max_ms);
/* For every `progress` of the library's options: how much is done, below 0: not known. Never stops the work. */
bool progress_show(void *p, double fraction);
void progress_end(progress *p);
/* Whatever is shown now goes away until it is shown again: something else is to be printed. */
void progress_hide(void);

/* progress_line.c: what is shown, without line ends: so much in `elapsed` seconds, and at most `most` of them left;
 * below 0: there is no limit. */
void progress_line(char *out, size_t size, const char *what, double fraction, double elapsed, double most);

#endif
