/* Walks through the trees for what was not used, and lists each kind of it once. */
#include "amalthea/read/unused/unused.h"

#include <stdio.h>
#include <string.h>

#include "amalthea/read/unused/harmless.h"

static bool note(am_reader *r, const xml_node *n, const char *what, am_unused meaning)
{
    uint64_t hash = index_hash_text(what);
    for (index_probe p = index_start(&r->unknown_index, hash); index_next(&r->unknown_index, &p);)
        if (strcmp(r->unknown.at[p.value].what, what) == 0) {
            r->unknown.at[p.value].count++;
            return true;
        }
    am_unknown unknown = {.count = 1, .meaning = meaning, .at = reader_place(r, n)};
    unknown.what = reader_keep(r, what);
    if (!unknown.what)
        return false;
    return (vec_push(&r->unknown, unknown) && index_add(&r->unknown_index, hash, (uint32_t)(r->unknown.count - 1))) ||
           reader_no_memory(r);
}

/* An element by tag and class, or by the tag of what it is in. */
static bool note_element(am_reader *r, const xml_node *n)
{
    char what[300];
    if (*n->type)
        snprintf(what, sizeof what, "%.100s:%.100s", n->tag, n->type);
    else if (n->parent && n->parent->parent)
        snprintf(what, sizeof what, "%.100s/%.100s", n->parent->tag, n->tag);
    else
        snprintf(what, sizeof what, "%.100s", n->tag);
    return note(r, n, what, unused_meaning(n, NULL));
}

static bool note_part(am_reader *r, const xml_node *n, const char *part, const char *name)
{
    char what[400];
    if (*n->type)
        snprintf(what, sizeof what, "%.100s:%.100s, %s%.100s", n->tag, n->type, part, name);
    else
        snprintf(what, sizeof what, "%.100s, %s%.100s", n->tag, part, name);
    return note(r, n, what, *name ? unused_meaning(n, name) : AM_UNUSED_TIME);
}

/* As deep as elements may be. */
static bool walk(am_reader *r, const xml_node *n)
{
    if (!n->used)
        return note_element(r, n);
    for (size_t i = 0; i < n->attribute_count; i++)
        if (!n->attributes[i].used && !note_part(r, n, "attribute ", n->attributes[i].name))
            return false;
    if (n->has_text && !note_part(r, n, "text", ""))
        return false;
    for (const xml_node *c = n->first; c; c = c->next)
        if (!walk(r, c))
            return false;
    return true;
}

bool list_unused(am_reader *r)
{
    for (size_t i = 0; i < r->files.count; i++)
        if (!walk(r, r->files.at[i]->tree.root))
            return false;
    size_t size = r->unknown.count * sizeof *r->unknown.at;
    r->m->unknown = size ? arena_copy(r->memory, r->unknown.at, size) : NULL;
    r->m->unknown_count = r->unknown.count;
    return !size || r->m->unknown || reader_no_memory(r);
}
