/* Where a buffer cannot grow, jansson's parser loses bytes of the text, takes the rest for a token, and may write past
 * its end; its printer loses bytes, too. So jansson never sees an allocation fail: it is left by a jump instead, and
 * what it had allocated is freed here. */
#include "files/json/jansson.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

#include "base/vec.h"

#define RECENT 64 /* allocations: most are freed soon */

/* A call of jansson. */
typedef struct jansson_call {
    jmp_buf no_memory;     /* where the call continues without memory */
    VEC(void *) allocated; /* what is not freed, and what is in to_free */
    VEC(void *) to_free;   /* freed by jansson, but not recent: freed after the call */
} jansson_call;

static _Thread_local jansson_call *current;

static void *tracked_malloc(size_t size)
{
    jansson_call *p = current;
    void *memory = malloc(size);
    if (p && (!memory || !vec_push(&p->allocated, memory))) {
        free(memory);
        longjmp(p->no_memory, 1);
    }
    return memory;
}

static void tracked_free(void *memory)
{
    jansson_call *p = current;
    if (p && memory) {
        for (size_t i = p->allocated.count; i > 0 && i + RECENT > p->allocated.count; i--)
            if (p->allocated.at[i - 1] == memory) {
                p->allocated.at[i - 1] = p->allocated.at[--p->allocated.count];
                free(memory);
                return;
            }
        if (!vec_push(&p->to_free, memory))
            longjmp(p->no_memory, 1);
        return;
    }
    free(memory);
}

/* Not where the program around the library has given jansson functions of its own. */
static void set_allocator(void)
{
    json_malloc_t allocate;
    json_free_t release;
    json_get_alloc_funcs(&allocate, &release);
    if (allocate == malloc && release == free)
        json_set_alloc_funcs(tracked_malloc, tracked_free);
}

/* The error of the parser, in words that do not need its manual. */
static gcast_status parse_error(const json_error_t *e, gcast_error *err)
{
    gcast_status status = GCAST_INPUT;
    switch ((int)json_error_code(e)) {
    case json_error_stack_overflow:
        gcast_error_set(err, status, NULL, "nested too deeply");
        break;
    case json_error_null_character:
    case json_error_null_byte_in_key:
        gcast_error_set(err, status, NULL, "text must not contain \\u0000");
        break;
    default:
        gcast_error_set(err, status, NULL, "%s", e->text);
    }
    if (err) {
        err->line = e->line;
        err->column = e->column;
    }
    return status;
}

static bool enter_jansson(jansson_call *v, void (*call)(void *data), void *data)
{
    if (setjmp(v->no_memory) != 0)
        return false;
    current = v;
    call(data);
    return true;
}

/* Calls jansson; false without memory. */
static bool call_jansson(void (*call)(void *data), void *data)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    jansson_call v = {0};
    pthread_once(&once, set_allocator);
    bool ended = enter_jansson(&v, call, data);
    current = NULL;
    for (size_t i = 0; i < (ended ? v.to_free.count : v.allocated.count); i++)
        free(ended ? v.to_free.at[i] : v.allocated.at[i]);
    vec_free(&v.allocated);
    vec_free(&v.to_free);
    return ended;
}

typedef struct parsing {
    const char *text; /* what is parsed */
    size_t size;      /* of the text */
    json_t *root;     /* the result; NULL: e says why */
    json_error_t e;
} parsing;

static void parse(void *data)
{
    parsing *p = data;
    p->root = json_loadb(p->text, p->size, JSON_REJECT_DUPLICATES, &p->e);
}

gcast_status json_parse(const char *text, size_t size, json_t **root, gcast_error *err)
{
    parsing p = {.text = text, .size = size};
    bool ended = call_jansson(parse, &p);
    *root = ended ? p.root : NULL;
    if (!*root && (!ended || !p.e.text[0])) /* every other error has a text */
        return gcast_error_set_memory(err);
    return *root ? GCAST_OK : parse_error(&p.e, err);
}

typedef struct printing {
    const json_t *value; /* what is printed */
    char *text;          /* the result */
} printing;

static void print(void *data)
{
    printing *p = data;
    p->text = json_dumps(p->value, JSON_COMPACT);
}

char *json_text(const json_t *value)
{
    printing p = {.value = value};
    return call_jansson(print, &p) ? p.text : NULL;
}
