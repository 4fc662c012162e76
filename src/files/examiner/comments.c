#include "files/examiner/comments.h"

#include <stdlib.h>
#include <string.h>

/* Behind the quote that ends a text in which `p` is. */
static char *end_of_text(char *p, char *end)
{
    while (p < end && *p != '"')
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    return p < end ? p + 1 : end;
}

char *examiner_rename_comments(const char *text, size_t size)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char *copy = malloc(size + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    unsigned number = 0;
    for (char *p = copy; (p = memchr(p, '"', (size_t)(copy + size - p))); p++) {
        if (copy + size - p < 9 || memcmp(p, "\"comment", 8) != 0 || (p > copy && p[-1] == '\\'))
            continue;
        char *after = end_of_text(p + 8, copy + size);
        while (after < copy + size && strchr(" \t\r\n", *after) && *after)
            after++;
        if (*after != ':')
            continue;
        p[1] = 'x';
        p[2] = '-';
        unsigned n = number++;
        for (int i = 7; i > 2; i--, n /= 36)
            p[i] = digits[n % 36];
    }
    return copy;
}
