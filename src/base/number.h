/* Numbers with a decimal point, for any locale of the program. The locale of the calling thread is changed during the
 * call only; other threads do not see it. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdarg.h>
#include <stddef.h>

#include "gridcast/error.h"

/* As snprintf; -1 also without memory. */
int number_print(char *out, size_t size, const char *format, ...) GCAST_PRINTF(3, 4);
int number_print_list(char *out, size_t size, const char *format, va_list args) GCAST_PRINTF(3, 0);

/* As strtod and strtof; without memory as where there is no number. */
double number_parse(const char *text, char **end);
float number_parse_float(const char *text, char **end);

#endif
