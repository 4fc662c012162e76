/* Converts JSON texts to jansson's values, and back. It is safe without memory, and changes no settings of jansson,
 * which the program around the library may use, too. */
#ifndef FILES_JSON_TEXT_H
#define FILES_JSON_TEXT_H

#include <jansson.h>

#include "gridcast/error.h"

/* Parses a text. Errors have a line and a column. */
gcast_status json_parse(const char *bytes, size_t size, json_t **root, gcast_error *err);
/* The text of a value, which the caller frees; NULL without memory. */
char *json_text(const json_t *value);

#endif
