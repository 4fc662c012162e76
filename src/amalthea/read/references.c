#include "amalthea/read/references.h"

#include <string.h>

#define TYPE "?type="
#define TYPE_IN_URI "%3Ftype%3D" /* some tools encode the whole of an href once more */

/* The last occurrence of `mark` in the text, or NULL. */
static const char *find_last(const char *text, size_t size, const char *mark)
{
    const char *found = NULL;
    for (size_t length = strlen(mark), i = 0; i + length < size; i++)
        if (memcmp(text + i, mark, length) == 0)
            found = text + i;
    return found;
}

/* Decodes only %25, in place; returns the new size. */
static size_t decode_percents(char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        text[used++] = text[i];
        if (size - i > 2 && memcmp(text + i, "%25", 3) == 0)
            i += 2;
    }
    return used;
}

bool reference_split(arena *memory, const char *text, size_t size, const char **class, const char **name)
{
    const char *type = TYPE, *mark = find_last(text, size, type);
    if (!mark)
        mark = find_last(text, size, type = TYPE_IN_URI);
    *class = *name = NULL;
    if (!mark)
        return false;
    size_t name_size = (size_t)(mark - text), class_size = size - name_size - strlen(type);
    char *encoded = arena_alloc(memory, name_size + 1), *decoded = arena_alloc(memory, name_size + 1);
    char *kind = arena_alloc(memory, class_size + 1);
    if (!encoded || !decoded || !kind)
        return false;
    memcpy(kind, mark + strlen(type), class_size);
    memcpy(encoded, text, name_size);
    if (strcmp(type, TYPE) != 0)
        name_size = decode_percents(encoded, name_size);
    *class = kind;
    *name = decoded;
    return symbol_decode(encoded, name_size, decoded);
}

size_t reference_next(const char **text)
{
    *text += strspn(*text, " \t\r\n");
    return strcspn(*text, " \t\r\n");
}

const char *reference_target(const char *href)
{
    const char *mark = strchr(href, '#');
    return mark ? mark + 1 : href;
}

static bool unresolved(am_reader *r, const xml_node *n, const char *attribute, const char *class, const char *name)
{
    char shown[200];
    symbol_show(name, shown, sizeof shown);
    return reader_fail(r, n, "%s: there is no %.60s '%s' in %s", attribute, class, shown,
                       r->files.count == 1 ? "this file" : "the files that were read");
}

static const char *name_of(const am_symbol *symbol)
{
    const char *name = xml_peek(symbol->node, "name");
    return name ? name : "";
}

static bool resolve(am_reader *r, const xml_node *n, const char *attribute, const char *text, size_t size,
                    const am_symbol **symbol)
{
    const char *class, *name;
    if (!reference_split(&r->symbols.memory, text, size, &class, &name)) {
        int shown = size < 100 ? (int)size : 100;
        return reader_fail(r, n, "%s: '%.*s' is not a reference such as Name?type=Class", attribute, shown, text);
    }
    const am_symbol *second;
    size_t count = symbols_find(&r->symbols, class, name, symbol, &second);
    if (!count)
        return unresolved(r, n, attribute, class, name);
    if (count > 1 && (*symbol)->node != second->node)
        return reader_fail(r, n, "%s: there are %zu %.60s with the name '%.80s': %.80s:%d and %.80s:%d", attribute,
                           count, class, name_of(*symbol), (*symbol)->node->file, (*symbol)->node->line,
                           second->node->file, second->node->line);
    return true;
}

static bool push(am_reader *r, const xml_node *n, const char *attribute, const char *text, size_t size,
                 am_symbol_list *list)
{
    const am_symbol *symbol;
    return resolve(r, n, attribute, text, size, &symbol) && (vec_push(list, symbol) || reader_no_memory(r));
}

bool reference_symbols(am_reader *r, xml_node *n, const char *name, am_symbol_list *list)
{
    const char *text = xml_get(n, name);
    if (text)
        for (size_t size; (size = reference_next(&text)); text += size)
            if (!push(r, n, name, text, size, list))
                return false;
    for (xml_node *c = n->first; c; c = c->next) {
        const char *href = strcmp(c->tag, name) == 0 ? xml_get(c, "href") : NULL;
        if (!href)
            continue;
        c->used = true;
        href = reference_target(href);
        if (!push(r, c, name, href, strlen(href), list))
            return false;
    }
    return true;
}

bool reference_symbol(am_reader *r, xml_node *n, const char *name, bool needed, const am_symbol **symbol)
{
    am_symbol_list list = {0};
    bool good = reference_symbols(r, n, name, &list);
    *symbol = list.count ? list.at[0] : NULL;
    if (good && list.count > 1)
        good = reader_fail(r, n, "%s: refers to %zu elements instead of one", name, list.count);
    if (good && needed && !list.count)
        good = reader_fail(r, n, "%s is missing", name);
    vec_free(&list);
    return good;
}

static bool has_kind(am_reader *r, const xml_node *n, const char *name, const am_symbol *symbol, am_symbol_kind kind)
{
    if (symbol->kind == kind)
        return true;
    return reader_fail(r, n, "%s: '%.100s' is a %.60s, not a %s", name, name_of(symbol), symbol->class,
                       symbol_kind_name(kind));
}

bool reference_one(am_reader *r, xml_node *n, const char *name, am_symbol_kind kind, bool needed, int *index)
{
    const am_symbol *symbol;
    *index = -1;
    if (!reference_symbol(r, n, name, needed, &symbol))
        return false;
    if (!symbol)
        return true;
    *index = symbol->node->number;
    return has_kind(r, n, name, symbol, kind);
}

static bool indices(am_reader *r, xml_node *n, const char *name, am_symbol_kind kind, const am_symbol_list *symbols,
                    const int **list)
{
    int *out = reader_array(r, symbols->count, sizeof *out);
    if (!out)
        return false;
    for (size_t i = 0; i < symbols->count; i++) {
        if (!has_kind(r, n, name, symbols->at[i], kind))
            return false;
        out[i] = symbols->at[i]->node->number;
    }
    *list = out;
    return true;
}

bool reference_list(am_reader *r, xml_node *n, const char *name, am_symbol_kind kind, const int **list, size_t *count)
{
    am_symbol_list symbols = {0};
    bool good = reference_symbols(r, n, name, &symbols) && indices(r, n, name, kind, &symbols, list);
    *count = good ? symbols.count : 0;
    vec_free(&symbols);
    return good;
}
