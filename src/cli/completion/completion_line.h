/* The command line that is completed, and how candidates for its last word are printed. */
#ifndef CLI_COMPLETION_COMPLETION_LINE_H
#define CLI_COMPLETION_COMPLETION_LINE_H

#include "cli/command.h"

#define LINE_OPERANDS 16 /* of the command, that are looked at */

typedef struct completion_line {
    char **words;       /* without quotes */
    int count;          /* of words; the last one is to be completed */
    bool whole_words;   /* the shell wants "--gpu=h200"; else only what is behind the = of an option */
    const char *option; /* before each candidate where it is printed: "--gpu=" of the last word, or "" */
    int option_length;
    const char *typed; /* what comes before each candidate in the value: "flat," of flat,spawn, or "" */
    int typed_length;
    const char *start;                   /* what candidates must begin with: the rest of the last word */
    const command *cmd;                  /* NULL: not known yet */
    const char *operands[LINE_OPERANDS]; /* the command's, before the last word */
    int operand_count;
    bool after_dashes;  /* a -- came before, so that operands may begin with - */
    bool may_be_option; /* candidates for the last word may begin with -: it is the first, or an option's value */
} completion_line;

/* Prints a candidate if it begins as the last word does. */
void offer(const completion_line *l, const char *word);
/* The same with something behind it, such as "=". */
void offer_with(const completion_line *l, const char *word, const char *end);
/* Names of files fit, or with kind "folders" of folders. */
void offer_files(const completion_line *l, const char *kind);

/* The rest of a value behind the last `separator`, where its parts are completed one by one: what comes before is
 * taken as typed. */
completion_line line_behind(const completion_line *l, char separator);

#endif
