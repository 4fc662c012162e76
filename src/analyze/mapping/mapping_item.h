/* Results of items of a search, as words. */
#ifndef ANALYZE_MAPPING_MAPPING_ITEM_H
#define ANALYZE_MAPPING_MAPPING_ITEM_H

#include "analyze/mapping/score/mapping_try.h"

#define MAP_CHUNK 256 /* mappings of an item, where all are tried */

typedef struct map_found {
    map_counts counts; /* tried: at least one */
    map_score score;   /* of the best */
    uint64_t idle;     /* of a climb */
} map_found;

/* How many words there are. */
size_t map_found_words(const map_space *m);
void map_found_write(const map_space *m, const map_found *f, const sys_place *best, const sys_place *current,
                     uint64_t *words);
map_counts map_found_counts(const uint64_t *words);
map_score map_found_score(const uint64_t *words);
uint64_t map_found_idle(const uint64_t *words);
/* `current` may be NULL. */
void map_found_read(const map_space *m, const uint64_t *words, sys_place *best, sys_place *current);
/* The best of another, with its score, as best and as current. */
void map_found_take_best(const uint64_t *other, size_t count, uint64_t *words);
/* Are all mappings in it possible? */
bool map_found_fits(const map_space *m, const uint64_t *words);

#endif
