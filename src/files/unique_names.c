#include "files/unique_names.h"

#include <stdio.h>
#include <string.h>

static unique_name *find(const unique_names *u, const char *name, uint64_t hash)
{
    for (index_probe p = index_start(&u->index, hash); index_next(&u->index, &p);)
        if (strcmp(u->names.at[p.value].text, name) == 0)
            return &u->names.at[p.value];
    return NULL;
}

const char *unique_take(unique_names *u, const char *name)
{
    uint64_t hash = index_hash_text(name);
    unique_name *known = find(u, name, hash);
    size_t size = strlen(name) + 16;
    char *text = arena_alloc(&u->memory, size);
    if (!text)
        return NULL;
    snprintf(text, size, "%s", name);
    while (known && find(u, text, hash)) {
        snprintf(text, size, "%s (%u)", name, known->next++);
        hash = index_hash_text(text);
    }
    unique_name fresh = {text, 2};
    bool ok = vec_push(&u->names, fresh) && index_add(&u->index, hash, (uint32_t)u->names.count - 1);
    return ok ? text : NULL;
}

void unique_free(unique_names *u)
{
    arena_free(&u->memory);
    index_free(&u->index);
    vec_free(&u->names);
}
