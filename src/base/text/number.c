#include "base/text/number.h"

#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static locale_t plain; /* "C"; made once, never changed, and 0 only where there was no memory for it */

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static bool enter(locale_t *before)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_plain);
    if (plain)
        *before = uselocale(plain);
    return plain != (locale_t)0;
}

int number_print_list(char *out, size_t size, const char *format, va_list args)
{
    locale_t before;
    if (!enter(&before))
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
    if (!enter(&before))
        return 0;
    double v = strtod(text, end);
    uselocale(before);
    return v;
}

float number_parse_float(const char *text, char **end)
{
    locale_t before;
    *end = (char *)text;
    if (!enter(&before))
        return 0;
    float v = strtof(text, end);
    uselocale(before);
    return v;
}
