#include "amalthea/lower/lowering.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

#define LISTED 4 /* names of a list that are written */

static void set_place(gcast_error *err, const char *file, int line)
{
    if (!err)
        return;
    snprintf(err->file, sizeof err->file, "%s", file ? file : "");
    err->line = line;
}

gcast_status lower_error(lowering *l, am_place at, const char *format, ...)
{
    char message[sizeof l->err->message];
    va_list args;
    va_start(args, format);
    number_print_list(message, sizeof message, format, args);
    va_end(args);
    gcast_error_set(l->err, GCAST_INPUT, NULL, "%s", message);
    set_place(l->err, at.file, at.line);
    return GCAST_INPUT;
}

gcast_status lower_given_error(lowering *l, const char *format, ...)
{
    char message[sizeof l->err->message];
    va_list args;
    va_start(args, format);
    number_print_list(message, sizeof message, format, args);
    va_end(args);
    gcast_error_set(l->err, GCAST_INPUT, NULL, "%s", message);
    set_place(l->err, l->given->file, 0);
    return GCAST_INPUT;
}

gcast_status lower_no_memory(lowering *l)
{
    return gcast_error_set_memory(l->err);
}

am_place lower_nowhere(void)
{
    return (am_place){"", 0};
}

am_place lower_at_task(const lowering *l, size_t task)
{
    return l->m->tasks[l->origin[task]].at;
}

/* `f` has everything but the words and the place. */
static gcast_status add(lowering *l, am_place at, sys_finding f, const char *format, va_list args)
{
    char text[700];
    number_print_list(text, sizeof text, format, args);
    f.line = at.line;
    f.text = lower_keep(l, text);
    f.file = lower_keep(l, at.file ? at.file : "");
    if (!f.text || !f.file)
        return GCAST_RESOURCE;
    return vec_push(&l->findings, f) ? GCAST_OK : lower_no_memory(l);
}

#define ADD(l, at, format, ...)                                                                                        \
    va_list args;                                                                                                      \
    va_start(args, format);                                                                                            \
    gcast_status status = add(l, at, (sys_finding){__VA_ARGS__}, format, args);                                        \
    va_end(args);                                                                                                      \
    return status

gcast_status finding_add(lowering *l, am_place at, unsigned effects, const char *format, ...)
{
    ADD(l, at, format, .effects = effects, .task = SYS_ALL_TASKS);
}

gcast_status finding_of_task(lowering *l, am_place at, size_t task, unsigned effects, const char *format, ...)
{
    ADD(l, at, format, .effects = effects, .task = (int)task);
}

gcast_status finding_of_gpu(lowering *l, am_place at, unsigned effects, const char *format, ...)
{
    ADD(l, at, format, .effects = effects, .task = SYS_GPU_TASKS);
}

gcast_status finding_doubt(lowering *l, am_place at, unsigned effects, const char *format, ...)
{
    ADD(l, at, format, .effects = effects, .task = SYS_ALL_TASKS, .doubtful = true);
}

gcast_status finding_doubt_of_task(lowering *l, am_place at, size_t task, unsigned effects, const char *format, ...)
{
    ADD(l, at, format, .effects = effects, .task = (int)task, .doubtful = true);
}

gcast_status finding_unchecked(lowering *l, am_place at, size_t count, const char *format, ...)
{
    ADD(l, at, format, .effects = SYS_UNCHECKED, .task = SYS_NO_TASKS, .count = count);
}

gcast_status finding_of_limits(lowering *l, am_place at, unsigned effects, const char *format, ...)
{
    ADD(l, at, format, .effects = effects, .task = SYS_NO_TASKS);
}

const char *lower_keep(lowering *l, const char *text)
{
    const char *kept = arena_strdup(&l->s->memory, text);
    if (!kept)
        lower_no_memory(l);
    return kept;
}

static void *array(lowering *l, arena *a, size_t count, size_t size)
{
    void *p = arena_alloc_array(a, count ? count : 1, size);
    if (!p)
        lower_no_memory(l);
    return p;
}

void *lower_array(lowering *l, size_t count, size_t size)
{
    return array(l, &l->s->memory, count, size);
}

void *lower_scratch(lowering *l, size_t count, size_t size)
{
    return array(l, &l->scratch, count, size);
}

static void append(name_list *n, const char *before, const char *name)
{
    size_t used = strlen(n->text);
    snprintf(n->text + used, sizeof n->text - used, "%s%.60s", before, name);
}

void names_add(name_list *n, const char *name)
{
    if (n->last && n->count <= LISTED)
        append(n, n->count > 1 ? ", " : "", n->last);
    n->last = name;
    n->count++;
}

const char *names_text(name_list *n)
{
    if (!n->last)
        return n->text;
    if (n->count > LISTED + 1) {
        size_t used = strlen(n->text);
        snprintf(n->text + used, sizeof n->text - used, " and %zu more", n->count - LISTED);
    } else {
        append(n, n->count > 1 ? " and " : "", n->last);
    }
    n->last = NULL;
    return n->text;
}

typedef struct walk {
    lowering *l;
    uint32_t number; /* `seen` has it for runnables that this walk has seen */
    item_visitor visit;
    void *data;
} walk;

static gcast_status walk_in(walk *w, const am_item *items, size_t count, int runnable, int depth)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        const am_item *item = &items[i];
        if (depth > LOWER_DEPTH)
            return lower_error(w->l, item->at, "Items and calls are nested deeper than %d levels.", LOWER_DEPTH);
        status = w->visit(w->l, item, runnable, w->data);
        if (status == GCAST_OK && item->item_count)
            status = walk_in(w, item->items, item->item_count, runnable, depth + 1);
        bool calls = item->kind == AM_ITEM_CALL || (item->kind == AM_ITEM_SERVER_CALL && !item->asynchronous);
        if (status != GCAST_OK || !calls || item->runnable < 0 || w->l->seen[item->runnable] == w->number)
            continue;
        w->l->seen[item->runnable] = w->number;
        const am_runnable *r = &w->l->m->runnables[item->runnable];
        status = walk_in(w, r->items, r->item_count, item->runnable, depth + 1);
    }
    return status;
}

/* Starts a walk that has seen nothing yet. */
static gcast_status start(walk *w)
{
    lowering *l = w->l;
    if (!l->seen)
        l->seen = lower_scratch(l, l->m->runnable_count, sizeof *l->seen);
    if (!l->seen)
        return GCAST_RESOURCE;
    w->number = ++l->walks;
    return GCAST_OK;
}

gcast_status walk_pointers(lowering *l, const am_item *const *items, size_t count, item_visitor visit, void *data)
{
    walk w = {.l = l, .visit = visit, .data = data};
    gcast_status status = start(&w);
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        status = walk_in(&w, items[i], 1, -1, 0);
    return status;
}

gcast_status walk_task(lowering *l, int task, item_visitor visit, void *data)
{
    walk w = {.l = l, .visit = visit, .data = data};
    gcast_status status = start(&w);
    return status == GCAST_OK ? walk_in(&w, l->m->tasks[task].items, l->m->tasks[task].item_count, -1, 0) : status;
}
