/* jansson, kept from going on without memory: where a buffer cannot grow its parser loses
 * bytes of the text, takes what is left for a token of its own, and may write past its
 * end; its printer loses them too. So it never sees an allocation fail. It is left by a
 * jump instead, and what it had is freed here. */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

#include "base/vec.h"
#include "files/json/object.h"

#define NEAR 64 /* most is freed soon after it was made */

typedef struct visit {
    jmp_buf no_memory;
    VEC(void *) made;  /* all that is not freed, and what is in `later` */
    VEC(void *) later; /* freed, but made long ago */
} visit;

static _Thread_local visit *inside;

static void *watched_malloc(size_t size)
{
    visit *p = inside;
    void *memory = malloc(size);
    if (p && (!memory || !vec_push(&p->made, memory))) {
        free(memory);
        longjmp(p->no_memory, 1);
    }
    return memory;
}

static void watched_free(void *memory)
{
    visit *p = inside;
    if (p && memory) {
        for (size_t i = p->made.count; i > 0 && i + NEAR > p->made.count; i--)
            if (p->made.at[i - 1] == memory) {
                p->made.at[i - 1] = p->made.at[--p->made.count];
                free(memory);
                return;
            }
        if (!vec_push(&p->later, memory))
            longjmp(p->no_memory, 1);
        return;
    }
    free(memory);
}

/* A program around the library that has given jansson its own functions keeps them. */
static void watch(void)
{
    json_malloc_t allocate;
    json_free_t release;
    json_get_alloc_funcs(&allocate, &release);
    if (allocate == malloc && release == free)
        json_set_alloc_funcs(watched_malloc, watched_free);
}

/* What the parser did not like, in words that do not need its manual. */
static gcast_status wrong(const json_error_t *e, gcast_error *err)
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

static bool go_in(visit *v, void (*call)(void *data), void *data)
{
    if (setjmp(v->no_memory) != 0)
        return false;
    inside = v;
    call(data);
    return true;
}

/* Calls jansson; false without memory. */
static bool in_jansson(void (*call)(void *data), void *data)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    visit v = {0};
    pthread_once(&once, watch);
    bool ended = go_in(&v, call, data);
    inside = NULL;
    for (size_t i = 0; i < (ended ? v.later.count : v.made.count); i++)
        free(ended ? v.later.at[i] : v.made.at[i]);
    vec_free(&v.made);
    vec_free(&v.later);
    return ended;
}

typedef struct parsing {
    const char *text;
    size_t size;
    json_t *root;
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
    bool ended = in_jansson(parse, &p);
    *root = ended ? p.root : NULL;
    if (!*root && (!ended || !p.e.text[0])) /* what is wrong always has words */
        return gcast_error_set_memory(err);
    return *root ? GCAST_OK : wrong(&p.e, err);
}

typedef struct printing {
    const json_t *value;
    char *text;
} printing;

static void print(void *data)
{
    printing *p = data;
    p->text = json_dumps(p->value, JSON_COMPACT);
}

char *json_text(const json_t *value)
{
    printing p = {.value = value};
    return in_jansson(print, &p) ? p.text : NULL;
}
