/* Values of gridcast.amalthea/1: times and sizes as people write them, and text that is kept. Errors are those of the
 * document. */
#ifndef FILES_SYSTEM_GIVEN_VALUES_H
#define FILES_SYSTEM_GIVEN_VALUES_H

#include "files/json/object.h"
#include "model/system/given.h"

/* What all parts of the reader share. */
typedef struct given_reader {
    document doc;
    sys_given *g; /* what has been read so far */
} given_reader;

/* "1.5ms", or a whole number of nanoseconds; up to a day. */
int64_t given_time(const node *n);
/* A time, or the least and the most: ["1ms", "2ms"]. */
sys_range given_range(const node *n);
/* A time in picoseconds, at least one: "500ps". */
int64_t given_tick(const node *n);
/* "8KiB", "8K", or a whole number of bytes. */
int64_t given_size(const node *n);
/* Zeroed memory of the result, for `count` elements; NULL is an error of the document. */
void *given_array(given_reader *r, const node *n, size_t count, size_t size);
/* A copy of text that outlives the document, never NULL. */
const char *given_keep(given_reader *r, const node *n, const char *text);

#endif
