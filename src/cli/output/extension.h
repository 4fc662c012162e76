/* The extension of a file name. */
#ifndef CLI_OUTPUT_EXTENSION_H
#define CLI_OUTPUT_EXTENSION_H

#include <stdbool.h>
#include <string.h>

/* Such as ".gz". */
static inline bool path_ends_with(const char *path, const char *extension)
{
    size_t length = strlen(path), extension_length = strlen(extension);
    return length >= extension_length && strcmp(path + length - extension_length, extension) == 0;
}

#endif
