/* Makes names unique: the second "K1" becomes "K1 (2)". */
#ifndef FILES_UNIQUE_NAMES_H
#define FILES_UNIQUE_NAMES_H

#include "base/arena.h"
#include "base/index.h"
#include "base/vec.h"

typedef struct unique_name {
    const char *text; /* the name */
    unsigned next;    /* the number to try when this name is taken again */
} unique_name;

typedef struct unique_names {
    arena memory;           /* holds the names */
    hash_index index;       /* finds names by text */
    VEC(unique_name) names; /* names so far */
} unique_names;

/* Returns the name, changed if it was taken before; valid until unique_free. NULL without memory. */
const char *unique_take(unique_names *u, const char *name);
void unique_free(unique_names *u);

#endif
