/* Everything the command says on stderr, with text from files made harmless. */
#include <stdarg.h>
#include <stdlib.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/progress.h"

static void line(const char *message)
{
    text t;
    text_open(&t, NULL, NULL);
    text_str(&t, "gridcast: ");
    text_terminal(&t, message);
    text_char(&t, '\n');
    size_t size;
    char *bytes = text_take(&t, &size);
    progress_hide();
    if (bytes)
        fwrite(bytes, 1, size, stderr);
    free(bytes);
}

gcast_status say(gcast_status code, const char *format, ...)
{
    char message[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    line(message);
    return code;
}

gcast_status say_error(const gcast_error *err)
{
    char message[1400], place[40] = "";
    if (err->line > 0)
        snprintf(place, sizeof place, ":%d:%d", err->line, err->column);
    snprintf(message, sizeof message, "%s%s%s%s%s%s%s", err->file, place, err->file[0] ? ": " : "", err->message,
             err->path[0] ? " (" : "", err->path, err->path[0] ? ")" : "");
    line(message);
    return err->code;
}

void say_note(const char *note)
{
    say(GCAST_OK, "note: %s", note);
}
