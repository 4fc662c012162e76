/* The search for a better mapping of a system. It is cut into items that any thread of any process may do: parts of all
 * mappings, where there are few, and parts of the ways of islands, where there are many. An island begins somewhere and
 * goes on by small changes. What is found depends on the system, the options and the evaluator only, not on who does
 * which item when.
 *
 * A result of an item is a row of words, so that it can be sent and written to a file. */
#ifndef ANALYZE_MAPPING_MAPPING_SEARCH_H
#define ANALYZE_MAPPING_MAPPING_SEARCH_H

#include "analyze/mapping/score/mapping_try.h"
#include "analyze/mapping/space/mapping_walk.h"

#define MAP_TRIES 200000
#define MAP_ISLANDS 16
#define MAP_MAX_TRIES UINT64_C(1000000000000)
#define MAP_MAX_ISLANDS 65536

typedef struct map_options {
    map_may may;
    map_objective objective;
    uint64_t tries; /* mappings to try, about; all are tried where there are no more */
    uint64_t seed;
    uint32_t islands;
} map_options;

map_options map_options_default(void);

typedef struct map_search {
    map_options options;
    map_space space;
    /* All mappings. */
    bool walks;        /* they are tried, with these orders of priorities */
    map_orders orders; /* where no order is kept by what may change: BY_DEADLINE or ALL */
    uint64_t size;     /* how many there are, where they are tried */
    uint64_t chunks;   /* items */
    map_digit *starts; /* task_count for each chunk */
    /* Islands. */
    uint64_t segments;      /* of each island; 0: there are none */
    uint64_t segment_tries; /* of one */
    /* Items: chunks, then all first segments, all second ones, and so on. */
    uint64_t items;
    size_t words;        /* of a result */
    uint64_t *results;   /* by item; the first word is 0: not known */
    map_score own_score; /* of the system's own mapping */
} map_search;

/* Plans the items. The system must outlive it. */
gcast_status map_search_make(map_search *s, const sys_system *of, const map_options *options, gcast_error *err);
void map_search_free(map_search *s);
/* A number that is different for other systems, options and ways to search; but the GPU is not in it. */
uint64_t map_search_hash(const map_search *s);

/* What a thread needs: of each there is one, and it is for this search. */
gcast_status map_search_trier(const map_search *s, map_evaluator evaluator, map_trier *t, gcast_error *err);
/* Scores the system's own mapping, before any item is done. */
gcast_status map_search_begin(map_search *s, map_trier *t, gcast_error *err);

static inline bool map_search_knows(const map_search *s, uint64_t item)
{
    return s->results[item * s->words] != 0;
}

/* Is all known that the item needs? */
bool map_search_ready(const map_search *s, uint64_t item);
/* What it needs, for a process that may not know the other results: `words` numbers. */
gcast_status map_search_input(const map_search *s, uint64_t item, uint64_t *words, gcast_error *err);
/* Does an item. For threads at the same time, each with its own trier. */
gcast_status map_search_do(const map_search *s, map_trier *t, uint64_t item, const uint64_t *input, uint64_t *result,
                           gcast_error *err);
/* Could this be a result of the item? For what comes from a file. */
bool map_search_fits(const map_search *s, const uint64_t *result);
void map_search_keep(map_search *s, uint64_t item, const uint64_t *result);

/* What all items that are known have tried and found. The best mapping is the system's own unless one is better. */
map_counts map_search_counts(const map_search *s);
void map_search_best(const map_search *s, sys_place *places, map_score *score);

#endif
