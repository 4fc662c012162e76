#include "amalthea/read/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"

bool reader_no_memory(am_reader *r)
{
    r->status = gcast_error_set_memory(r->err);
    return false;
}

bool reader_fail(am_reader *r, const xml_node *n, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    r->status = xml_error(n, r->err, "%s", message);
    return false;
}

void *reader_array(am_reader *r, size_t count, size_t size)
{
    void *p = arena_alloc_array(r->memory, count ? count : 1, size);
    if (!p)
        reader_no_memory(r);
    return p;
}

const char *reader_keep(am_reader *r, const char *text)
{
    if (!text || !*text)
        return "";
    const char *copy = arena_strdup(r->memory, text);
    if (!copy)
        reader_no_memory(r);
    return copy;
}

/* The file's name is in the model already. */
am_place reader_place(am_reader *r, const xml_node *n)
{
    for (size_t i = 0; i < r->files.count; i++)
        if (r->files.at[i]->tree.file == n->file)
            return (am_place){.file = r->files.at[i]->path, .line = n->line};
    return (am_place){.file = "", .line = n->line};
}

/* Elements are sorted topologically by their needs. */

typedef struct need_table {
    size_t *begin; /* by element: where the elements that need it begin in `needed_by` */
    size_t *needed_by;
    size_t *missing; /* by element: its needs that are not in the order yet */
} need_table;

static bool make_table(const am_need *needs, size_t need_count, size_t count, need_table *t)
{
    t->begin = calloc(count + 2, sizeof *t->begin);
    t->needed_by = calloc(need_count + 1, sizeof *t->needed_by);
    t->missing = calloc(count + 1, sizeof *t->missing);
    if (!t->begin || !t->needed_by || !t->missing)
        return false;
    for (size_t i = 0; i < need_count; i++) {
        t->begin[needs[i].to + 2]++;
        t->missing[needs[i].from]++;
    }
    for (size_t i = 2; i < count + 2; i++)
        t->begin[i] += t->begin[i - 1];
    for (size_t i = 0; i < need_count; i++)
        t->needed_by[t->begin[needs[i].to + 1]++] = needs[i].from;
    return true;
}

static size_t sort(const need_table *t, size_t count, size_t *order)
{
    size_t done = 0, known = 0;
    for (size_t i = 0; i < count; i++)
        if (!t->missing[i])
            order[known++] = i;
    for (; done < known; done++)
        for (size_t k = t->begin[order[done]]; k < t->begin[order[done] + 1]; k++)
            if (--t->missing[t->needed_by[k]] == 0)
                order[known++] = t->needed_by[k];
    return known;
}

/* The error for a circle. Every element that is left needs one that is left: going from need to need leads to one of a
 * circle. */
static bool circle(am_reader *r, const am_need *needs, size_t need_count, size_t count, const size_t *missing,
                   const char *what)
{
    const am_need **next = calloc(count + 1, sizeof *next);
    if (!next)
        return reader_no_memory(r);
    const am_need *at = NULL;
    for (size_t i = 0; i < need_count; i++)
        if (missing[needs[i].from] && missing[needs[i].to])
            at = next[needs[i].from] = &needs[i];
    for (size_t i = 0; at && i < count && next[at->to]; i++)
        at = next[at->to];
    const xml_node *n = at ? at->at : r->files.at[0]->tree.root;
    free(next);
    return reader_fail(r, n, "%s in a circle", what);
}

bool need_order(am_reader *r, const am_need *needs, size_t need_count, size_t count, const char *what, size_t *order)
{
    need_table t = {0};
    bool good = make_table(needs, need_count, count, &t) || reader_no_memory(r);
    if (good && sort(&t, count, order) < count)
        good = circle(r, needs, need_count, count, t.missing, what);
    free(t.begin);
    free(t.needed_by);
    free(t.missing);
    return good;
}

static size_t add_capped(size_t a, size_t b)
{
    return a + b > MAX_EXPANDED ? MAX_EXPANDED + 1 : a + b;
}

/* Runnables come after those that they call, so sizes and depths of these are known. */
static bool add_sizes(am_reader *r, const size_t *order, size_t *depths)
{
    size_t count = r->m->runnable_count, calls = r->calls.count, *items = r->runnable_items;
    size_t *first = calloc(count + 1, sizeof *first), *next = calloc(calls + 1, sizeof *next);
    bool good = (first && next) || reader_no_memory(r);
    for (size_t i = calls; good && i-- > 0;) { /* lists of calls by caller; 0 ends one */
        next[i] = first[r->calls.at[i].from];
        first[r->calls.at[i].from] = i + 1;
    }
    for (size_t i = 0; good && i < count; i++)
        for (size_t c = first[order[i]]; good && c; c = next[c - 1]) {
            const am_need *call = &r->calls.at[c - 1];
            items[call->from] = add_capped(items[call->from], items[call->to]);
            depths[call->from] = max_size(depths[call->from], depths[call->to] + 1);
            if (depths[call->from] > MAX_NESTED)
                good = reader_fail(r, call->at, "there are more than %zu calls in each other", MAX_NESTED);
        }
    free(first);
    free(next);
    return good;
}

static bool check_tasks(am_reader *r)
{
    size_t *items = calloc(r->m->task_count + 1, sizeof *items);
    bool good = items || reader_no_memory(r);
    for (size_t i = 0; good && i < r->task_calls.count; i++) {
        const am_need *call = &r->task_calls.at[i];
        items[call->from] = add_capped(items[call->from], r->runnable_items[call->to] + 1);
        if (items[call->from] > MAX_EXPANDED)
            good = reader_fail(r, call->at, "the task runs more than %zu items", MAX_EXPANDED);
    }
    free(items);
    return good;
}

bool check_calls(am_reader *r)
{
    size_t count = r->m->runnable_count;
    size_t *order = calloc(count + 1, sizeof *order), *depths = calloc(count + 1, sizeof *depths);
    bool good = (order && depths) || reader_no_memory(r);
    good = good && need_order(r, r->calls.at, r->calls.count, count, "the runnable calls itself", order) &&
           add_sizes(r, order, depths) && check_tasks(r);
    free(order);
    free(depths);
    return good;
}

/* Elements of a kind, or with a tag, are read one after the other. */

bool read_each(am_reader *r, am_symbol_kind kind, size_t size, read_symbol read, const void **array, size_t *count)
{
    char *slots = reader_array(r, r->symbols.counts[kind], size);
    if (!slots)
        return false;
    *array = slots;
    *count = r->symbols.counts[kind];
    for (size_t i = 0; i < r->symbols.all.count; i++) {
        am_symbol symbol = r->symbols.all.at[i];
        if (symbol.kind == kind && !read(r, symbol.node, symbol.class, slots + (size_t)symbol.node->number * size))
            return false;
    }
    return true;
}

static xml_node *first_from(am_reader *r, size_t file, const char *part, const char *tag)
{
    for (; file < r->files.count; file++)
        for (xml_node *p = xml_first(r->files.at[file]->tree.root, part); p; p = xml_next(p, part)) {
            xml_node *n = xml_first(p, tag);
            if (n)
                return n;
        }
    return NULL;
}

static size_t file_of(const am_reader *r, const xml_node *n)
{
    size_t file = 0;
    while (file < r->files.count && r->files.at[file]->tree.file != n->file)
        file++;
    return file;
}

xml_node *part_next(am_reader *r, const char *part, const char *tag, xml_node *n)
{
    if (!n)
        return first_from(r, 0, part, tag);
    xml_node *next = xml_next(n, tag);
    for (xml_node *p = n->parent; !next && (p = xml_next(p, part));)
        next = xml_first(p, tag);
    return next ? next : first_from(r, file_of(r, n) + 1, part, tag);
}
