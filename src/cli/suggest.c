#include "cli/suggest.h"

#include <string.h>

#define LONGEST 63 /* of words that are compared */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* By rows of the table of all beginnings: the last two and the one at hand. */
size_t suggest_slips(const char *a, const char *b, size_t most)
{
    size_t n = strlen(a), m = strlen(b);
    size_t rows[3][LONGEST + 1];
    if (n > LONGEST || m > LONGEST || n > m + most || m > n + most)
        return most + 1;
    for (size_t k = 0; k <= m; k++)
        rows[0][k] = k;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = rows[i % 3], *before = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t k = 1; k <= m; k++) {
            now[k] = least(least(now[k - 1], before[k]) + 1, before[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                now[k] = least(now[k], two[k - 2] + 1);
        }
    }
    return least(rows[n % 3][m], most + 1);
}

suggestion suggest_for(const char *given)
{
    size_t length = strlen(given);
    return (suggestion){.given = given, .slips = length < 3 ? 0 : length < 5 ? 1 : 2};
}

void suggest_see(suggestion *s, const char *word)
{
    size_t slips = suggest_slips(s->given, word, s->slips);
    if (slips > s->slips || (s->nearest && slips == s->slips))
        return;
    s->nearest = word;
    s->slips = slips;
}
