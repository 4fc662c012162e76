/* A quick stand-in for the analysis of systems, for tests of the search: classic response times per core, a GPU that
 * runs one task at a time in any order, chains as sums. And systems to search in. */
#ifndef TESTS_SUPPORT_SIMPLE_RESPONSES_H
#define TESTS_SUPPORT_SIMPLE_RESPONSES_H

#include "analyze/mapping/mapping_score.h"
#include "support/support.h"

typedef struct simple_responses {
    const sys_system *of;
    map_objective objective;
    uint64_t calls; /* so far */
} simple_responses;

/* As map_evaluator.evaluate; data is a simple_responses. */
gcast_status simple_evaluate(void *data, const sys_place *places, map_score *score, gcast_error *err);
/* Worst responses by task, from the release of the root. */
void simple_worst(const sys_system *s, const sys_place *places, int64_t *worst_ns);

/* Cores of two kinds, and `tasks` of them; some are kernels of others, on a GPU where `gpu` is not NULL. Deadlines are
 * tight, so that many mappings miss some. */
sys_system *drawn_system(support_random *r, int cores, int tasks, const gcast_gpu *gpu);
/* Six cores of two kinds and a GPU, ten tasks and four kernels, after the challenge of WATERS 2019; its own mapping
 * misses deadlines. */
sys_system *vehicle_system(const gcast_gpu *gpu);

#endif
