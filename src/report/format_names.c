/* Formats by number and by file name. */
#include <string.h>

#include "gridcast/names.h"
#include "gridcast/report.h"
#include "report/format_names.h"

static const struct {
    const char *ending, *text;
} formats[] = {
#define X(id, ending, text) {ending, text},
    GCAST_FORMAT_TABLE(X)
#undef X
};

bool gcast_format_from_name(const char *name, gcast_format *f)
{
    if (!name || !f)
        return false;
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

bool gcast_format_from_file(const char *name, gcast_format *f, bool *is_gzip)
{
    if (!name || !f || !is_gzip)
        return false;
    static const gcast_format gzipped[] = {GCAST_FORMAT_CSV, GCAST_FORMAT_JSON, GCAST_FORMAT_TRACE};
    size_t length = strlen(name), best = 0;
    *is_gzip = length > 3 && strcmp(name + length - 3, ".gz") == 0;
    if (!*is_gzip)
        return gcast_format_from_name(name, f);
    for (size_t i = 0; i < sizeof gzipped / sizeof gzipped[0]; i++) {
        const char *ending = formats[gzipped[i]].ending;
        size_t n = strlen(ending);
        if (n > best && n <= length - 3 && strncmp(name + length - 3 - n, ending, n) == 0) {
            best = n;
            *f = gzipped[i];
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

gcast_status format_refused(const char *what, gcast_format format, gcast_error *err)
{
    return gcast_error_set(err, GCAST_USAGE, NULL, "%s cannot be written as %s", what,
                           gcast_name(GCAST_NAMES_FORMAT, format));
}
