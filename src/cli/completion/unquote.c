#include "cli/completion/unquote.h"

#include <stdlib.h>
#include <string.h>

char *complete_unquote(const char *word)
{
    size_t length = 0;
    char quote = '\0', *out = malloc(strlen(word) + 1);
    for (const char *p = word; out && *p; p++) {
        if (quote && *p == quote)
            quote = '\0';
        else if (!quote && (*p == '\'' || *p == '"'))
            quote = *p;
        else if (*p == '\\' && quote != '\'' && p[1] && (!quote || strchr("\"\\$`", p[1])))
            out[length++] = *++p;
        else if (*p != '\\' || quote || p[1]) /* a backslash at the end quotes nothing yet */
            out[length++] = *p;
    }
    if (out)
        out[length] = '\0';
    return out;
}
