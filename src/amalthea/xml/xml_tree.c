#include "amalthea/xml/xml_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void xml_free(xml_tree *tree)
{
    arena_free(&tree->memory);
    *tree = (xml_tree){0};
}

static xml_attribute *find_attribute(const xml_node *n, const char *name)
{
    for (size_t i = 0; i < n->attribute_count; i++)
        if (strcmp(n->attributes[i].name, name) == 0)
            return &n->attributes[i];
    return NULL;
}

const char *xml_get(xml_node *n, const char *name)
{
    xml_attribute *a = find_attribute(n, name);
    if (!a)
        return NULL;
    a->used = true;
    return a->value;
}

const char *xml_peek(const xml_node *n, const char *name)
{
    const xml_attribute *a = find_attribute(n, name);
    return a ? a->value : NULL;
}

static xml_node *with_tag(xml_node *n, const char *tag)
{
    while (n && strcmp(n->tag, tag) != 0)
        n = n->next;
    if (n)
        n->used = true;
    return n;
}

xml_node *xml_first(xml_node *n, const char *tag)
{
    return with_tag(n->first, tag);
}

xml_node *xml_next(xml_node *n, const char *tag)
{
    return with_tag(n->next, tag);
}

void xml_path(const xml_node *n, char *out, size_t size)
{
    const xml_node *way[XML_MAX_DEPTH + 1];
    size_t depth = 0;
    for (; n && n->parent && depth < XML_MAX_DEPTH; n = n->parent)
        way[depth++] = n;
    size_t used = 0;
    out[0] = '\0';
    while (depth && used + 1 < size) {
        const xml_node *step = way[--depth];
        const char *name = xml_peek(step, "name");
        int length = name && *name ? snprintf(out + used, size - used, "/%s[%s]", step->tag, name)
                                   : snprintf(out + used, size - used, "/%s", step->tag);
        used += length > 0 ? (size_t)length : 0;
    }
}

void xml_one_line(char *text)
{
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
}

gcast_status xml_error(const xml_node *n, gcast_error *err, const char *format, ...)
{
    char message[512], path[256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    xml_path(n, path, sizeof path);
    xml_one_line(message);
    xml_one_line(path);
    gcast_error_set(err, GCAST_INPUT, path, "%s", message);
    if (err) {
        snprintf(err->file, sizeof err->file, "%s", n->file);
        err->line = n->line;
    }
    return GCAST_INPUT;
}

gcast_status xml_file_error(const char *file, int line, int column, gcast_error *err, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    xml_one_line(message);
    gcast_error_set(err, GCAST_INPUT, NULL, "%s", message);
    if (err) {
        snprintf(err->file, sizeof err->file, "%s", file);
        err->line = line;
        err->column = column;
    }
    return GCAST_INPUT;
}
