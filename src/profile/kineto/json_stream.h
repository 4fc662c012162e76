/* A JSON text that is parsed piece by piece, by yajl. */
#ifndef PROFILE_KINETO_JSON_STREAM_H
#define PROFILE_KINETO_JSON_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "gridcast/error.h"

/* Called for each value. A function that returns false ends the reading: it has called json_stream_fail, or lacks
 * memory. Texts and numbers do not end in NUL. */
typedef struct json_handler {
    bool (*key)(void *data, const char *text, size_t size);
    bool (*string)(void *data, const char *text, size_t size);
    bool (*number)(void *data, const char *text, size_t size);
    bool (*other)(void *data);                /* true, false, null */
    bool (*start)(void *data, bool is_array); /* begins an object or an array */
    bool (*end)(void *data);                  /* ends it */
} json_handler;

typedef struct json_stream json_stream;

/* `file` is for errors. NULL without memory. */
json_stream *json_stream_open(const char *file, const json_handler *handler, void *data, gcast_error *err);
/* Parses the next bytes. */
gcast_status json_stream_feed(json_stream *s, const char *bytes, size_t size);
/* Call this after the last bytes: the value must be complete. */
gcast_status json_stream_end(json_stream *s);
/* Sets an error at the place that was read last. Returns false. */
bool json_stream_fail(json_stream *s, gcast_status code, const char *message);
void json_stream_close(json_stream *s);

#endif
