/* The search for a better mapping of a system, cut into items for any thread of any process. If there are few mappings,
 * an item tries a chunk of all of them. If there are many, an item is a segment of the way of an island, which starts
 * from some mapping and proceeds by small changes. The result depends only on the system, the options and the
 * evaluator, not on who does which item when. Results of items are words that can be sent and stored. */
#ifndef ANALYZE_MAPPING_MAPPING_SEARCH_H
#define ANALYZE_MAPPING_MAPPING_SEARCH_H

#include "analyze/mapping/mapping_evaluate.h"
#include "analyze/mapping/mapping_walk.h"

#define MAP_CHUNK 256 /* mappings of an item when all are tried */

#define MAP_TRIES 200000
#define MAP_ISLANDS 16
#define MAP_MAX_TRIES UINT64_C(1000000000000)
#define MAP_MAX_ISLANDS 65536

typedef struct map_options {
    map_may may;
    map_objective objective;
    uint64_t tries; /* about how many mappings to try; if there are no more, all are tried */
    uint64_t seed;
    uint32_t islands;
} map_options;

map_options map_options_default(void);

typedef struct map_search {
    map_options options;
    map_space space;
    /* Chunks. */
    bool walks;        /* all mappings with these orders of priorities are tried */
    map_orders orders; /* BY_DEADLINE or ALL if priorities may change */
    uint64_t size;     /* number of these mappings */
    uint64_t chunks;   /* number of items that try them */
    map_digit *starts; /* task_count for each chunk */
    /* Islands. */
    uint64_t segments;      /* of each island; 0: no islands */
    uint64_t segment_tries; /* tries of one segment */
    /* Items: chunks, then the first segments of all islands, their second ones, and so on. */
    uint64_t items;
    size_t words;        /* of a result */
    uint64_t *results;   /* by item; a first word of 0: not known yet */
    map_score own_score; /* of the system's own mapping */
} map_search;

/* Plans the items. The system must outlive it. */
gcast_status map_search_make(map_search *s, const sys_system *sys, const map_options *options, gcast_error *err);
void map_search_free(map_search *s);
/* A hash of the system without its GPU, of the options, and of the version of the search. */
uint64_t map_search_hash(const map_search *s);

/* Makes the trier of a thread. */
gcast_status map_search_trier(const map_search *s, map_evaluator evaluator, map_trier *t, gcast_error *err);
/* Scores the system's own mapping; call it before the first item. */
gcast_status map_search_begin(map_search *s, map_trier *t, gcast_error *err);

static inline bool map_search_knows(const map_search *s, uint64_t item)
{
    return s->results[item * s->words] != 0;
}

/* Are all results known that the item needs? */
bool map_search_ready(const map_search *s, uint64_t item);
/* Its input: `words` numbers that replace the other results, for a process that does not have them. */
gcast_status map_search_input(const map_search *s, uint64_t item, uint64_t *words, gcast_error *err);
/* Does an item. Threads may do so concurrently, each with its own trier. */
gcast_status map_search_do(const map_search *s, map_trier *t, uint64_t item, const uint64_t *input, uint64_t *result,
                           gcast_error *err);
/* Can these words be a result? For results from a file. */
bool map_search_fits(const map_search *s, const uint64_t *result);
void map_search_keep(map_search *s, uint64_t item, const uint64_t *result);

/* Sums and the best over all known items. The best mapping is the system's own unless another is better. */
map_counts map_search_counts(const map_search *s);
void map_search_best(const map_search *s, sys_place *places, map_score *score);

#endif
