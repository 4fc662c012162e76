#include "base/text/number.h"

#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static locale_t c_locale; /* made once; 0: there was no memory for it */

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Changes the locale of this thread to "C"; false without memory. */
static bool use_c_locale(locale_t *before)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_c_locale);
    if (c_locale)
        *before = uselocale(c_locale);
    return c_locale != (locale_t)0;
}

int number_print_list(char *out, size_t size, const char *format, va_list args)
{
    locale_t before;
    if (!use_c_locale(&before))
        return -1;
    int n = vsnprintf(out, size, format, args);
    uselocale(before);
    return n;
}

int number_print(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = number_print_list(out, size, format, args);
    va_end(args);
    return n;
}

double number_parse(const char *text, char **end)
{
    locale_t before;
    *end = (char *)text;
    if (!use_c_locale(&before))
        return 0;
    double v = strtod(text, end);
    uselocale(before);
    return v;
}

float number_parse_float(const char *text, char **end)
{
    locale_t before;
    *end = (char *)text;
    if (!use_c_locale(&before))
        return 0;
    float v = strtof(text, end);
    uselocale(before);
    return v;
}
