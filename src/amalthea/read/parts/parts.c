/* What the readers of parts share. */
#include "amalthea/read/parts/parts.h"

#include <string.h>

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
