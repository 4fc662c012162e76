/* Fills in a gcast_error, which is how every failure is reported to the caller. */
#include "gridcast/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/api/argument_missing.h"

gcast_status gcast_error_set(gcast_error *err, gcast_status code, const char *path, const char *format, ...)
{
    if (!format)
        return argument_missing(err);
    if (!err)
        return code;
    err->code = code;
    err->hint = GCAST_HINT_NONE;
    err->name[0] = '\0';
    err->line = err->column = 0;
    err->file[0] = '\0';
    snprintf(err->path, sizeof err->path, "%s", path ? path : "");
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return code;
}

gcast_status gcast_error_set_memory(gcast_error *err)
{
    return gcast_error_set(err, GCAST_RESOURCE, NULL, "not enough memory");
}

const char *gcast_status_text(gcast_status status)
{
    switch (status) {
#define X(name, value, text)                                                                                           \
    case GCAST_##name:                                                                                                 \
        return text;
        GCAST_STATUS_TABLE(X)
#undef X
    }
    return "unknown status";
}

const char *gcast_hint_text(gcast_hint hint)
{
    static const char *const texts[GCAST_HINTS] = {
#define X(id, text) [GCAST_HINT_##id] = text,
        GCAST_HINT_TABLE(X)
#undef X
    };
    return (unsigned)hint < GCAST_HINTS ? texts[hint] : "?";
}
