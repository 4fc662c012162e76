/* How a file's name ends. */
#ifndef CLI_OUTPUT_ENDING_H
#define CLI_OUTPUT_ENDING_H

#include <stdbool.h>
#include <string.h>

/* Such as ".gz". */
static inline bool path_ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), ending_length = strlen(ending);
    return length >= ending_length && strcmp(path + length - ending_length, ending) == 0;
}

#endif
