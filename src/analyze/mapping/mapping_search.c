#include "analyze/mapping/mapping_search.h"

#include <string.h>

#include "analyze/mapping/mapping_climb.h"
#include "analyze/mapping/mapping_item.h"
#include "analyze/mapping/space/mapping_start.h"
#include "base/splitmix.h"

#define SETTLE 4 /* every so many segments an island may go on from the best mapping of the one before */

static const map_score no_score = {INT64_MAX, INT64_MAX, INT64_MAX};

gcast_status map_search_trier(const map_search *s, map_evaluator evaluator, map_trier *t, gcast_error *err)
{
    return map_trier_make(t, &s->space, s->options.objective, evaluator, err);
}

gcast_status map_search_begin(map_search *s, map_trier *t, gcast_error *err)
{
    return t->evaluator.evaluate(t->evaluator.data, s->space.of->places, &s->own_score, err);
}

static const uint64_t *result_of(const map_search *s, uint64_t item)
{
    return &s->results[item * s->words];
}

static uint64_t island_of(const map_search *s, uint64_t item)
{
    return (item - s->chunks) % s->options.islands;
}

static uint64_t segment_of(const map_search *s, uint64_t item)
{
    return (item - s->chunks) / s->options.islands;
}

static bool all_known(const map_search *s, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++)
        if (!map_search_knows(s, i))
            return false;
    return true;
}

static bool takes_over(const map_search *s, uint64_t item)
{
    return segment_of(s, item) % SETTLE == 0;
}

/* The island before, in its last segment. */
static uint64_t neighbour_of(const map_search *s, uint64_t item)
{
    uint64_t first = s->chunks + (segment_of(s, item) - 1) * s->options.islands;
    return first + (island_of(s, item) + s->options.islands - 1) % s->options.islands;
}

bool map_search_ready(const map_search *s, uint64_t item)
{
    if (item < s->chunks)
        return true;
    if (segment_of(s, item) == 0)
        return all_known(s, 0, s->chunks);
    return map_search_knows(s, item - s->options.islands) &&
           (!takes_over(s, item) || map_search_knows(s, neighbour_of(s, item)));
}

/* The random numbers of an item. */
static uint64_t random_of(const map_search *s, uint64_t item)
{
    uint64_t random = s->options.seed;
    random = splitmix_next(&random) ^ item;
    return splitmix_next(&random);
}

/* Where an island begins: at the best of all mappings by deadline, at the system's own mapping, at tasks spread over
 * the cores, or anywhere. */
static gcast_status find_start(const map_search *s, uint64_t island, sys_place *places, gcast_error *err)
{
    uint64_t random = ~random_of(s, island);
    map_score score;
    if (s->walks) {
        map_search_best(s, places, &score);
        return GCAST_OK;
    }
    if (island == 1)
        return map_spread(&s->space, places, err);
    if (island == 0)
        map_own(&s->space, places);
    else
        map_shuffle(&s->space, places, &random);
    return GCAST_OK;
}

static gcast_status first_input(const map_search *s, uint64_t item, uint64_t *words, gcast_error *err)
{
    size_t count = s->space.of->task_count;
    sys_place *places = calloc(count + 1, sizeof *places);
    map_found f = {0};
    gcast_status status = places ? find_start(s, island_of(s, item), places, err) : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        map_found_write(&s->space, &f, places, places, words);
    free(places);
    return status;
}

gcast_status map_search_input(const map_search *s, uint64_t item, uint64_t *words, gcast_error *err)
{
    memset(words, 0, s->words * sizeof *words);
    if (item < s->chunks)
        return GCAST_OK;
    if (segment_of(s, item) == 0)
        return first_input(s, item, words, err);
    memcpy(words, result_of(s, item - s->options.islands), s->words * sizeof *words);
    if (takes_over(s, item)) {
        const uint64_t *other = result_of(s, neighbour_of(s, item));
        map_score own_best = map_found_score(words), other_best = map_found_score(other);
        if (map_score_compare(&other_best, &own_best) < 0)
            map_found_take_best(other, s->words, words);
    }
    return GCAST_OK;
}

/* The best of a part of all mappings, where it is better than the system's own. */
static gcast_status walk_chunk(const map_search *s, map_trier *t, uint64_t chunk, uint64_t *result, gcast_error *err)
{
    size_t count = s->space.of->task_count;
    uint64_t first = chunk * MAP_CHUNK, left = s->size - first < MAP_CHUNK ? s->size - first : MAP_CHUNK;
    map_found f = {.score = no_score};
    map_score most = s->own_score, score;
    map_walk w;
    gcast_status status = map_walk_start(&w, &s->space, s->orders, &s->starts[chunk * count], err);
    if (status != GCAST_OK)
        return status;
    sys_place *best = arena_copy(&w.memory, w.places, count * sizeof *best);
    if (!best)
        status = gcast_error_set_memory(err);
    for (; left > 0 && status == GCAST_OK; left--) {
        bool good = false;
        status = map_try_new(t, w.places, &most, &score, &good, err);
        if (status == GCAST_OK && good && map_score_compare(&score, &most) < 0) {
            memcpy(best, w.places, count * sizeof *best);
            f.score = most = score;
        }
        map_walk_next(&w);
    }
    f.counts = t->counts;
    if (status == GCAST_OK)
        map_found_write(&s->space, &f, best, best, result);
    map_walk_free(&w);
    return status;
}

static gcast_status climb_segment(const map_search *s, map_trier *t, uint64_t item, const uint64_t *input,
                                  uint64_t *result, gcast_error *err)
{
    size_t count = s->space.of->task_count;
    sys_place *places = calloc(2 * count + 1, sizeof *places);
    if (!places)
        return gcast_error_set_memory(err);
    map_climb c = {.trier = t,
                   .random = random_of(s, item),
                   .tries = s->segment_tries,
                   .idle = map_found_idle(input),
                   .current = places,
                   .best = places + count};
    map_found_read(&s->space, input, c.best, c.current);
    gcast_status status = map_climb_run(&c, err);
    map_found f = {.counts = t->counts, .score = c.best_score, .idle = c.idle};
    if (status == GCAST_OK)
        map_found_write(&s->space, &f, c.best, c.current, result);
    free(places);
    return status;
}

gcast_status map_search_do(const map_search *s, map_trier *t, uint64_t item, const uint64_t *input, uint64_t *result,
                           gcast_error *err)
{
    map_trier_reset(t);
    return item < s->chunks ? walk_chunk(s, t, item, result, err) : climb_segment(s, t, item, input, result, err);
}

void map_search_keep(map_search *s, uint64_t item, const uint64_t *result)
{
    memcpy(&s->results[item * s->words], result, s->words * sizeof *result);
}

bool map_search_fits(const map_search *s, const uint64_t *result)
{
    return map_found_fits(&s->space, result);
}

map_counts map_search_counts(const map_search *s)
{
    map_counts sum = {0};
    for (uint64_t i = 0; i < s->items; i++) {
        map_counts c = map_found_counts(result_of(s, i));
        sum.tried += c.tried;
        sum.analyzed += c.analyzed;
        sum.repeated += c.repeated;
    }
    return sum;
}

void map_search_best(const map_search *s, sys_place *places, map_score *score)
{
    const uint64_t *best = NULL;
    *score = s->own_score;
    for (uint64_t i = 0; i < s->items; i++) {
        map_score found = map_found_score(result_of(s, i));
        if (map_search_knows(s, i) && map_score_compare(&found, score) < 0) {
            *score = found;
            best = result_of(s, i);
        }
    }
    if (best)
        map_found_read(&s->space, best, places, NULL);
    else
        memcpy(places, s->space.of->places, s->space.of->task_count * sizeof *places);
}
