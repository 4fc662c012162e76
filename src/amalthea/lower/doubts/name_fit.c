#include "amalthea/lower/doubts/name_fit.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define MAX_WORDS 24
#define MAX_WORD 24

typedef struct word_list {
    char word[MAX_WORDS][MAX_WORD];
    size_t count;
} word_list;

static bool has_word(const word_list *w, const char *word)
{
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->word[i], word) == 0)
            return true;
    return false;
}

static void add_word(word_list *w, char *word, size_t *length)
{
    word[*length] = '\0';
    if (*length && w->count < MAX_WORDS && !has_word(w, word))
        memcpy(w->word[w->count++], word, *length + 1);
    *length = 0;
}

/* lane_Detection, LaneDetection and "lane detection" are two words each. */
static void split(const char *name, word_list *w)
{
    char word[MAX_WORD];
    size_t length = 0;
    w->count = 0;
    for (const unsigned char *p = (const unsigned char *)name; *p; p++) {
        bool hump = isupper(*p) && p != (const unsigned char *)name && islower(p[-1]);
        if (!isalnum(*p) || hump)
            add_word(w, word, &length);
        if (isalnum(*p) && length + 1 < MAX_WORD)
            word[length++] = (char)tolower(*p);
    }
    add_word(w, word, &length);
}

int64_t name_fit(const char *a, const char *b)
{
    word_list x, y;
    size_t shared = 0;
    split(a, &x);
    split(b, &y);
    for (size_t i = 0; i < x.count; i++)
        shared += has_word(&y, x.word[i]);
    size_t all = x.count + y.count - shared;
    return all ? (int64_t)(1000000 * shared / all) : 0;
}
