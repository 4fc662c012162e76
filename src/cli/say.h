/* What the program says on stderr. */
#ifndef CLI_SAY_H
#define CLI_SAY_H

#include "gridcast/error.h"

/* One line: "gridcast: MESSAGE". Returns code. */
gcast_status say(gcast_status code, const char *format, ...) GCAST_PRINTF(2, 3);
/* An error of the library: "gridcast: FILE:LINE:COL: MESSAGE (PATH)". Returns its code. */
gcast_status say_error(const gcast_error *err);
/* "gridcast: note: NOTE" */
void say_note(const char *note);
/* Says that memory ran out. Returns GCAST_RESOURCE. */
gcast_status say_no_memory(void);
/* Says why a file cannot be read, by errno. Returns GCAST_RESOURCE if the process lacks memory or descriptors, else
 * GCAST_INPUT. */
gcast_status say_unreadable(const char *path, int error_number);

#endif
