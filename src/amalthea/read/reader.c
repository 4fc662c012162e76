/* Errors and memory of a reading. */
#include "amalthea/read/reader.h"

#include <stdarg.h>
#include <stdio.h>

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
