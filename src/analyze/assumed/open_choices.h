/* Do deadlines that are met rest on what the workload leaves open: carveouts, blocking streams, registers? All rest on
 * open registers, which may be any number. */
#ifndef ANALYZE_ASSUMED_OPEN_CHOICES_H
#define ANALYZE_ASSUMED_OPEN_CHOICES_H

#include "analyze/answer.h"
#include "model/workload/left_open.h"

#define OPEN_COMBINATIONS_MAX 31 /* all nonempty sets of 5 things */

/* Combinations of things (streams and kernels) that are chosen otherwise than assumed. A mixture may be worse than one
 * choice for all. */
typedef struct open_combinations {
    open_things things[LEFT_OPEN_CHOICES];
    uint64_t chosen[OPEN_COMBINATIONS_MAX]; /* are_all: a bit for each thing; else a bit for each choice */
    size_t count;                           /* of combinations; those of one choice come before those of both */
    bool are_all;                           /* these are all combinations; else each has all things of a choice */
} open_combinations;

/* `few`: the workload is large, and gets few analyses. */
void open_combinations_find(const gcast_workload *w, const gcast_gpu *gpu, bool few, open_combinations *c);

/* A copy of the workload with combination i, to be freed. */
gcast_status open_combination_make(const open_combinations *c, size_t i, const gcast_workload *w, gcast_workload **out,
                                   gcast_error *err);

/* Analyzes the workload with each combination, and marks the deadlines that are not always shown to be met. */
gcast_status open_choices_try(owned_answer *o, const gcast_gpu *gpu, const gcast_analyze_options *options,
                              gcast_error *err);

/* The same without analyses: all deadlines that are met may rest on what is open. */
void open_choices_rest(owned_answer *o, const gcast_gpu *gpu);

#endif
