/* Text that goes to standard output all at once, or not at all. */
#ifndef CLI_OUTPUT_PRINT_TEXT_H
#define CLI_OUTPUT_PRINT_TEXT_H

#include "base/text/text.h"

/* Ends a text that was opened without a sink: prints it if `status`, that of making it, is GCAST_OK. Returns status, or
 * that of an error, which is printed. */
gcast_status print_text(text *t, gcast_status status) TEXT_MUST_CHECK;

#endif
