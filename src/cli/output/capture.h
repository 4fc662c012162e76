/* Text of unknown origin on standard output: what a terminal would act on is escaped
 * there and nowhere else, and what a library prints by itself can be held back. */
#ifndef CLI_OUTPUT_CAPTURE_H
#define CLI_OUTPUT_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes as they are into a file or a pipe; a terminal gets no control characters but ends of lines and tabs.
 * False without memory. */
bool print_bytes(const char *bytes, size_t size);

typedef struct capture {
    FILE *file; /* that standard output goes to */
    int saved;  /* where it went */
} capture;

/* From here on to its end all that the process prints is kept; false: it cannot be, by errno. */
bool capture_start(capture *c);
/* Standard output is what it was; what was kept goes to `print`. False: not all of it could be kept, by errno. */
bool capture_end(capture *c, void (*print)(void *data, const char *bytes, size_t size), void *data);

#endif
