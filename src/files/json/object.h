/* Reading JSON by key, with the path of every value at hand for errors.
 *
 * A document remembers its first error and every getter after that returns
 * something harmless, so that a reader can get several values and look at
 * document.status once. A node points at its parent, which must outlive it. */
#ifndef FILES_JSON_OBJECT_H
#define FILES_JSON_OBJECT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"

typedef struct document {
    const char *file;
    json_t *root;
    gcast_error *err;
    gcast_status status;
    bool examiner; /* its dialect: 1e9 is a whole number, keys that start with "comment" are ignored */
} document;

typedef struct node {
    document *doc;
    json_t *value; /* NULL: not there */
    const struct node *up;
    const char *key; /* in an object; NULL: in an array, or the root */
    size_t index;
} node;

/* The value that the text is, or what is wrong with it and where. */
gcast_status json_parse(const char *text, size_t size, json_t **root, gcast_error *err);
/* A value as text, to be freed; NULL without memory. */
char *json_text(const json_t *value);

/* Parse text whose root must be an object. Close the document also on failure. */
gcast_status document_open(document *d, const char *text, size_t size, const char *file, gcast_error *err);
void document_close(document *d);
node document_root(document *d);

/* Keep this error, with the node's path, unless there was one before. */
gcast_status node_fail(const node *n, const char *format, ...) GCAST_PRINTF(2, 3);
/* The same for an error that a call has left in document.err: adds file and path where they are missing. */
gcast_status node_fail_as(const node *n, gcast_status status);

node node_key(const node *object, const char *key);
node node_item(const node *array, size_t i);
/* The value as what it should be; an error where it is not, or is missing. */
bool node_is_object(const node *n);
size_t node_count(const node *n); /* of an array; anything else is an error and 0 */
int64_t node_int(const node *n, int64_t lo, int64_t hi);
const char *node_text(const node *n);
bool node_bool(const node *n);

/* Every key of the object is in the NULL-terminated list, or starts with "x-". */
void node_known(const node *object, const char *const *keys);

/* A required key, or one with a value where it is missing. */
int64_t get_int(const node *object, const char *key, int64_t lo, int64_t hi);
int64_t get_int_or(const node *object, const char *key, int64_t lo, int64_t hi, int64_t missing);
const char *get_text(const node *object, const char *key);
const char *get_text_or(const node *object, const char *key, const char *missing);
/* Text with something in it. */
const char *get_name(const node *object, const char *key);
bool get_bool_or(const node *object, const char *key, bool missing);
/* Seconds, 0 or more, rounded to the nearest nanosecond. */
int64_t get_seconds_or(const node *object, const char *key, int64_t missing);

#endif
