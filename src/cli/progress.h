/* A line on stderr that shows how far long work is: only on a terminal, and only after
 * half a second. It is gone before anything else is printed. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct progress {
    const char *what;       /* "simulating" */
    double start, since;    /* of all work, and of what the fraction is of; seconds */
    double last, fraction;  /* when it was shown, and what was told last */
    double limit;           /* it is given up then, seconds after since; 0: never */
    double delay, interval; /* before it is first shown, and until it is again */
    bool on, shown;
} progress;

void progress_start(progress *p, const char *what);
/* Something else begins, with a fraction of its own, that is given up after `most_ms`; 0: never. */
void progress_next(progress *p, const char *what, int64_t most_ms);
/* For every `progress` of the library's options: how much is done, below 0: not known. Never stops the work. */
bool progress_show(void *p, double fraction);
void progress_end(progress *p);
/* Whatever is shown now goes away until it is shown again: something else is to be printed. */
void progress_hide(void);

/* progress_line.c: what is shown, without line ends; `elapsed` and `limit` as above. */
void progress_line(char *out, size_t size, const char *what, double fraction, double elapsed, double limit);

#endif
