#include "base/json_out.h"

#include <math.h>
#include <stdlib.h>

/* Writes what stands before a value, and returns where the value begins, for which so many bytes are reserved. NULL
 * without memory. */
static char *begin_value(json_out *j, const char *key, size_t bytes)
{
    text *out = j->out;
    size_t size = key ? strlen(key) : 0;
    if (!text_reserve(out, size + 6 + bytes))
        return NULL;
    char *p = out->data + out->used;
    if (j->needs_comma) {
        *p++ = ',';
        if (j->indent)
            *p++ = ' ';
    }
    j->needs_comma = true;
    if (key) {
        *p++ = '"';
        memcpy(p, key, size);
        p += size;
        *p++ = '"';
        *p++ = ':';
        if (j->indent)
            *p++ = ' ';
    }
    return p;
}

/* Ends what was begun, at p. */
static void end_value(json_out *j, const char *p)
{
    j->out->used = (size_t)(p - j->out->data);
}

void json_key(json_out *j, const char *key)
{
    const char *p = begin_value(j, key, 0);
    if (p)
        end_value(j, p);
}

void json_begin(json_out *j, const char *key, char bracket)
{
    char *p = begin_value(j, key, 1);
    if (p) {
        *p++ = bracket;
        end_value(j, p);
    }
    j->depth++;
    j->needs_comma = false;
}

void json_end(json_out *j, char bracket)
{
    text_char(j->out, bracket);
    j->depth--;
    j->needs_comma = true;
}

void json_line_at(json_out *j, int spaces)
{
    text_str(j->out, j->needs_comma ? ",\n" : "\n");
    while (spaces--)
        text_char(j->out, ' ');
    j->needs_comma = false;
}

void json_line(json_out *j)
{
    json_line_at(j, j->depth * j->indent);
}

void json_put_text(json_out *j, const char *key, const char *value)
{
    json_key(j, key);
    if (value)
        text_json(j->out, value);
    else
        text_str(j->out, "null");
}

void json_put_name(json_out *j, const char *key, const char *name)
{
    size_t size = strlen(name);
    char *p = begin_value(j, key, size + 2);
    if (!p)
        return;
    *p++ = '"';
    memcpy(p, name, size);
    p += size;
    *p++ = '"';
    end_value(j, p);
}

void json_put_bool(json_out *j, const char *key, bool value)
{
    json_key(j, key);
    text_str(j->out, value ? "true" : "false");
}

void json_put_int(json_out *j, const char *key, int64_t value)
{
    char *p = begin_value(j, key, 21);
    if (!p)
        return;
    if (value == JSON_UNKNOWN) {
        memcpy(p, "null", 4);
        end_value(j, p + 4);
        return;
    }
    if (value < 0)
        *p++ = '-';
    end_value(j, text_digits(p, value < 0 ? 0 - (uint64_t)value : (uint64_t)value));
}

void json_put_count(json_out *j, const char *key, uint64_t value)
{
    char *p = begin_value(j, key, 20);
    if (p)
        end_value(j, text_digits(p, value));
}

void json_put_decimals(json_out *j, const char *key, int decimals, double value)
{
    json_key(j, key);
    if (isnan(value))
        text_str(j->out, "null");
    else
        text_printf(j->out, "%.*f", decimals, value);
}

void json_put_milli(json_out *j, const char *key, int64_t value)
{
    json_key(j, key);
    if (value == JSON_UNKNOWN)
        text_str(j->out, "null");
    else
        text_milli(j->out, value);
}

void text_made(text *t, text *made, void (*put)(text *t, const char *s))
{
    char *words = text_take(made, NULL);
    if (words)
        put(t, words);
    else
        text_no_memory(t);
    free(words);
}

void json_put_made(json_out *j, const char *key, text *made)
{
    json_key(j, key);
    text_made(j->out, made, text_json);
}

void json_texts(json_out *j, const char *const *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        json_put_text(j, NULL, values[i]);
}
