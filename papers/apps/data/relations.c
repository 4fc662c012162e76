/* Generator of relations. */
#include "papers/apps/data/relations.h"

#include <stdlib.h>
#include <string.h>

static uint32_t draw_key(app_random *random, app_key_distribution distribution, uint32_t keys)
{
    if (distribution == APP_KEYS_UNIFORM)
        return app_random_below(random, keys);
    /* The sum of twelve uniform numbers of width 1, which is 2^16 here, has the variance 1. It stays within six
     * standard deviations, so that no key is out of range. */
    int64_t sum = 0;
    for (int i = 0; i < 12; i += 4) {
        uint64_t bits = app_random_next(random);
        for (int k = 0; k < 4; k++)
            sum += (int64_t)((bits >> (16 * k)) & 0xffff);
    }
    int64_t deviation = sum - 6 * 65536;
    int64_t key = ((int64_t)keys * 65536 * 16 + deviation * keys) / (65536 * 32);
    return (uint32_t)key;
}

/* Sorts the values of S by key (a counting sort, which keeps the order of equal keys). */
static void sort_by_key(app_join *j, const uint32_t *key, const uint32_t *value)
{
    for (uint32_t i = 0; i < j->s_count; i++)
        j->s_first[key[i] + 1]++;
    for (uint32_t k = 0; k < j->keys; k++)
        j->s_first[k + 1] += j->s_first[k];
    /* s_first[k] runs to the end of its range, where the next range begins: then all move by one. */
    for (uint32_t i = 0; i < j->s_count; i++)
        j->s_value[j->s_first[key[i]]++] = value[i];
    memmove(j->s_first + 1, j->s_first, (size_t)j->keys * sizeof *j->s_first);
    j->s_first[0] = 0;
}

static uint32_t *words(uint64_t count)
{
    return (uint32_t *)calloc((size_t)(count ? count : 1), sizeof(uint32_t));
}

bool app_join_make(app_join *j, app_key_distribution distribution, uint32_t r_count, uint32_t s_count, uint32_t keys,
                   uint64_t seed)
{
    uint32_t *key = words(s_count), *value = words(s_count);
    memset(j, 0, sizeof *j);
    j->r_count = r_count;
    j->s_count = s_count;
    j->keys = keys;
    j->r_key = words(r_count);
    j->r_value = words(r_count);
    j->s_first = words((uint64_t)keys + 1);
    j->s_value = words(s_count);
    bool made = key && value && j->r_key && j->r_value && j->s_first && j->s_value;
    if (made) {
        app_random random = app_random_of(seed, 3);
        for (uint32_t i = 0; i < r_count; i++) {
            j->r_key[i] = draw_key(&random, distribution, keys);
            j->r_value[i] = (uint32_t)app_random_next(&random);
        }
        for (uint32_t i = 0; i < s_count; i++) {
            key[i] = draw_key(&random, distribution, keys);
            value[i] = (uint32_t)app_random_next(&random);
        }
        sort_by_key(j, key, value);
    } else {
        app_join_free(j);
    }
    free(key);
    free(value);
    return made;
}

void app_join_free(app_join *j)
{
    free(j->r_key);
    free(j->r_value);
    free(j->s_first);
    free(j->s_value);
    memset(j, 0, sizeof *j);
}
