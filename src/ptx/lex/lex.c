#include "ptx/lex/lex.h"

#include <string.h>

#include "ptx/letters.h"
#include "ptx/lex/lex_number.h"

void lex_open(lexer *x, const char *source, size_t size)
{
    *x = (lexer){.at = source, .end = source + size, .line_start = source, .start = source, .line = 1};
}

static void new_line(lexer *x)
{
    x->line++;
    x->line_start = x->at;
}

static ptx_place current_place(const lexer *x)
{
    return (ptx_place){x->line, (int)(x->at - x->line_start) + 1};
}

/* False: the comment does not end. */
static bool skip_comment(lexer *x)
{
    bool to_end_of_line = x->at[1] == '/';
    x->at += 2;
    while (x->at < x->end) {
        char c = *x->at++;
        if (c == '\n') {
            if (to_end_of_line) {
                new_line(x);
                return true;
            }
            new_line(x);
        } else if (!to_end_of_line && c == '*' && x->at < x->end && *x->at == '/') {
            x->at++;
            return true;
        }
    }
    return to_end_of_line;
}

/* False: a comment does not end; t->at is its place. */
static bool skip_space(lexer *x, token *t)
{
    while (x->at < x->end) {
        char c = *x->at;
        if (c == '\n') {
            x->at++;
            new_line(x);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            x->at++;
        } else if (c == '/' && x->end - x->at > 1 && (x->at[1] == '/' || x->at[1] == '*')) {
            t->at = current_place(x);
            if (!skip_comment(x))
                return false;
        } else {
            break;
        }
    }
    return true;
}

static void take_word(lexer *x)
{
    while (x->at < x->end && lex_is_word(*x->at))
        x->at++;
}

/* A dotted word; .shared::cluster is one word. */
static void dotted(lexer *x, token *t)
{
    t->kind = TOKEN_DOT;
    t->start = ++x->at;
    take_word(x);
    while (x->end - x->at > 2 && x->at[0] == ':' && x->at[1] == ':' && lex_is_word(x->at[2])) {
        x->at += 2;
        take_word(x);
    }
    t->size = (size_t)(x->at - t->start);
}

static void string(lexer *x, token *t)
{
    t->start = ++x->at;
    while (x->at < x->end && *x->at != '"' && *x->at != '\n')
        x->at += *x->at == '\\' && x->end - x->at > 1 && x->at[1] != '\n' ? 2 : 1;
    if (x->at >= x->end || *x->at != '"') {
        t->kind = TOKEN_BAD;
        t->problem = "the string does not end on its line";
        return;
    }
    t->kind = TOKEN_STRING;
    t->size = (size_t)(x->at++ - t->start);
    if (memchr(t->start, '\0', t->size)) {
        t->kind = TOKEN_BAD;
        t->problem = "the string has a zero byte in it";
    }
}

static void sign(lexer *x, token *t)
{
    static const char doubles[][2] = {{'<', '<'}, {'>', '>'}, {'<', '='}, {'>', '='},
                                      {'=', '='}, {'!', '='}, {'&', '&'}, {'|', '|'}};
    unsigned char c = (unsigned char)*x->at;
    t->kind = TOKEN_SIGN;
    t->sign = c;
    t->size = 1;
    if (c < ' ' || c > '~') {
        t->kind = TOKEN_BAD;
        t->problem = "a character that PTX does not have";
    }
    for (size_t i = 0; x->end - x->at > 1 && i < sizeof doubles / sizeof *doubles; i++)
        if (x->at[0] == doubles[i][0] && x->at[1] == doubles[i][1]) {
            t->sign = TOKEN_TWO(doubles[i][0], doubles[i][1]);
            t->size = 2;
        }
    x->at += t->size;
}

/* Does a number such as .5 start here? After a word it is a modifier: tensor.2d. */
static bool starts_fraction(const lexer *x)
{
    const char *p = x->at;
    return *p == '.' && x->end - p > 1 && lex_is_digit(p[1]) && (p == x->start || !lex_is_word(p[-1]));
}

void lex_next(lexer *x, token *t)
{
    if (!skip_space(x, t)) {
        t->kind = TOKEN_BAD;
        t->problem = "the comment does not end";
        return;
    }
    t->at = current_place(x);
    t->start = x->at;
    t->size = 0;
    if (x->at >= x->end) {
        t->kind = TOKEN_END;
        return;
    }
    char c = *x->at;
    const char *next = x->at + 1;
    if (lex_is_letter(c) || (c == '%' && next < x->end && lex_is_word(*next))) {
        x->at++;
        take_word(x);
        t->kind = TOKEN_NAME;
        t->size = (size_t)(x->at - t->start);
    } else if (lex_is_digit(c) || starts_fraction(x)) {
        lex_number(x, t);
    } else if (c == '.' && next < x->end && lex_is_word(*next)) {
        dotted(x, t);
    } else if (c == '"') {
        string(x, t);
    } else {
        sign(x, t);
    }
}
