/* Values are made with jansson's constructors, which say so where there is no memory. Its parser does not: where a
 * buffer cannot grow it loses bytes of the text and may write past its end. Its printer is given a buffer of ours for
 * the same reason. */
#include "files/json/jansson.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"
#include "files/json/json_token.h"

#define MAX_DEPTH 2048 /* of arrays and objects in each other */

static json_t *parse_value(token_reader *p, int depth);

/* Has the string that was read no NUL in it? */
static bool string_is_text(token_reader *p)
{
    if (p->string.used && memchr(p->string.data, '\0', p->string.used))
        token_fail_alone(p, "text must not contain \\u0000");
    return p->status == GCAST_OK;
}

/* The string that was read, for the caller to free; NULL where it failed. */
static char *take_key(token_reader *p, const json_t *object)
{
    if (p->token != STRING) {
        token_fail(p, "string or '}' expected");
        return NULL;
    }
    char *key = string_is_text(p) ? malloc(p->string.used + 1) : NULL;
    if (!key) {
        token_fail_memory(p);
        return NULL;
    }
    if (p->string.used)
        memcpy(key, p->string.data, p->string.used);
    key[p->string.used] = '\0';
    if (json_object_get(object, key))
        token_fail(p, "duplicate object key");
    return key;
}

static void parse_member(token_reader *p, json_t *object, int depth)
{
    char *key = take_key(p, object);
    token_next(p);
    if (!token_is(p, ':'))
        token_fail(p, "':' expected");
    token_next(p);
    json_t *value = key ? parse_value(p, depth) : NULL;
    if (value && json_object_set_new_nocheck(object, key, value) != 0)
        token_fail_memory(p);
    free(key);
}

static void parse_element(token_reader *p, json_t *array, int depth)
{
    json_t *value = parse_value(p, depth);
    if (value && json_array_append_new(array, value) != 0)
        token_fail_memory(p);
}

/* An object or an array, behind its first mark. */
static json_t *parse_list(token_reader *p, bool is_object, int depth)
{
    char close = is_object ? '}' : ']';
    json_t *list = is_object ? json_object() : json_array();
    if (!list) {
        token_fail_memory(p);
        return NULL;
    }
    token_next(p);
    if (token_is(p, close))
        return list;
    while (is_object || p->token != END) {
        if (is_object)
            parse_member(p, list, depth);
        else
            parse_element(p, list, depth);
        token_next(p);
        if (p->status != GCAST_OK || !token_is(p, ','))
            break;
        token_next(p);
    }
    if (!token_is(p, close))
        token_fail(p, is_object ? "'}' expected" : "']' expected");
    if (p->status != GCAST_OK) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *make_value(token_reader *p)
{
    switch (p->token) {
    case STRING:
        return string_is_text(p) ? json_stringn_nocheck(p->string.used ? p->string.data : "", p->string.used) : NULL;
    case INTEGER:
        return json_integer(p->integer);
    case REAL:
        return json_real(p->real);
    case WORD_TRUE:
        return json_true();
    case WORD_FALSE:
        return json_false();
    default:
        return json_null();
    }
}

/* The value that the token begins; NULL where it failed. */
static json_t *parse_value(token_reader *p, int depth)
{
    if (p->status != GCAST_OK)
        return NULL;
    if (p->token == INVALID || p->token == END ||
        (p->token == MARK && *p->token_start != '{' && *p->token_start != '['))
        token_fail(p, p->token == INVALID ? "invalid token" : "unexpected token");
    else if (depth > MAX_DEPTH)
        token_fail_alone(p, "nested too deeply");
    else if (p->token == MARK)
        return parse_list(p, *p->token_start == '{', depth + 1);
    json_t *value = p->status == GCAST_OK ? make_value(p) : NULL;
    if (!value)
        token_fail_memory(p);
    return value;
}

static json_t *parse_text(token_reader *p)
{
    token_next(p);
    if (!token_is(p, '{') && !token_is(p, '['))
        token_fail(p, "'[' or '{' expected");
    json_t *root = parse_value(p, 1);
    token_next(p);
    if (p->token != END)
        token_fail(p, "end of file expected");
    if (p->status == GCAST_OK)
        return root;
    json_decref(root);
    return NULL;
}

gcast_status json_parse(const char *bytes, size_t size, json_t **root, gcast_error *err)
{
    token_reader p = {.text = bytes, .end = bytes + size, .at = bytes, .err = err};
    text_open(&p.string, NULL, NULL);
    *root = parse_text(&p);
    text_drop(&p.string);
    return p.status;
}

static int print_bytes(const char *bytes, size_t size, void *data)
{
    text *out = data;
    text_bytes(out, bytes, size);
    return out->failed ? -1 : 0;
}

char *json_text(const json_t *value)
{
    text out;
    text_open(&out, NULL, NULL);
    if (json_dump_callback(value, print_bytes, &out, JSON_COMPACT) == 0)
        return text_take(&out, NULL);
    text_drop(&out);
    return NULL;
}
