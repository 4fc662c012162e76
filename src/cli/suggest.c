#include "cli/suggest.h"

#include <string.h>

#include "base/integers.h"

#define MAX_LENGTH 63 /* longer words are not compared */

/* The edit distance with swaps of neighbours. Row i of the table holds the distances between the first i letters of a
 * and the first 0, 1, ... letters of b; only the last three rows are kept. */
size_t suggest_distance(const char *a, const char *b, size_t max)
{
    size_t a_length = strlen(a), b_length = strlen(b);
    size_t rows[3][MAX_LENGTH + 1];
    if (a_length > MAX_LENGTH || b_length > MAX_LENGTH || a_length > b_length + max || b_length > a_length + max)
        return max + 1;
    for (size_t k = 0; k <= b_length; k++)
        rows[0][k] = k;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3], *previous = rows[(i + 2) % 3], *before_previous = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t k = 1; k <= b_length; k++) {
            row[k] = min_size(min_size(row[k - 1], previous[k]) + 1, previous[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = min_size(row[k], before_previous[k - 2] + 1);
        }
    }
    return min_size(rows[a_length % 3][b_length], max + 1);
}

suggestion suggest_for(const char *word)
{
    size_t length = strlen(word);
    return (suggestion){.unknown = word, .distance = length < 3 ? 0 : length < 5 ? 1 : 2};
}

void suggest_consider(suggestion *s, const char *word)
{
    size_t distance = suggest_distance(s->unknown, word, s->distance);
    if (distance > s->distance || (s->nearest && distance == s->distance))
        return;
    s->nearest = word;
    s->distance = distance;
}
