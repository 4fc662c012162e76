/* What may have been meant by a word that is not known. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

/* Of the words seen, the nearest to one that was given: a letter too many, too few, another or two changed round, and
 * one more such slip in words of five letters or more. */
typedef struct suggestion {
    const char *given;
    const char *nearest; /* NULL: none is near */
    size_t slips;
} suggestion;

suggestion suggest_for(const char *given);
/* The word stays the caller's, and must last. */
void suggest_see(suggestion *s, const char *word);
/* How many slips are between two words, up to `most`; more are most + 1. */
size_t suggest_slips(const char *a, const char *b, size_t most);

#endif
