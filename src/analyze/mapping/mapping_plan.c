/* What a search does: which mappings, in which items; see mapping_search.h. */
#include <stdlib.h>

#include "analyze/mapping/mapping_item.h"
#include "analyze/mapping/mapping_search.h"
#include "base/minmax.h"

#define MOST_WALKED UINT64_C(10000000) /* mappings, where all are tried */
#define MOST_ORDERED ((size_t)1 << 20) /* tasks times cores, where all orders of priorities are tried */
#define LEAST_SEGMENT UINT64_C(1000)   /* tries */
#define MOST_SEGMENT UINT64_C(5000)    /* tries, unless there would be too many words */
#define MOST_WORDS (UINT64_C(1) << 26) /* of all results */

map_options map_options_default(void)
{
    return (map_options){.may = {true, true, true, true},
                         .objective = {.kind = MAP_RESPONSES, .chain = SYS_NONE, .communication = SYS_IMPLICIT},
                         .tries = MAP_TRIES,
                         .seed = 1,
                         .islands = MAP_ISLANDS};
}

static uint64_t parts(uint64_t whole, uint64_t part)
{
    return whole / part + (whole % part != 0);
}

/* Are there few enough mappings with these orders to try all? Then they are counted, and cut into chunks. */
static gcast_status plan_walk(map_search *s, map_orders orders, gcast_error *err)
{
    size_t tasks = s->space.of->task_count;
    uint64_t most = min_u64(s->options.tries, MOST_WALKED), count;
    if (orders == MAP_ORDERS_ALL && tasks * s->space.of->core_count > MOST_ORDERED)
        return GCAST_OK;
    gcast_status status = map_walk_count(&s->space, orders, most, MAP_CHUNK, NULL, &count, err);
    if (status != GCAST_OK || count > most)
        return status;
    s->walks = true;
    s->orders = orders;
    s->size = count;
    s->chunks = parts(count, MAP_CHUNK);
    s->starts = calloc(s->chunks * tasks + 1, sizeof *s->starts);
    if (!s->starts)
        return gcast_error_set_memory(err);
    return map_walk_count(&s->space, orders, most, MAP_CHUNK, s->starts, &count, err);
}

static void plan_islands(map_search *s)
{
    uint64_t each = parts(s->options.tries, s->options.islands);
    s->segments = parts(each, MOST_SEGMENT);
    s->segments = min_u64(s->segments, MOST_WORDS / s->words / s->options.islands);
    s->segments = s->segments ? s->segments : 1;
    s->segment_tries = max_u64(parts(each, s->segments), LEAST_SEGMENT);
}

/* All mappings with all orders, or by deadline and then islands from the best of them, or islands. */
static gcast_status plan(map_search *s, gcast_error *err)
{
    bool orders = s->space.may.priority;
    gcast_status status = plan_walk(s, orders ? MAP_ORDERS_ALL : MAP_ORDERS_KEPT, err);
    if (status == GCAST_OK && !s->walks && orders)
        status = plan_walk(s, MAP_ORDERS_BY_DEADLINE, err);
    if (status == GCAST_OK && (!s->walks || s->orders == MAP_ORDERS_BY_DEADLINE))
        plan_islands(s);
    s->items = s->chunks + s->segments * s->options.islands;
    return status;
}

gcast_status map_search_make(map_search *s, const sys_system *of, const map_options *options, gcast_error *err)
{
    *s = (map_search){.options = *options};
    gcast_status status = map_space_make(&s->space, of, options->may, err);
    if (status != GCAST_OK)
        return status;
    s->words = map_found_words(&s->space);
    status = plan(s, err);
    if (status == GCAST_OK) {
        s->results = calloc(s->items * s->words, sizeof *s->results);
        status = s->results ? GCAST_OK : gcast_error_set_memory(err);
    }
    if (status != GCAST_OK)
        map_search_free(s);
    return status;
}

void map_search_free(map_search *s)
{
    map_space_free(&s->space);
    free(s->starts);
    free(s->results);
}
