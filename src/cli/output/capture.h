/* Standard output for text that others made: control characters are escaped where it is a
 * terminal, and what a library prints by itself can be captured. */
#ifndef CLI_OUTPUT_CAPTURE_H
#define CLI_OUTPUT_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Prints bytes: unchanged into a file or a pipe; on a terminal all control characters but newline and tab are
 * escaped. False without memory. */
bool print_bytes(const char *bytes, size_t size);

typedef struct capture {
    FILE *file; /* a temporary file that standard output goes to meanwhile */
    int saved;  /* a descriptor of the real standard output */
} capture;

/* From here to capture_end all that the process prints is kept. False: that is impossible, and errno says why. */
bool capture_start(capture *c);
/* Restores standard output and passes what was kept to `print`. False: some of it was lost, and errno says why. */
bool capture_end(capture *c, void (*print)(void *data, const char *bytes, size_t size), void *data);

#endif
