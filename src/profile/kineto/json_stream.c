#include "profile/kineto/json_stream.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#define MAX_PARSER_BYTES ((size_t)64 << 20) /* limit for yajl: its buffer holds one text, its stack the nesting */

/* Memory of yajl. As yajl does not check for NULL, lack of memory leaves it by longjmp. All that it held is in a list
 * and is freed here. */
typedef struct chunk {
    struct chunk *next, *before; /* in the list of the stream */
    size_t size;
    alignas(max_align_t) char data[];
} chunk;

struct json_stream {
    const char *file; /* for errors */
    const json_handler *handler;
    void *data; /* for the handler */
    gcast_error *err;
    gcast_status status; /* the first error */
    yajl_handle yajl;
    size_t held;     /* bytes of all chunks */
    jmp_buf lack;    /* jumped to without memory */
    const char *fed; /* the bytes that are being parsed */
    size_t fed_size;
    int line;      /* line of the first of them, from 1 */
    size_t column; /* its column, from 0 */
    chunk chunks;  /* head of the list; it has no data, so it comes last */
};

static void *chunk_resize(void *context, void *at, size_t size)
{
    json_stream *s = context;
    chunk *old = at ? (chunk *)((char *)at - offsetof(chunk, data)) : NULL;
    size_t before = old ? old->size : 0;
    if (size > MAX_PARSER_BYTES || s->held - before > MAX_PARSER_BYTES - size) {
        json_stream_fail(s, GCAST_INPUT, "a text is too long, or values are nested too deep: more than 64 MiB");
        longjmp(s->lack, 1);
    }
    chunk *c = realloc(old, sizeof *c + size);
    if (!c) {
        s->status = gcast_error_set_memory(s->err);
        longjmp(s->lack, 1);
    }
    if (!old) {
        c->before = &s->chunks;
        c->next = s->chunks.next;
    }
    c->before->next = c;
    if (c->next)
        c->next->before = c;
    s->held += size - before;
    c->size = size;
    return c->data;
}

static void *chunk_new(void *context, size_t size)
{
    return chunk_resize(context, NULL, size);
}

static void chunk_free(void *context, void *at)
{
    json_stream *s = context;
    if (!at)
        return;
    chunk *c = (chunk *)((char *)at - offsetof(chunk, data));
    c->before->next = c->next;
    if (c->next)
        c->next->before = c->before;
    s->held -= c->size;
    free(c);
}

static int on_key(void *context, const unsigned char *text, size_t size)
{
    json_stream *s = context;
    return s->handler->key(s->data, (const char *)text, size);
}

static int on_string(void *context, const unsigned char *text, size_t size)
{
    json_stream *s = context;
    return s->handler->string(s->data, (const char *)text, size);
}

static int on_number(void *context, const char *text, size_t size)
{
    json_stream *s = context;
    return s->handler->number(s->data, text, size);
}

static int on_boolean(void *context, int value)
{
    json_stream *s = context;
    (void)value;
    return s->handler->other(s->data);
}

static int on_null(void *context)
{
    json_stream *s = context;
    return s->handler->other(s->data);
}

static int on_start_map(void *context)
{
    json_stream *s = context;
    return s->handler->start(s->data, false);
}

static int on_start_array(void *context)
{
    json_stream *s = context;
    return s->handler->start(s->data, true);
}

static int on_end(void *context)
{
    json_stream *s = context;
    return s->handler->end(s->data);
}

/* False without memory. */
static bool start_parser(json_stream *s)
{
    static const yajl_callbacks callbacks = {.yajl_null = on_null,
                                             .yajl_boolean = on_boolean,
                                             .yajl_number = on_number,
                                             .yajl_string = on_string,
                                             .yajl_start_map = on_start_map,
                                             .yajl_map_key = on_key,
                                             .yajl_end_map = on_end,
                                             .yajl_start_array = on_start_array,
                                             .yajl_end_array = on_end};
    yajl_alloc_funcs functions = {.malloc = chunk_new, .realloc = chunk_resize, .free = chunk_free, .ctx = s};
    if (setjmp(s->lack))
        return false;
    s->yajl = yajl_alloc(&callbacks, &functions, s);
    yajl_config(s->yajl, yajl_dont_validate_strings, 1); /* writers of output escape texts */
    return true;
}

json_stream *json_stream_open(const char *file, const json_handler *handler, void *data, gcast_error *err)
{
    json_stream *s = calloc(1, sizeof *s);
    if (!s) {
        gcast_error_set_memory(err);
        return NULL;
    }
    s->file = file;
    s->handler = handler;
    s->data = data;
    s->err = err;
    s->line = 1;
    if (start_parser(s))
        return s;
    json_stream_close(s);
    return NULL;
}

/* Moves line and column over the first bytes of `fed`. */
static void advance(json_stream *s, size_t size)
{
    const char *end = s->fed + size, *line = s->fed;
    for (const char *p; (p = memchr(line, '\n', (size_t)(end - line))) != NULL; line = p + 1) {
        s->line += s->line < INT32_MAX;
        s->column = 0;
    }
    s->column += (size_t)(end - line);
    s->fed += size;
    s->fed_size -= size;
}

bool json_stream_fail(json_stream *s, gcast_status code, const char *message)
{
    if (s->status != GCAST_OK)
        return false;
    if (s->yajl && s->fed) {
        size_t used = yajl_get_bytes_consumed(s->yajl);
        advance(s, used < s->fed_size ? used : s->fed_size);
    }
    s->status = gcast_error_set(s->err, code, NULL, "%s", message);
    if (s->err) {
        snprintf(s->err->file, sizeof s->err->file, "%s", s->file);
        s->err->line = s->line;
        s->err->column = s->column < INT32_MAX ? (int)s->column + 1 : 0;
    }
    return false;
}

/* Sets the error of yajl, in one line: "lexical error: invalid char in json text." */
static void fail_as_parser(json_stream *s)
{
    char message[200];
    unsigned char *text = yajl_get_error(s->yajl, 0, (const unsigned char *)s->fed, s->fed_size);
    snprintf(message, sizeof message, "%.*s", (int)strcspn((char *)text, "\n"), (char *)text);
    yajl_free_error(s->yajl, text);
    if (strstr(message, "premature EOF"))
        json_stream_fail(s, GCAST_INPUT, "the JSON text ends early");
    else
        json_stream_fail(s, GCAST_INPUT, message);
}

static gcast_status check_parser(json_stream *s, yajl_status status)
{
    if (status == yajl_status_error)
        fail_as_parser(s);
    else if (status == yajl_status_client_canceled && s->status == GCAST_OK)
        s->status = gcast_error_set_memory(s->err); /* the only failure of a handler without json_stream_fail */
    return s->status;
}

gcast_status json_stream_feed(json_stream *s, const char *bytes, size_t size)
{
    if (s->status != GCAST_OK)
        return s->status;
    s->fed = bytes;
    s->fed_size = size;
    if (setjmp(s->lack))
        return s->status;
    check_parser(s, yajl_parse(s->yajl, (const unsigned char *)bytes, size));
    if (s->status == GCAST_OK)
        advance(s, size);
    return s->status;
}

gcast_status json_stream_end(json_stream *s)
{
    if (s->status != GCAST_OK)
        return s->status;
    s->fed = NULL;
    s->fed_size = 0;
    if (setjmp(s->lack))
        return s->status;
    return check_parser(s, yajl_complete_parse(s->yajl));
}

void json_stream_close(json_stream *s)
{
    if (!s)
        return;
    for (chunk *c = s->chunks.next, *next; c; c = next) { /* this replaces yajl_free, which needs a complete handle */
        next = c->next;
        free(c);
    }
    free(s);
}
