#include "profile/make/short_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char anonymous[] = "(anonymous namespace)";

/* The end of what is in brackets from `p` on; NULL: they are not closed. */
static const char *skip_brackets(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        depth += strchr("<([{", *p) != NULL;
        if (strchr(">)]}", *p) && !(*p == '>' && p[-1] == '-') && --depth == 0)
            return p + 1;
    }
    return NULL;
}

/* The part of the name up to its arguments, without templates, into `out`; false: it does not fit this form. */
static bool flatten(const char *name, char *out, size_t size)
{
    size_t used = 0;
    for (const char *p = name; *p && used + 1 < size;) {
        bool is_anonymous = strncmp(p, anonymous, sizeof anonymous - 1) == 0;
        if (*p == '(' && !is_anonymous)
            break;
        if (strchr("<([{", *p)) {
            p = skip_brackets(p);
            if (!p)
                return false;
            continue;
        }
        out[used++] = *p++;
    }
    out[used] = '\0';
    return used > 0;
}

void short_name(const char *name, char out[SHORT_NAME_SIZE])
{
    char flat[4096];
    const char *last = name;
    if (flatten(name, flat, sizeof flat)) {
        char *end = flat + strlen(flat);
        while (end > flat && end[-1] == ' ')
            *--end = '\0';
        last = end;
        while (last > flat && last[-1] != ' ' && last[-1] != ':')
            last--;
    }
    if (!*last)
        last = *name ? name : "kernel";
    size_t size = strlen(last);
    if (size >= SHORT_NAME_SIZE) {
        size = SHORT_NAME_SIZE - 1;
        while (size > 0 && ((unsigned char)last[size] & 0xc0) == 0x80)
            size--; /* not within a character */
    }
    memcpy(out, last, size);
    out[size] = '\0';
}
