#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <time.h>

typedef struct progress {
    double start, last;
    bool on, shown;
} progress;

void progress_start(progress *p);
/* For gcast_simulate_options.progress. */
bool progress_show(void *p, double fraction);
void progress_end(progress *p);

#endif
