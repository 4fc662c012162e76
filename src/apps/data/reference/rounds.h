/* What the threads of parent kernels hold, round by round: the number of items that a thread may give to a child. */
#ifndef APPS_DATA_REFERENCE_ROUNDS_H
#define APPS_DATA_REFERENCE_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define APP_MAX_NESTED 4

/* Child threads that may launch children themselves. */
typedef struct app_nested {
    uint64_t launchers; /* as many as there are items in the level before */
    uint32_t *items;    /* by launcher: in the order of the items of the level before */
} app_nested;

/* One launch of the parent kernel. */
typedef struct app_round {
    uint32_t threads; /* that have a vertex, tuple, tile, row, read or cell */
    uint32_t *items;  /* by thread */
    int nested_count; /* levels of children that may launch children */
    app_nested nested[APP_MAX_NESTED];
} app_round;

typedef struct app_rounds {
    app_round *round;
    size_t count;
    size_t capacity;
} app_rounds;

/* What there is in all rounds and nested levels. */
typedef struct app_totals {
    uint64_t threads;  /* of parents and nested launchers */
    uint64_t items;    /* of all of them */
    uint64_t children; /* threads with at least min_items items */
    uint64_t offered;  /* items of those threads */
    uint32_t largest;  /* items of a thread */
} app_totals;

/* Begin with {0}. The new round has `threads` threads with 0 items each. NULL: no memory. */
app_round *app_rounds_add(app_rounds *rounds, uint32_t threads);
/* The next nested level of a round; its launchers have 0 items each. NULL: no memory. */
app_nested *app_round_nest(app_round *round, uint64_t launchers);
void app_rounds_free(app_rounds *rounds);
app_totals app_rounds_total(const app_rounds *rounds, uint32_t min_items);

#ifdef __cplusplus
}
#endif

#endif
