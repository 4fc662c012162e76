/* Texts of JSON as jansson's values, and back: safe without memory, and without a change to the jansson of the program
 * around the library. */
#ifndef FILES_JSON_JANSSON_H
#define FILES_JSON_JANSSON_H

#include <jansson.h>

#include "gridcast/error.h"

/* Parses a text; an error says what is wrong with it, and where. */
gcast_status json_parse(const char *bytes, size_t size, json_t **root, gcast_error *err);
/* A value as text, for the caller to free; NULL without memory. */
char *json_text(const json_t *value);

#endif
