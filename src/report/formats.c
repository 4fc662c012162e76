/* The formats by number and by file name. */
#include <string.h>

#include "gridcast/report.h"

static const struct {
    const char *ending, *text;
} formats[] = {
#define X(id, ending, text) {ending, text},
    GCAST_FORMAT_TABLE(X)
#undef X
};

const char *gcast_format_ending(gcast_format f)
{
    return (unsigned)f < GCAST_FORMATS ? formats[f].ending : "?";
}

const char *gcast_format_text(gcast_format f)
{
    return (unsigned)f < GCAST_FORMATS ? formats[f].text : "?";
}

bool gcast_format_from_name(const char *name, gcast_format *f)
{
    size_t best = 0, length = strlen(name);
    for (int i = 0; i < GCAST_FORMATS; i++) {
        size_t n = strlen(formats[i].ending);
        if (n <= length && n > best && strcmp(name + length - n, formats[i].ending) == 0) {
            best = n;
            *f = (gcast_format)i;
        }
    }
    return best > 0;
}

bool gcast_format_available(gcast_format f)
{
#ifndef GRIDCAST_WITH_CAIRO
    if (f == GCAST_FORMAT_PNG || f == GCAST_FORMAT_PDF)
        return false;
#endif
    return (unsigned)f < GCAST_FORMATS;
}
