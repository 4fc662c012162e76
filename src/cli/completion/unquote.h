/* Words of a command line as the shell would pass them to the program. */
#ifndef CLI_COMPLETION_UNQUOTE_H
#define CLI_COMPLETION_UNQUOTE_H

/* The word without the shell's quotes and backslashes; an open quote need not be closed. Free it. NULL without
 * memory. */
char *complete_unquote(const char *word);

#endif
