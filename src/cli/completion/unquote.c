/* A word as a shell would hand it over. */
#include <stdlib.h>
#include <string.h>

#include "cli/completion/complete.h"

char *complete_unquote(const char *word)
{
    size_t n = 0;
    char quote = '\0', *out = malloc(strlen(word) + 1);
    for (const char *p = word; out && *p; p++) {
        if (quote && *p == quote)
            quote = '\0';
        else if (!quote && (*p == '\'' || *p == '"'))
            quote = *p;
        else if (*p == '\\' && quote != '\'' && p[1] && (!quote || strchr("\"\\$`", p[1])))
            out[n++] = *++p;
        else if (*p != '\\' || quote || p[1]) /* a backslash at the end has nothing to quote yet */
            out[n++] = *p;
    }
    if (out)
        out[n] = '\0';
    return out;
}
