#include "ptx/parse/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ptx/lex/lex.h"

bool parse_fail(parser *p, ptx_place at, const char *format, ...)
{
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    p->status = gcast_error_set(p->err, GCAST_INPUT, NULL, "%s", message);
    if (p->err) {
        p->err->line = at.line;
        p->err->column = at.column;
    }
    return false;
}

bool parse_memory(parser *p)
{
    p->status = gcast_error_set_memory(p->err);
    return false;
}

bool parse_advance(parser *p)
{
    lex_next(&p->lex, &p->tok);
    return p->tok.kind != TOKEN_BAD || parse_fail(p, p->tok.at, "%s", p->tok.problem);
}

bool parse_expected(parser *p, const char *expected)
{
    const token *t = &p->tok;
    int size = t->size > 40 ? 40 : (int)t->size;
    if (t->kind == TOKEN_END)
        return parse_fail(p, t->at, "expected %s, but the text ends", expected);
    return parse_fail(p, t->at, "expected %s, not `%s%.*s`", expected, t->kind == TOKEN_DOT ? "." : "", size, t->start);
}

bool parse_is_sign(const parser *p, int sign)
{
    return p->tok.kind == TOKEN_SIGN && p->tok.sign == sign;
}

static bool is_text(const token *t, const char *word)
{
    return strlen(word) == t->size && memcmp(t->start, word, t->size) == 0;
}

bool parse_is_dot(const parser *p, const char *word)
{
    return p->tok.kind == TOKEN_DOT && is_text(&p->tok, word);
}

bool parse_is_name(const parser *p, const char *word)
{
    return p->tok.kind == TOKEN_NAME && is_text(&p->tok, word);
}

bool parse_sign(parser *p, char sign)
{
    if (parse_is_sign(p, sign))
        return parse_advance(p);
    return parse_expected(p, (char[]){'`', sign, '`', '\0'});
}

bool parse_if_sign(parser *p, int sign, bool *found)
{
    *found = parse_is_sign(p, sign);
    return !*found || parse_advance(p);
}

bool parse_keep(parser *p)
{
    const token *t = &p->tok;
    text *b = &p->buffer;
    bool joins_previous = t->kind == TOKEN_SIGN && strchr(",;)(", t->sign);
    if (t->kind == TOKEN_DOT && t->start[0] >= '0' && t->start[0] <= '9')
        return parse_expected(p, "a directive"); /* with a space before it, it would be a number */
    if (b->used && !joins_previous && b->data[b->used - 1] != '(')
        text_char(b, ' ');
    if (t->kind == TOKEN_DOT)
        text_char(b, '.');
    if (t->kind == TOKEN_STRING)
        text_char(b, '"');
    text_bytes(b, t->start, t->size);
    if (t->kind == TOKEN_STRING)
        text_char(b, '"');
    return b->failed ? parse_memory(p) : parse_advance(p);
}

bool parse_kept(parser *p, const char **out)
{
    *out = NULL;
    if (p->buffer.used) {
        text_char(&p->buffer, '\0');
        if (p->buffer.failed || !(*out = arena_copy(p->memory, p->buffer.data, p->buffer.used)))
            return parse_memory(p);
    }
    p->buffer.used = 0;
    return true;
}

const void *parse_copy(parser *p, const void *data, size_t count, size_t size)
{
    void *copy = arena_alloc_array(p->memory, count, size);
    if (!copy)
        parse_memory(p);
    else if (count)
        memcpy(copy, data, count * size);
    return copy;
}

bool parse_add_item(parser *p, ptx_item item)
{
    return vec_push(&p->items, item) || parse_memory(p);
}
