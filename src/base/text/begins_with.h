/* The first bytes of a file say what it is. */
#ifndef BASE_BEGINS_WITH_H
#define BASE_BEGINS_WITH_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool begins_with(const char *bytes, size_t size, const char *with)
{
    return size >= strlen(with) && memcmp(bytes, with, strlen(with)) == 0;
}

#endif
