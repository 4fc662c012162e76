/* What the value of an option or an operand may be. */
#ifndef CLI_COMPLETION_OPTION_VALUES_H
#define CLI_COMPLETION_OPTION_VALUES_H

#include "cli/completion/completion_line.h"

/* Prints the candidates for what --help calls `value`, such as "GPU". `text` is the line of --help of an option, which
 * names the endings of its files; "": there is none. */
void offer_value(const completion_line *l, const char *value, const char *text);

#endif
