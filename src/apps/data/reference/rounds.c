/* Memory of rounds, and their totals. */
#include "apps/data/reference/rounds.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *zeroed(uint64_t count)
{
    if (count > SIZE_MAX / sizeof(uint32_t))
        return NULL;
    return (uint32_t *)calloc(count ? (size_t)count : 1, sizeof(uint32_t));
}

app_round *app_rounds_add(app_rounds *rounds, uint32_t threads)
{
    if (rounds->count == rounds->capacity) {
        size_t capacity = rounds->capacity ? 2 * rounds->capacity : 16;
        app_round *larger = (app_round *)realloc(rounds->round, capacity * sizeof *larger);
        if (!larger)
            return NULL;
        rounds->round = larger;
        rounds->capacity = capacity;
    }
    app_round *round = &rounds->round[rounds->count];
    memset(round, 0, sizeof *round);
    round->threads = threads;
    round->items = zeroed(threads);
    if (!round->items)
        return NULL;
    rounds->count++;
    return round;
}

app_nested *app_round_nest(app_round *round, uint64_t launchers)
{
    if (round->nested_count == APP_MAX_NESTED)
        return NULL;
    app_nested *nested = &round->nested[round->nested_count];
    nested->launchers = launchers;
    nested->items = zeroed(launchers);
    if (!nested->items)
        return NULL;
    round->nested_count++;
    return nested;
}

void app_rounds_free(app_rounds *rounds)
{
    for (size_t i = 0; i < rounds->count; i++) {
        free(rounds->round[i].items);
        for (int k = 0; k < rounds->round[i].nested_count; k++)
            free(rounds->round[i].nested[k].items);
    }
    free(rounds->round);
    memset(rounds, 0, sizeof *rounds);
}

static void add_threads(app_totals *totals, const uint32_t *items, uint64_t threads, uint32_t min_items)
{
    totals->threads += threads;
    for (uint64_t i = 0; i < threads; i++) {
        totals->items += items[i];
        if (items[i] > totals->largest)
            totals->largest = items[i];
        if (items[i] > 0 && items[i] >= min_items) {
            totals->children++;
            totals->offered += items[i];
        }
    }
}

app_totals app_rounds_total(const app_rounds *rounds, uint32_t min_items)
{
    app_totals totals;
    memset(&totals, 0, sizeof totals);
    for (size_t i = 0; i < rounds->count; i++) {
        const app_round *round = &rounds->round[i];
        add_threads(&totals, round->items, round->threads, min_items);
        for (int k = 0; k < round->nested_count; k++)
            add_threads(&totals, round->nested[k].items, round->nested[k].launchers, min_items);
    }
    return totals;
}
