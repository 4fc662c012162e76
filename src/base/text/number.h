/* Numbers with a point, whatever the locale of the program around has in its place. The
 * locale is that of the calling thread, and is given back: nobody else sees a change. */
#ifndef BASE_TEXT_NUMBER_H
#define BASE_TEXT_NUMBER_H

#include <stdarg.h>
#include <stddef.h>

#include "gridcast/error.h"

/* As snprintf; -1 also without memory. */
int number_print(char *out, size_t size, const char *format, ...) GCAST_PRINTF(3, 4);
int number_print_list(char *out, size_t size, const char *format, va_list args) GCAST_PRINTF(3, 0);

/* As strtod and strtof; without memory nothing is read, as where there is no number. */
double number_parse(const char *text, char **end);
float number_parse_float(const char *text, char **end);

#endif
