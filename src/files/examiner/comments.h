/* Comments in configurations of the examiner. */
#ifndef FILES_EXAMINER_COMMENTS_H
#define FILES_EXAMINER_COMMENTS_H

#include <stddef.h>

/* A copy of text in which every key that starts with "comment" is a different "x-" key of the same length, since files
 * have several in one object. NULL without memory. */
char *examiner_rename_comments(const char *text, size_t size);

#endif
