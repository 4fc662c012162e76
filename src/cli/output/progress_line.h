/* How far long work is, in words. */
#ifndef CLI_OUTPUT_PROGRESS_LINE_H
#define CLI_OUTPUT_PROGRESS_LINE_H

#include <stddef.h>

/* Writes a line such as "simulating: 50 %, 10 s left", without an end of line. `fraction` is how much is done (below 0:
 * not known), `elapsed_s` how long that took. The work is given up in `max_left_s` seconds; below 0: never. */
void progress_line(char *out, size_t size, const char *activity, double fraction, double elapsed_s, double max_left_s);

#endif
