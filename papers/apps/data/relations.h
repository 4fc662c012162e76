/* Two relations R and S to be joined by a key. S is sorted by key, so that the matches of a key are a range. */
#ifndef PAPERS_APPS_DATA_RELATIONS_H
#define PAPERS_APPS_DATA_RELATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "papers/apps/data/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum app_key_distribution {
    APP_KEYS_UNIFORM, /* every key is as likely as any other */
    APP_KEYS_GAUSSIAN /* normal around the middle key, standard deviation keys / 32: few keys have very many tuples */
} app_key_distribution;

typedef struct app_join {
    uint32_t r_count;  /* tuples of R */
    uint32_t s_count;  /* tuples of S */
    uint32_t keys;     /* keys are 0..keys-1 */
    uint32_t *r_key;   /* by tuple of R */
    uint32_t *r_value; /* by tuple of R */
    uint32_t *s_first; /* by key, and one more: where its tuples begin in s_value */
    uint32_t *s_value; /* by tuple of S, sorted by key */
} app_join;

/* keys >= 1. False: no memory, and *j is empty. */
bool app_join_make(app_join *j, app_key_distribution distribution, uint32_t r_count, uint32_t s_count, uint32_t keys,
                   uint64_t seed);
void app_join_free(app_join *j);

#ifdef __cplusplus
}
#endif

/* What a match adds to the result of a tuple of R. */
APP_BOTH static inline uint32_t app_match_hash(uint32_t r_value, uint32_t s_value)
{
    return app_hash(r_value, s_value);
}

#endif
