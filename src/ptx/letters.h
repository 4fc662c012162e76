/* Characters of PTX words. */
#ifndef PTX_LETTERS_H
#define PTX_LETTERS_H

#include <stdbool.h>

static inline bool lex_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool lex_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static inline bool lex_is_word(char c)
{
    return lex_is_letter(c) || lex_is_digit(c);
}

#endif
