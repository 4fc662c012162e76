/* --complete: candidates for the word at the cursor, as the shells' scripts ask for them. */
#ifndef CLI_COMPLETION_COMPLETE_H
#define CLI_COMPLETION_COMPLETE_H

#include "gridcast/error.h"

/* --complete FORM WORD...: prints the candidates for the last word of a command line, one per line. FORM says which
 * words still have the shell's quotes: "plain" none, "bash" and "zsh" all, "fish" the last one. For a last word such as
 * --gpu=h2 candidates are whole words; for zsh and fish only values. A line "\tfiles\tBEFORE\tSTART" (or "folders")
 * says that names of files that begin with START fit, too, with BEFORE in front. No error is printed, since nobody
 * would read it. */
gcast_status complete_words(int count, char **words);

#endif
