/* --complete: what the word at the cursor may be; the scripts for shells ask this. */
#ifndef CLI_COMPLETION_COMPLETE_H
#define CLI_COMPLETION_COMPLETE_H

#include "gridcast/error.h"

/* --complete FORM WORD...: prints what the last word of a command line may be, one candidate per line. FORM says which
 * words still have the shell's quotes: "plain" none, "bash" all, "fish" the last one. A line "\tfiles\tSTART" or
 * "\tfolders\tSTART" says that names of files or folders that begin with START fit, too. No error is printed, since
 * nobody would read it. */
gcast_status complete_words(int count, char **words);

#endif
