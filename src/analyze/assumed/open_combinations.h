/* The ways in which what a workload leaves open may be chosen: of some streams and kernels otherwise than assumed. A
 * mixture may be worse than either choice for all. */
#ifndef ANALYZE_ASSUMED_OPEN_COMBINATIONS_H
#define ANALYZE_ASSUMED_OPEN_COMBINATIONS_H

#include "model/workload/attributes/left_open.h"

#define OPEN_COMBINATIONS_MAX 31 /* all of 5 things */

typedef struct open_combinations {
    open_things things[LEFT_OPEN_CHOICES];
    uint64_t chosen[OPEN_COMBINATIONS_MAX]; /* are_all: a bit for each thing, by choice; else one for each choice */
    size_t count;                           /* of combinations; one choice alone comes before both */
    bool are_all;                           /* no others; else all things of each choice at once */
} open_combinations;

/* `few`: of a large workload, of which few analyses are made. */
void open_combinations_find(const gcast_workload *w, const gcast_gpu *gpu, bool few, open_combinations *c);
/* Does a combination choose otherwise here? */
bool open_combination_has(const open_combinations *c, size_t i, left_open choice);
/* The workload as the combination has it; free it. */
gcast_status open_combination_make(const open_combinations *c, size_t i, const gcast_workload *w, gcast_workload **out,
                                   gcast_error *err);

#endif
