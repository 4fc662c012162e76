/* Access to JSON by key, with the path of every value for errors.
 *
 * A document keeps its first error. Every getter after that returns something harmless, so that a reader can get
 * several values and check document.status once. A node points to its parent, which must outlive it. */
#ifndef FILES_DOCUMENT_H
#define FILES_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"

typedef struct document {
    const char *file;    /* for errors */
    json_t *root;        /* the parsed text */
    gcast_error *err;    /* the first error */
    gcast_status status; /* status of the first error */
    bool examiner;       /* examiner's dialect: 1e9 is a whole number; keys that start with "comment" are ignored */
} document;

typedef struct node {
    document *doc;
    json_t *value;         /* NULL: it is missing */
    const struct node *up; /* the object or array that contains it; NULL: it is the root */
    const char *key;       /* key in an object; NULL: in an array, or the root */
    size_t index;          /* index in an array */
} node;

/* Parses a text whose root must be an object. The document must be closed also on failure. */
gcast_status document_open(document *d, const char *text, size_t size, const char *file, gcast_error *err);
void document_close(document *d);
node document_root(document *d);

/* Sets this error, with the path of the node, unless there was one before. */
gcast_status node_fail(const node *n, const char *format, ...) GCAST_PRINTF(2, 3);
/* Keeps an error that a call has left in document.err, and adds file and path if they are missing. */
gcast_status node_fail_as(const node *n, gcast_status status);
/* The same for an error whose path begins at the node. */
gcast_status node_fail_inside(const node *n, gcast_status status);
/* Sets the error for lack of memory. */
void node_fail_memory(const node *n);
/* Writes the path of a node, as far as it fits; returns its length. */
size_t node_path(const node *n, char *out, size_t size);

node node_key(const node *object, const char *key);
node node_item(const node *array, size_t i);
/* These get a value of the type that it must have; it is an error if it has another type, or is missing. */
bool node_is_object(const node *n);
size_t node_count(const node *n); /* length of an array; 0 and an error for anything else */
int64_t node_int(const node *n, int64_t lo, int64_t hi);
const char *node_text(const node *n);
bool node_bool(const node *n);
/* The index of a string in a NULL-terminated list; 0 and an error if it is not in the list. */
int node_choice(const node *n, const char *const *names);

/* Is this key x-notes outside of the top of a file? That is an error: such notes would be ignored, but matter for
 * verdicts. */
bool node_misplaced_notes(const node *object, const char *key);
/* Sets an error unless every key of the object is in the NULL-terminated list, or starts with "x-". */
void node_known(const node *object, const char *const *keys);

/* The value of a key, which must be present; get_..._or returns `missing` if it is not. */
int64_t get_int(const node *object, const char *key, int64_t lo, int64_t hi);
int64_t get_int_or(const node *object, const char *key, int64_t lo, int64_t hi, int64_t missing);
const char *get_text(const node *object, const char *key);
const char *get_text_or(const node *object, const char *key, const char *missing);
/* A text that is not empty. */
const char *get_name(const node *object, const char *key);
bool get_bool_or(const node *object, const char *key, bool missing);
/* Seconds, not negative, in nanoseconds. */
int64_t get_seconds_or(const node *object, const char *key, int64_t missing);

#endif
