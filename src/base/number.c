#include "base/number.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct c_locale {
    locale_t c;      /* "C"; 0: there was no memory for it */
    locale_t before; /* of this thread */
} c_locale;

/* Changes the locale of this thread to "C"; false without memory. Libraries of C have that locale at hand, so that
 * making it costs nothing and nothing need be kept from call to call. */
static bool enter_c_locale(c_locale *l)
{
    l->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (l->c)
        l->before = uselocale(l->c);
    return l->c != (locale_t)0;
}

static void leave_c_locale(const c_locale *l)
{
    uselocale(l->before);
    freelocale(l->c);
}

int number_print_list(char *out, size_t size, const char *format, va_list args)
{
    c_locale l;
    if (!enter_c_locale(&l))
        return -1;
    int n = vsnprintf(out, size, format, args);
    leave_c_locale(&l);
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
    c_locale l;
    *end = (char *)text;
    if (!enter_c_locale(&l))
        return 0;
    double v = strtod(text, end);
    leave_c_locale(&l);
    return v;
}

float number_parse_float(const char *text, char **end)
{
    c_locale l;
    *end = (char *)text;
    if (!enter_c_locale(&l))
        return 0;
    float v = strtof(text, end);
    leave_c_locale(&l);
    return v;
}
