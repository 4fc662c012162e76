/* The endings of files that an option writes, which say the format. */
#ifndef CLI_COMPLETION_FILE_ENDINGS_H
#define CLI_COMPLETION_FILE_ENDINGS_H

#include "cli/completion/completion_line.h"

/* Completes "timeline.s" to "timeline.svg" by the endings in an option's line of --help. */
void offer_endings(const completion_line *l, const char *text);

#endif
