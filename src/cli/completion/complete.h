/* --complete: what the word at the cursor may be; the scripts for shells ask this. */
#ifndef CLI_COMPLETION_COMPLETE_H
#define CLI_COMPLETION_COMPLETE_H

#include "gridcast/error.h"

/* --complete FORM WORD...: prints what the last word of a command line may be, one candidate per line. FORM says which
 * words still have the shell's quotes: "plain" none, "bash" and "zsh" all, "fish" the last one. Of a last word such as
 * --gpu=h2 candidates are whole words, for zsh and fish only values. A line "\tfiles\tBEFORE\tSTART" (or "folders")
 * says that names of files that begin with START fit, too, with BEFORE before each. No error is printed, since nobody
 * would read it. */
gcast_status complete_words(int count, char **words);

#endif
