/* Where the examples are: below the current folder, installed with the program, or in the source tree that it was built
 * in. */
#ifndef CLI_WELCOME_EXAMPLES_FOLDER_H
#define CLI_WELCOME_EXAMPLES_FOLDER_H

#include <limits.h>
#include <stdbool.h>

/* The folder that has docs/ and examples/, "" for the current one. All `files` of examples/ must be there; NULL ends
 * them. False: there is no such folder. */
bool examples_folder_find(const char *const *files, char folder[PATH_MAX]);

#endif
