/* Which known word was meant by one that is not known. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

/* The nearest of the words seen so far. A slip is a letter too many, a letter missing, a wrong letter, or two
 * neighbouring letters swapped; a word is near with one slip, or with two where the given word has five letters or
 * more. */
typedef struct suggestion {
    const char *unknown; /* the word that is not known */
    const char *nearest; /* NULL: none of the words seen is near */
    size_t distance;     /* slips of the nearest word; before there is one, the maximum that counts as near */
} suggestion;

suggestion suggest_for(const char *word);
/* Compares a known word, which must outlive the suggestion. */
void suggest_consider(suggestion *s, const char *word);
/* The number of slips between two words (their edit distance), or max + 1 where there are more than `max`. */
size_t suggest_distance(const char *a, const char *b, size_t max);

#endif
