#include "cli/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "cli/output/progress.h"

/* Prints one line with a single write, without allocating memory. Control characters in text from files are escaped. */
static void print_line(const char *message)
{
    char buffer[8192]; /* the longest message, all of it escaped */
    text t;
    text_open_in(&t, NULL, NULL, buffer, sizeof buffer);
    text_str(&t, "gridcast: ");
    text_terminal(&t, message);
    text_char(&t, '\n');
    progress_hide();
    fwrite(buffer, 1, t.used, stderr);
}

gcast_status say(gcast_status code, const char *format, ...)
{
    char message[1024] = "";
    va_list list;
    va_start(list, format);
    number_print_list(message, sizeof message, format, list);
    va_end(list);
    print_line(message);
    return code;
}

/* The option that gives what a hint asks for; %s is the name in the error. */
static const char *const hints[GCAST_HINTS] = {
    [GCAST_HINT_NONE] = "",
    [GCAST_HINT_GPU] = "; give --gpu NAME",
    [GCAST_HINT_CAPABILITY] = "; gridcast gpus --limits lists them",
    [GCAST_HINT_DURATION] = "; give --duration \"%s=TIME\"",
    [GCAST_HINT_DURATIONS] = "; give --duration \"%s=TIME\", or --calibration FILE for several",
    [GCAST_HINT_HORIZON] = " (--horizon TIME)",
    [GCAST_HINT_ITERATIONS] = "; give --iterations N",
    [GCAST_HINT_PROCESSES] = "; simulate --merge-processes treats them as one",
    [GCAST_HINT_LIMIT] = "; --limit TIME allows more time",
    [GCAST_HINT_DEVICE] = "; give --device N",
};

gcast_status say_error(const gcast_error *err)
{
    char message[1800], position[40] = "", hint[400];
    snprintf(hint, sizeof hint, hints[err->hint], err->name);
    if (err->line > 0 && err->column <= 0)
        snprintf(position, sizeof position, ":%d", err->line);
    else if (err->line > 0)
        snprintf(position, sizeof position, ":%d:%d", err->line, err->column);
    snprintf(message, sizeof message, "%s%s%s%s%s%s%s%s", err->file, position, err->file[0] ? ": " : "", err->message,
             hint, err->path[0] ? " (" : "", err->path, err->path[0] ? ")" : "");
    print_line(message);
    return err->code;
}

gcast_status say_unreadable(const char *path, int error_number)
{
    bool is_resource = error_number == ENOMEM || error_number == EMFILE || error_number == ENFILE;
    return say(is_resource ? GCAST_RESOURCE : GCAST_INPUT, "%s: %s", path, strerror(error_number));
}

void say_note(const char *note)
{
    say(GCAST_OK, "note: %s", note);
}

gcast_status say_no_memory(void)
{
    return say(GCAST_RESOURCE, "not enough memory");
}
