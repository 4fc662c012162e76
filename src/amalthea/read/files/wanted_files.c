/* References that lead to other files: those of the same folder that define what is wanted are read too. */
#include "amalthea/read/files/wanted_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amalthea/read/files/model_files.h"
#include "amalthea/read/references.h"
#include "amalthea/read/unused/harmless.h"

typedef struct am_wanted {
    const char *class, *name;
    const xml_node *at;
} am_wanted;

typedef struct wanted_search {
    am_reader *r;
    VEC(am_wanted) wanted;   /* what no file defines that was read */
    VEC(am_file *) siblings; /* parsed, with symbols of their own; NULL: read */
    VEC(am_symbols) symbols; /* of them */
    path_list named;         /* files that references name, and that were not read */
    bool crosses;            /* some reference leads to another file */
    bool looked;             /* for siblings */
} wanted_search;

/* The folder of a file, for the caller to free. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + (slash == path)) : strdup(".");
}

/* An href that names a file: not AMALTHEA's own amlt:/, nor any other scheme. */
static bool want_file(wanted_search *s, const xml_node *n, const char *href)
{
    static const char ending[] = ".amxmi";
    size_t length = strcspn(href, "#"), before = sizeof ending - 1;
    if (length <= before || memcmp(href + length - before, ending, before) != 0 || memchr(href, ':', length))
        return true;
    char *folder = folder_of(n->file);
    size_t size = folder ? strlen(folder) + length + 2 : 0;
    char *path = folder ? malloc(size) : NULL;
    if (path)
        snprintf(path, size, "%s/%.*s", href[0] == '/' ? "" : folder, (int)length, href);
    free(folder);
    if (!path || !vec_push(&s->named, path)) {
        free(path);
        return reader_no_memory(s->r);
    }
    return true;
}

/* A reference in an attribute, or in an href. */
static bool want(wanted_search *s, const xml_node *n, const char *text, size_t size, const char *href)
{
    am_wanted wanted = {.at = n};
    const am_symbol *first, *second;
    if (!reference_split(&s->r->symbols.memory, text, size, &wanted.class, &wanted.name))
        return true; /* said where it is needed */
    if (symbols_find(&s->r->symbols, wanted.class, wanted.name, &first, &second))
        return true;
    return (vec_push(&s->wanted, wanted) || reader_no_memory(s->r)) && (!href || want_file(s, n, href));
}

static bool is_text(const xml_node *n, const char *attribute)
{
    return strncmp(attribute, "xmi:", 4) == 0 || strcmp(attribute, "name") == 0 ||
           strcmp(attribute, "description") == 0 || strcmp(n->type, "StringObject") == 0;
}

/* All references of an element and of what is in it, but for what has no meaning. As deep as elements may be. */
static bool collect(wanted_search *s, const xml_node *n)
{
    if (is_harmless(n, NULL))
        return true;
    for (size_t i = 0; i < n->attribute_count; i++) {
        const xml_attribute *a = &n->attributes[i];
        if (strcmp(a->name, "href") == 0) {
            const char *target = reference_target(a->value);
            s->crosses = true;
            if (!want(s, n, target, strlen(target), a->value))
                return false;
        } else if (strstr(a->value, "?type=") && !is_text(n, a->name) && !is_harmless(n, a->name)) {
            const char *text = a->value;
            for (size_t size; (size = reference_next(&text)); text += size)
                if (!want(s, n, text, size, NULL))
                    return false;
        }
    }
    for (const xml_node *c = n->first; c; c = c->next)
        if (!collect(s, c))
            return false;
    return true;
}

static bool collect_all(wanted_search *s)
{
    s->wanted.count = 0;
    s->crosses = false;
    paths_free(&s->named);
    for (size_t i = 0; i < s->r->files.count; i++)
        if (!collect(s, s->r->files.at[i]->tree.root))
            return false;
    return true;
}

/* A file of the folder that cannot be read, or is of another version, is none of the model. */
static bool add_sibling(wanted_search *s, const char *path)
{
    am_reader *r = s->r;
    if (file_is_read(r, path))
        return true;
    gcast_error ignored, *err = r->err;
    r->err = &ignored;
    am_file *file = file_open(r, path);
    r->err = err;
    if (!file && r->status == GCAST_RESOURCE)
        return reader_no_memory(r);
    r->status = GCAST_OK;
    if (!file || file->version != r->files.at[0]->version) {
        file_free(file);
        return true;
    }
    am_symbols symbols = {0};
    bool good = symbols_add(&symbols, &file->tree) && vec_reserve(&s->siblings, s->siblings.count + 1) &&
                vec_reserve(&s->symbols, s->symbols.count + 1);
    if (!good) {
        symbols_free(&symbols);
        file_free(file);
        return reader_no_memory(r);
    }
    s->siblings.at[s->siblings.count++] = file;
    s->symbols.at[s->symbols.count++] = symbols;
    return true;
}

/* The siblings of the first file: a model is in one folder. */
static bool find_siblings(wanted_search *s)
{
    const char *path = s->r->files.at[0]->path;
    bool slash = strchr(path, '/');
    char *folder = folder_of(path);
    if (!folder)
        return reader_no_memory(s->r);
    path_list list = {0};
    s->looked = true;
    bool good = folder_files(s->r, folder, &list);
    for (size_t i = 0; good && i < list.count; i++)
        good = add_sibling(s, slash ? list.at[i] : list.at[i] + 2);
    paths_free(&list);
    free(folder);
    return good;
}

/* Which sibling defines it; -1: none. Two of them are an error. */
static bool find_definer(wanted_search *s, const am_wanted *wanted, int *found)
{
    *found = -1;
    for (size_t i = 0; i < s->siblings.count; i++) {
        const am_symbol *first, *second;
        if (!s->siblings.at[i] || !symbols_find(&s->symbols.at[i], wanted->class, wanted->name, &first, &second))
            continue;
        char shown[80];
        symbol_show(wanted->name, shown, sizeof shown);
        if (*found >= 0)
            return reader_fail(s->r, wanted->at,
                               "both %.120s and %.120s define the %.60s '%s' of another file; name the files of the "
                               "model",
                               s->siblings.at[*found]->path, s->siblings.at[i]->path, wanted->class, shown);
        *found = (int)i;
    }
    return true;
}

/* Reads those that define something wanted; *more where there were any. */
static bool add_definers(wanted_search *s, bool *more)
{
    bool *needed = calloc(s->siblings.count + 1, sizeof *needed);
    bool good = needed || reader_no_memory(s->r);
    for (size_t i = 0; good && i < s->wanted.count; i++) {
        int found;
        good = find_definer(s, &s->wanted.at[i], &found);
        if (good && found >= 0)
            needed[found] = *more = true;
    }
    for (size_t i = 0; good && i < s->siblings.count; i++) {
        if (!needed[i])
            continue;
        am_file *file = s->siblings.at[i];
        s->siblings.at[i] = NULL;
        size_t before = s->r->files.count;
        good = file_add(s->r, file);
        if (s->r->files.count == before)
            file_free(file);
    }
    free(needed);
    return good;
}

/* What references name by itself must be there. */
static bool add_named(wanted_search *s, bool *more)
{
    for (size_t i = 0; i < s->named.count; i++) {
        if (file_is_read(s->r, s->named.at[i]))
            continue;
        *more = true;
        if (!files_open(s->r, (const char *const *)&s->named.at[i], 1))
            return false;
    }
    return true;
}

bool files_add_wanted(am_reader *r)
{
    wanted_search s = {.r = r};
    bool good = collect_all(&s), more = good && s.crosses && s.wanted.count;
    while (good && more) {
        more = false;
        good = add_named(&s, &more);
        if (good && !more)
            good = (s.looked || find_siblings(&s)) && add_definers(&s, &more);
        good = good && collect_all(&s);
    }
    for (size_t i = 0; i < s.siblings.count; i++) {
        file_free(s.siblings.at[i]);
        symbols_free(&s.symbols.at[i]);
    }
    vec_free(&s.siblings);
    vec_free(&s.symbols);
    vec_free(&s.wanted);
    paths_free(&s.named);
    return good;
}
