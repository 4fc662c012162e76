/* Completion: scripts for shells, and what these ask for. */
#ifndef CLI_COMPLETION_COMPLETE_H
#define CLI_COMPLETION_COMPLETE_H

#include "cli/command.h"

/* --completion SHELL */
gcast_status print_completion(const char *shell);

/* --complete FORM WORD...: what the last of the words of a command line may be, a line each. FORM is "plain" where the
 * shell has taken quotes off, "bash" where it has not, "fish" where the last word has them. A line that begins with a
 * tab says that names of files or folders fit, too, and after another tab what they begin with. Errors are not said:
 * there is nobody to read them. */
gcast_status complete_words(int count, char **words);

/* A word without the quotes and backslashes of a shell, which need not be closed; free it. NULL without memory. */
char *complete_unquote(const char *word);

#endif
