/* fontconfig cannot fail: without memory it crashes or loops while it reads its files. The
 * command makes sure that there is enough memory before; the test reads the files once, in
 * the process that all others are forks of. */
#ifndef TESTS_FAILURES_FONTS_H
#define TESTS_FAILURES_FONTS_H

#include <stdbool.h>

extern const bool fonts_available; /* built with cairo */
void fonts_load(void);

#endif
