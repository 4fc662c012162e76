/* fontconfig has no way to fail: without memory it crashes or tries for ever while it reads
 * its files. The command asks for enough memory before that; here it is done beforehand,
 * in the process that all others are forks of. */
#ifndef TESTS_FAILURES_FONTS_H
#define TESTS_FAILURES_FONTS_H

#include <stdbool.h>

extern const bool fonts_there; /* with cairo */
void fonts_load(void);

#endif
